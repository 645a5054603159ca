//go:build e2e

package browsertest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestMeasurementsOnPage verifies that lines and areas are on the stage, as a layer, and
// that there are curves of what is measured there, which begin anew with each run.
func TestMeasurementsOnPage(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "bottleneck", 100, nil), 1200, 800)
	p.do(chromedp.Click(chromedp.CSS("#tab-button-curves")))
	text := `document.getElementById("measured").innerText.replaceAll("\n", " ")`
	p.keys("+", "+", "+")
	p.wait(`/Line 1 \d\.\d\d agents\/s, \d+ passed/.test(%s) && /Area 1 \d\.\d\d agents\/m² .*Area 1 \d\.\d\d m\/s/.test(%s)`, text, text)
	p.wait(`crowdView.stats.lines[0].passed > 40`)
	p.wait(`/wiggle.* All agents \d\.\d{3} Recorded people 1\.005 freely, .* reversals, 1\/s .* All agents \d\.\d\d 1\/s Recorded people .* All agents \d+\.\d °\/s/.test(%s)`, text)
	p.keys(" ")
	p.wait(`crowdView.stats.paused && crowdView.frame.step === crowdView.stats.step`)
	shown := value[string](p, "%s", text)
	if want := value[string](p, "`${crowdView.stats.lines[0].passed} passed`"); !strings.Contains(shown, want) {
		t.Errorf("%q: want it to have %q", shown, want)
	}
	with := p.shot("light")
	at := p.screen(r2.Vec{})
	on := p.pixels(with).RGBAAt(int(at.X), int(at.Y))
	if want := value[string](p, `getComputedStyle(document.querySelector(".measured .dot")).backgroundColor`); fmt.Sprintf("rgb(%d, %d, %d)", on.R, on.G, on.B) != want {
		t.Errorf("color of the line: got=%v on the stage, want=%s, as of its curve", on, want)
	}
	curve := value[[]float64](p, `(() => { const r = document.querySelector("#measured .u-over").getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()`)
	p.do(chromedp.MouseEvent(mouseMoved, curve[0], curve[1]))
	p.wait(`[...document.querySelectorAll("#measured output")].every((e) => /^at \d+\.\d s$/.test(e.textContent))`)
	p.do(chromedp.MouseEvent(mouseMoved, 5, 5))
	p.wait(`[...document.querySelectorAll("#measured output")].every((e) => /^last \d+ s$/.test(e.textContent))`)
	p.keys("a")
	p.wait(`!document.querySelector("[data-layer=measurements]").checked`)
	differ, _ := p.count(with, p.shot("without"))
	// The outline of the area and the line are drawn to the scale of the stage.
	least := int(math.Ceil(4 * 2 * value[float64](p, "crowdView.camera.scale")))
	if differ < least {
		t.Errorf("on the stage: %d pixels, want %d or more", differ, least)
	}
	p.keys("a", "d")
	p.wait(`document.querySelector("[data-layer=measurements]").checked`)
	p.keep("dark")
	p.keys("d")

	p.keys("r")
	p.wait(`crowdView.scene.build === 2 && /Line 1 –, 0 passed|Line 1 0\.00 agents\/s, 0 passed/.test(%s)`, text)
	p.choose("evacuation")
	p.wait(`/Line 1 .* Line 2 /.test(%s) && !%s.includes("Area")`, text, text)
	p.keep("evacuation")
	p.choose("crossing")
	p.steps(60)
	p.wait(`!/Line|Area/.test(%s) && /All agents 1\.\d{3}/.test(%s) && document.getElementById("not-measured").innerText.includes("lines = [{from")`, text, text)
	p.keep("none")
	p.choose("seek")
	p.steps(60)
	p.wait(`/All agents \d\.\d\d px\/step² turning, °\/step/.test(%s) && !%s.includes("Recorded")`, text, text)
	p.do(chromedp.EmulateViewport(390, 844))
	p.choose("bottleneck")
	p.keys(" ")
	p.wait(`crowdView.stats.lines.length === 1 && crowdView.stats.lines[0].passed > 20`)
	p.keep("phone-curves")
	p.do(chromedp.Click(chromedp.CSS("#tab-button-curves")))
	p.keys("f")
	p.keep("phone")
}
