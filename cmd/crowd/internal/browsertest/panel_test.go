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

// TestTry verifies that a featured slider for all groups sets the parameter in all groups.
func TestTry(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "evacuation", 240, nil), 1200, 800)
	if got := value[string](p, `document.getElementById("try-text").textContent`); got != named(t, "evacuation").Try {
		t.Errorf("got=%q, want the text of the scene", got)
	}
	const featured = `#featured [data-featured="max-speed"]`
	if got := value[string](p, `document.querySelector('%s .lil-name').textContent`, featured); got != "max-speed m/s · all groups" {
		t.Errorf("name of the slider: got=%q, want max-speed m/s · all groups", got)
	}
	p.typeInto(featured, "2")
	p.wait(`(() => { const all = crowdView.scene.parameters.filter((p) => p.label === "max-speed"); return all.length === 12 && all.every((p) => p.value === 2); })()`)
	p.wait(`document.querySelector('[data-parameter="groups[5].max-speed"] input').value === "2"`)
	p.choose("predators")
	p.wait(`document.querySelector('#featured [data-featured="groups[1].evasion.gain"] .lil-name').textContent === "evasion gain kg/s · prey"`)
	p.keys("d")
}

// TestSliderRange verifies that the range of a slider survives drags, a restart and a reload, and that only a
// valid typed value widens the range.
func TestSliderRange(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "arrival", 5, nil), 1200, 800)
	const row = `#featured [data-featured="arrival.slowing-radius"]`
	at := func(v, share float64) { // share of the length of the slider
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
		t.Error("after a reload: got=no mark of the changed value, want=a mark")
	}
	p.typeInto(row, "1000")
	at(1000, 1)
	p.typeInto(row, "250")
	at(250, 0.25)
	p.typeInto(row, "-50")
	p.wait(`document.getElementById("toasts").textContent.includes("slowing-radius is -50")`)
	p.wait("crowdView.frame.step > %v", value[float64](p, "crowdView.frame.step")+60) // by then, the server has reported every value
	at(250, 0.25)
	if got := value[string](p, `document.querySelector('%s input').value`, row); !strings.HasPrefix(got, "250") {
		t.Errorf("after a refused value: got=%s, want=250", got)
	}
}

// TestRestart verifies that the page survives a restart of the server, and then offers to restore the values that
// the viewer had changed.
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
	if got := value[string](p, "%s.textContent", offer); !strings.Contains(got, "without your 2 changed values") {
		t.Errorf("offer: got=%q, want 2 changed values", got)
	}
	if got := value[float64](p, "%s", speed); got != 3 {
		t.Errorf("before the viewer answers: max-speed: got=%v, want=3", got)
	}
	p.forgive("WebSocket connection to")
	p.press(".toast.offer button.strong")
	p.wait(`%s === 5 && crowdView.scene.parameters.find((p) => p.name === "groups[0].flee.radius").value === 120 && !%s`, speed, offer)
	p.do(chromedp.Reload())
	p.wait("crowdView.ready && !%s", offer)
}
