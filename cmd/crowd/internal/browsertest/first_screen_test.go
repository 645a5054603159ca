//go:build e2e

package browsertest

import (
	"testing"

	"github.com/8f878440/crowd/world/scene"
	"github.com/8f878440/crowd/world/view"
	"github.com/chromedp/chromedp"
)

// TestEnded verifies that a scene stops when all agents are out, and that the page then offers a restart and the
// next scene.
func TestEnded(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "evacuation", 24, func(o *setup) {
		o.List = []view.Named{{Name: "evacuation"}, {Name: "flee"}}
	}), 1200, 800)
	p.keys("0") // at maximum speed
	shown := `!document.getElementById("ended").hidden`
	p.wait("%s", shown)
	p.wait(`/^All agents are out after \d\d\.\d s\.$/.test(document.getElementById("ended-text").textContent)`)
	p.wait("crowdView.stats.out !== null && crowdView.frame.step === crowdView.stats.step")
	at := value[float64](p, "crowdView.frame.step")
	p.keys("0") // at normal speed, so the test sees the scene before it ends again
	p.wait("crowdView.stats.pace === 1")
	p.press("#ended-restart")
	p.wait("!(%s) && crowdView.stats.out === null && crowdView.frame.step < %v && crowdView.frame.agents === 24", shown, at)
	p.keys("0")
	p.wait("%s", shown)
	p.press("#ended-next")
	p.wait(`!(%s) && crowdView.scene.name === "flee" && crowdView.frame.step > 10`, shown)
	p.equal(false, `document.querySelector("[data-layer=trails]").checked`) // at first, in a scene with one group
}

// TestNothingCoversTheScene verifies that the legend, the tools and the status line do not cover the scene at
// first, on a desktop and on a phone.
func TestNothingCoversTheScene(t *testing.T) {
	t.Parallel()
	address := serve(t, "evacuation", 24, upTo(100))
	for _, size := range [][2]int{{1280, 800}, {390, 844}} {
		p := browse(t, address, size[0], size[1])
		for _, name := range []string{"evacuation", "bottleneck", "crossing", "boids"} {
			if value[string](p, "crowdView.scene.name") != name {
				p.choose(name)
			}
			p.drawn()
			covered := value[[]string](p, `(() => {
				const [x0, y0, x1, y1] = crowdView.scene.box, [left, bottom] = crowdView.toScreen(x0, y0), [right, top] = crowdView.toScreen(x1, y1);
				const stage = document.getElementById("stage").getBoundingClientRect();
				return ["legend", "toolbar", "hud"].filter((id) => {
					const r = document.getElementById(id).getBoundingClientRect();
					return r.width > 0 && r.left < stage.left + right && r.right > stage.left + left && r.top < stage.top + bottom && r.bottom > stage.top + top;
				});
			})()`)
			if len(covered) > 0 {
				t.Errorf("%s, %d pixels wide: got=%q over the scene, want nothing", name, size[0], covered)
			}
		}
	}
}

// TestSceneDialog verifies that the dialog of scenes has a picture of each built-in scene, and starts the chosen one.
func TestSceneDialog(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "arrival", 5, upTo(100)), 1280, 800)
	p.press("#scene")
	const pictures = `[...document.querySelectorAll("#scenes .picture")]`
	p.wait(pictures+`.length === %d`, len(scene.Names()))
	p.equal(len(scene.Names()), `new Set(%s.map((e) => getComputedStyle(e).backgroundPosition)).size`, pictures)
	p.equal("arrival", `document.querySelector("#scenes [aria-current]").value`)
	p.keep("dialog")
	p.press(`#scenes button[value="hide"]`)
	p.wait(`!document.getElementById("scenes-dialog").open && crowdView.ready && crowdView.scene.name === "hide"`)
	p.says("scene", "hide")
}

// TestChooseByKeyboard verifies that keys and a number select an agent, and that the page refuses other text.
func TestChooseByKeyboard(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "arrival", 5, nil), 1200, 800)
	for _, step := range []struct{ key, want string }{{"j", "1"}, {"j", "2"}, {"k", "1"}, {"k", "5"}, {"j", "1"}} {
		p.keys(step.key)
		p.wait(`crowdView.agent && crowdView.agent.id === "%s" && crowdView.agent.alive`, step.want)
	}
	p.do(chromedp.SendKeys("#agent-id", "4\r"))
	p.wait(`crowdView.agent.id === "4" && document.getElementById("agent-name").textContent === "Agent 4"`)
	p.do(chromedp.SendKeys("#agent-id", "x\r"))
	p.wait(`document.getElementById("toasts").textContent.includes("There is no agent 4x")`)
	p.wait("crowdView.agent.explanation")
	p.says("inspector", "Arrival", "px/step", "limit 5.4", "Follow")
}
