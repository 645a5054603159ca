//go:build e2e

package browsertest

import (
	"fmt"
	"testing"

	"github.com/8f878440/crowd/world/scene"
	"github.com/8f878440/crowd/world/view"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"gonum.org/v1/gonum/spatial/r2"
)

func (p *tab) typeInto(slider, value string) {
	p.t.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{
		const input = document.querySelector('%s input');
		input.focus();
		input.value = %q;
		input.dispatchEvent(new Event("input", {bubbles: true}));
		input.dispatchEvent(new Event("change", {bubbles: true}));
		input.blur();
	}`, slider, value)))
}

func TestGroups(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "evacuation", 240, nil), 1400, 800)
	p.wait("crowdView.frame.coloring === 7 && crowdView.frame.step > 20")
	p.equal("room 1room 2", `document.querySelector("#legend .names").textContent.slice(0, 12)`)
	p.equal(true, `document.querySelector("[data-layer=trails]").checked`)
	p.equal(named(t, "evacuation").Try, `document.getElementById("try-text").textContent`)
	const featured = `#featured [data-featured="max-speed"]`
	p.equal("max-speed m/s · all groups", `document.querySelector('%s .lil-name').textContent`, featured)
	p.typeInto(featured, "2")
	p.wait(`(() => { const all = crowdView.scene.parameters.filter((p) => p.label === "max-speed"); return all.length === 12 && all.every((p) => p.value === 2); })()`)
	p.wait(`document.querySelector('[data-parameter="groups[5].max-speed"] input').value === "2"`)
	p.wait(`document.querySelector('[data-parameter="groups[5].max-speed"]').classList.contains("changed")`)
	const force = `(({ classList }, { value }, { textContent }) => [classList.contains("changed"), value, textContent].join(" "))(
		...["", " input", " .unit"].map((part) => document.querySelector('[data-parameter="groups[5].max-force"]' + part)))`
	p.equal("false ∞ N", force)
	p.set("color", "heading")
	p.wait("crowdView.frame.coloring === 3")
	p.do(chromedp.Reload())
	p.wait("crowdView.ready && crowdView.frame.coloring === 3")
	p.choose("predators")
	p.wait(`document.querySelector('#featured [data-featured="groups[1].evasion.gain"] .lil-name').textContent === "evasion gain kg/s · prey"`)
	p.keys("d")
}

func TestSliderRange(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "arrival", 5, nil), 1200, 800)
	const row = `#featured [data-featured="arrival.slowing-radius"]`
	at := func(v, share float64) {
		t.Helper()
		p.wait(`crowdView.scene.parameters.some((p) => p.name.endsWith("slowing-radius") && p.value === %v) &&
			Math.abs(parseFloat(document.querySelector('%s .lil-fill').style.width) - %v) < 1`, v, row, 100*share)
	}
	at(100, 0.25)
	end := r2.Add(p.along(row+" .lil-slider", 1), r2.Vec{X: 5})
	p.mouseAt(mousePressed, p.along(row+" .lil-slider", 0.25), leftButton...)
	p.mouseAt(mouseMoved, p.along(row+" .lil-slider", 0.5), leftButton[0])
	p.wait(`Number(document.querySelector('%s input').value) > 150`, row)
	at(value[float64](p, `Number(document.querySelector('%s input').value)`, row), 0.5)
	p.mouseAt(mouseMoved, end, leftButton[0])
	at(400, 1)
	p.mouseAt(mouseReleased, end, leftButton...)
	p.typeInto(row, "300")
	at(300, 0.75)
	build := value[int](p, "crowdView.scene.build")
	p.press("#restart")
	p.wait("crowdView.ready && crowdView.scene.build > %d", build)
	at(300, 0.75)
	p.do(chromedp.Reload())
	p.wait("crowdView.ready")
	at(300, 0.75)
	p.equal(true, `document.querySelector('%s').classList.contains("changed")`, row)
	p.typeInto(row, "1000")
	at(1000, 1)
	p.typeInto(row, "250")
	at(250, 0.25)
	p.typeInto(row, "-50")
	p.wait(`document.getElementById("toasts").textContent.includes("slowing-radius is -50")`)
	p.wait("crowdView.frame.step > %v", value[float64](p, "crowdView.frame.step")+60) // by then, the server has reported every value
	at(250, 0.25)
	p.equal("250", `document.querySelector('%s input').value.slice(0, 3)`, row)
}

