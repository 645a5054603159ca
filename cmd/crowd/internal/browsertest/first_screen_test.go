//go:build e2e

package browsertest

import (
	"regexp"
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
	if got := value[string](p, `document.getElementById("ended-text").textContent`); !regexp.MustCompile(`^All agents are out after \d\d\.\d s\.$`).MatchString(got) {
		t.Errorf("got=%q, want the time when all agents are out", got)
	}
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
	if value[bool](p, `document.querySelector("[data-layer=trails]").checked`) {
		t.Error("got trails at first in a scene with one group, want none")
	}
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
	if n := value[int](p, `new Set(%s.map((e) => getComputedStyle(e).backgroundPosition)).size`, pictures); n != len(scene.Names()) {
		t.Errorf("got=%d different pictures, want=%d", n, len(scene.Names()))
	}
	if got := value[string](p, `document.querySelector("#scenes [aria-current]").value`); got != "arrival" {
		t.Errorf("current scene: got=%s, want=arrival", got)
	}
	p.keep("dialog")
	p.press(`#scenes button[value="hide"]`)
	p.wait(`!document.getElementById("scenes-dialog").open && crowdView.ready && crowdView.scene.name === "hide"`)
	p.says("scene", "hide")
}

// TestColorByGroup verifies that a scene of several groups has colors by group and trails at first, and that a
// reload keeps another coloring.
func TestColorByGroup(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "evacuation", 240, nil), 1400, 800)
	p.wait("crowdView.frame.coloring === 7 && crowdView.frame.step > 20")
	if got := value[string](p, `document.querySelector("#legend .names").textContent`); !regexp.MustCompile(`^room 1room 2`).MatchString(got) {
		t.Errorf("legend: got=%q, want room 1, room 2 and so on", got)
	}
	if !value[bool](p, `document.querySelector("[data-layer=trails]").checked`) {
		t.Error("got no trails at first in a scene with several groups, want trails")
	}
	p.run(`{ const c = document.getElementById("color"); c.value = "heading"; c.onchange() }`)
	p.wait("crowdView.frame.coloring === 3")
	p.do(chromedp.Reload())
	p.wait("crowdView.ready && crowdView.frame.coloring === 3")
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

func TestSliders(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "antipodal", 20, nil), 1200, 800)
	row := func(name, what string) string {
		return `document.querySelector('[data-parameter="groups[0].` + name + `"]').` + what
	}
	p.wait(`%s === "∞"`, row("max-force", `querySelector("input").value`))
	if got := value[string](p, "%s", row("max-force", `querySelector(".unit").textContent`)); got != "N" {
		t.Errorf("unit of max-force: got=%q, want=N", got)
	}
	p.do(chromedp.Evaluate[chromedp.Void]("{ const i = " + row("arrival.gain", `querySelector("input")`) + `; i.value = "0.5"; i.dispatchEvent(new Event("input")); i.dispatchEvent(new Event("change")); i.blur() }`))
	p.wait("%s && crowdView.scene.parameters.some((p) => p.label === 'gain' && p.value === 0.5)", row("arrival.gain", `classList.contains("changed")`))
	if got := value[string](p, "%s", row("max-force", `querySelector("input").value`)); got != "∞" {
		t.Errorf("max-force after another change: got=%q, want=∞", got)
	}
	if value[bool](p, "%s", row("max-force", `classList.contains("changed")`)) {
		t.Error("max-force: got a mark of a change, want none")
	}
}
