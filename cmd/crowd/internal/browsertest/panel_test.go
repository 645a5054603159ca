//go:build e2e

package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// typeInto types a value into the field of a slider.
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

// TestTry verifies that the panel says what to try, that a featured slider of all groups sets
// it in all of them, and that other sliders show that.
func TestTry(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "evacuation", 240, nil), 1200, 800)
	if got := value[string](p, `document.getElementById("try-text").textContent`); got != named(t, "evacuation").Try {
		t.Errorf("got=%q, want what the scene says", got)
	}
	const featured = `#featured [data-featured="max-speed"]`
	if got := value[string](p, `document.querySelector('%s .lil-name').textContent`, featured); got != "max-speed m/s · all groups" {
		t.Errorf("name of the slider: got=%q", got)
	}
	p.typeInto(featured, "2")
	p.wait(`(() => { const all = crowdView.scene.parameters.filter((p) => p.label === "max-speed"); return all.length === 12 && all.every((p) => p.value === 2); })()`)
	p.wait(`document.querySelector('[data-parameter="groups[5].max-speed"] input').value === "2"`)
	p.keep("all-groups")
	p.choose("predators")
	p.wait(`document.querySelector('#featured [data-featured="groups[1].evasion.gain"] .lil-name').textContent === "evasion gain kg/s · prey"`)
	p.keep("one-group")
	p.keys("d")
	p.keep("dark")
}

// TestSliderRange verifies that the range of a slider stays while it is dragged, after that, and
// through a restart and a reload, and that only a typed value that is allowed widens it.
func TestSliderRange(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "arrival", 5, nil), 1200, 800)
	const row = `#featured [data-featured="arrival.slowing-radius"]`
	at := func(v, share float64) { // of the length of the slider
		t.Helper()
		p.wait(`crowdView.scene.parameters.some((p) => p.name.endsWith("slowing-radius") && p.value === %v) &&
			Math.abs(parseFloat(document.querySelector('%s .lil-fill').style.width) - %v) < 1`, v, row, 100*share)
	}
	at(100, 0.25)
	box := value[[]float64](p, `(() => { const r = document.querySelector('%s .lil-slider').getBoundingClientRect(); return [r.left, r.width, r.top + r.height / 2]; })()`, row)
	p.do(chromedp.MouseEvent(mousePressed, box[0]+0.25*box[1], box[2], leftButton...))
	p.do(chromedp.MouseEvent(mouseMoved, box[0]+0.5*box[1], box[2], leftButton[0]))
	p.wait(`Number(document.querySelector('%s input').value) > 150`, row)
	at(value[float64](p, `Number(document.querySelector('%s input').value)`, row), 0.5)
	p.do(chromedp.MouseEvent(mouseMoved, box[0]+box[1]+5, box[2], leftButton[0]))
	at(400, 1)
	p.do(chromedp.MouseEvent(mouseReleased, box[0]+box[1]+5, box[2], leftButton...))
	p.typeInto(row, "300")
	at(300, 0.75)
	p.press("#restart")
	p.wait("crowdView.frame.step < 30")
	at(300, 0.75)
	p.do(chromedp.Reload())
	p.wait("crowdView.ready")
	at(300, 0.75)
	if !value[bool](p, `document.querySelector('%s').classList.contains("changed")`, row) {
		t.Error("after a reload, a changed value is not marked")
	}
	p.typeInto(row, "1000")
	at(1000, 1)
	p.typeInto(row, "250")
	at(250, 0.25)
	p.typeInto(row, "-50")
	p.wait(`document.getElementById("toasts").textContent.includes("slowing-radius is -50")`)
	at(250, 0.25)
	if got := value[string](p, `document.querySelector('%s input').value`, row); !strings.HasPrefix(got, "250") {
		t.Errorf("after a refused value: got=%s, want=250", got)
	}
}

// TestTryOnPhone looks at the panel in the size of a phone.
func TestTryOnPhone(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "bottleneck", 50, nil), 390, 844)
	narrow := func() {
		t.Helper()
		if wide := value[float64](p, "document.documentElement.scrollWidth"); wide > 390 {
			t.Errorf("the page is %v pixels wide, want 390 at most", wide)
		}
	}
	narrow()
	p.keep("closed")
	p.press("#tab-button-tune")
	p.wait(`document.querySelector("#featured .lil-slider").getBoundingClientRect().bottom < innerHeight`)
	p.keep("open")
	narrow()
}

// TestTunedAgain verifies that the page offers to set again what its viewer had changed when
// another server runs the same scene without that.
func TestTunedAgain(t *testing.T) {
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
	p.wait("!crowdView.connected")
	h.start(t)
	defer h.stop()
	p.wait("crowdView.connected && crowdView.ready && %s", offer)
	if got := value[string](p, "%s.textContent", offer); !strings.Contains(got, "without your 2 changed values") {
		t.Errorf("offer: got=%q", got)
	}
	if got := value[float64](p, "%s", speed); got != 3 {
		t.Errorf("before the viewer has answered: max-speed: got=%v, want=3", got)
	}
	p.keep("offer")
	p.forgive("WebSocket connection to")
	p.press(".toast.offer button.strong")
	p.wait(`%s === 5 && crowdView.scene.parameters.find((p) => p.name === "groups[0].flee.radius").value === 120 && !%s`, speed, offer)
	p.do(chromedp.Reload())
	p.wait("crowdView.ready && !%s", offer)
}

// TestUnits verifies that all figures of a scene in pixels are in pixels.
func TestUnits(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "tank-path", 0, nil), 1200, 800)
	for _, scene := range []struct{ name, length, speed, turn string }{
		{"tank-path", "px", "px/s", "rad/s"}, {"arrival", "px", "px/step", ""}, {"arrival-damped", "m", "m/s", ""},
	} {
		p.choose(scene.name)
		p.keys("j")
		p.wait(`document.getElementById("agent-state").textContent.includes(" %[1]s") && document.querySelector(".ramp-unit").textContent === "%[1]s"`, scene.speed)
		unit := func(name string) string {
			return value[string](p, `document.querySelector('[data-parameter="groups[0].%s"] .unit').textContent`, name)
		}
		if r, v := unit("radius"), unit("max-speed"); r != scene.length || v != scene.speed {
			t.Errorf("%s: units of radius and max-speed: got=%s, %s, want=%s, %s", scene.name, r, v, scene.length, scene.speed)
		}
		if scene.turn != "" && unit("turn-towards.rate") != scene.turn {
			t.Errorf("%s: unit of the rate: got=%s, want=%s", scene.name, unit("turn-towards.rate"), scene.turn)
		}
		p.keep(scene.name)
	}
}