func TestRestart(t *testing.T) {
	t.Parallel()
	wantBrowser(t)
	var h host
	h.start(t)
	p := browse(t, answer(t, &h), 1000, 600)
	const offer, speed = `document.querySelector(".toast.offer")`, `crowdView.scene.parameters.find((p) => p.label === "max-speed").value`
	p.typeInto(`#featured [data-featured="flee.radius"]`, "120")
	p.typeInto(`#featured [data-featured="max-speed"]`, "5")
	p.wait("%s === 5", speed)
	h.stop()
	p.wait(`!crowdView.connected && !document.getElementById("banner").hidden`)
	h.start(t)
	defer h.stop()
	p.wait(`crowdView.connected && crowdView.ready && document.getElementById("banner").hidden && %s`, offer)
	step := value[float64](p, "crowdView.frame.step")
	p.wait("crowdView.frame.step > %v", step)
	p.has("without your 2 changed values", "%s.textContent", offer)
	p.equal(3, "%s", speed) // before the viewer answers
	p.noErrors("WebSocket connection to")
	p.press(".toast.offer button.strong")
	p.wait(`%s === 5 && crowdView.scene.parameters.find((p) => p.name === "groups[0].flee.radius").value === 120 && !%s`, speed, offer)
	p.do(chromedp.Reload())
	p.wait("crowdView.ready && !%s", offer)
}

func TestEnded(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "evacuation", 24, func(o *setup) {
		o.List = []view.Named{{Name: "evacuation"}, {Name: "flee"}}
	}), 1200, 800)
	p.keys("0")
	shown := `!document.getElementById("ended").hidden`
	p.wait("%s", shown)
	p.equal("All agents are out after TIME s.", `document.getElementById("ended-text").textContent.replace(/\d\d\.\d/, "TIME")`)
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
	p.equal(false, `document.querySelector("[data-layer=trails]").checked`)
}

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
			p.equal("", `(() => {
				const [x0, y0, x1, y1] = crowdView.scene.box, [left, bottom] = crowdView.toScreen(x0, y0), [right, top] = crowdView.toScreen(x1, y1);
				const stage = document.getElementById("stage").getBoundingClientRect();
				return ["legend", "toolbar", "hud"].filter((id) => {
					const r = document.getElementById(id).getBoundingClientRect();
					return r.width > 0 && r.left < stage.left + right && r.right > stage.left + left && r.top < stage.top + bottom && r.bottom > stage.top + top;
				}).join();
			})()`)
		}
	}
}

func TestSceneDialog(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "arrival", 5, upTo(100)), 1280, 800)
	p.press("#scene")
	const pictures = `[...document.querySelectorAll("#scenes .picture")]`
	p.wait(pictures+`.length === %d`, len(scene.Names()))
	p.equal(len(scene.Names()), `new Set(%s.map((e) => getComputedStyle(e).backgroundPosition)).size`, pictures)
	p.equal("arrival", `document.querySelector("#scenes [aria-current]").value`)
	p.keep("dialog")
	p.keys("o", kb.Escape) // closes only the dialog, and the tool stays
	p.wait(`!document.getElementById("scenes-dialog").open`)
	p.equal("pointer", `document.getElementById("stage").dataset.mode`)
	p.press("#scene")
	p.press(`#scenes button[value="hide"]`)
	p.wait(`!document.getElementById("scenes-dialog").open && crowdView.ready && crowdView.scene.name === "hide"`)
	p.says("scene", "hide")
}

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
	p.wait(`document.getElementById("toasts").textContent.includes("Agent number is 4x")`)
	p.wait("crowdView.agent.explanation")
	p.says("inspector", "Arrival", "px/step", "limit 5.4", "Follow")
}
