//go:build e2e

package browsertest

import (
	"fmt"
	"image"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestTimeline(t *testing.T) {
	t.Parallel()
	address := serve(t, "arrival", 0, nil)
	p := browse(t, address, 1200, 800)
	p.wait("crowdView.frame.step > 120 && !document.getElementById('timeline').hidden")
	before := p.shot("running")
	p.mouseAt(mousePressed, p.along("#time", 0.9), leftButton...)
	p.mouseAt(mouseMoved, p.along("#time", 0.5), leftButton...)
	p.mouseAt(mouseMoved, p.along("#time", 0.25), leftButton...)
	p.wait("crowdView.stats.paused && crowdView.frame.step === Number(document.getElementById('time').value) && crowdView.frame.step < crowdView.stats.timeline.last / 2")
	p.differ(before, p.shot("back"), 50, 1e9)
	step := value[float64](p, "crowdView.frame.step")
	p.mouseAt(mouseReleased, p.along("#time", 0.25), leftButton...)
	p.wait("!crowdView.stats.paused && crowdView.frame.step > %v", step)

	p.run(`document.getElementById("time").focus()`)
	p.keys(kb.Home)
	p.wait("crowdView.stats.paused && crowdView.frame.step === 0")
	p.keys(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	p.wait("crowdView.frame.step === 3 && document.getElementById('time').getAttribute('aria-valuetext').startsWith('step 3 of ')")
	p.keys(kb.End)
	p.wait("crowdView.frame.step === crowdView.stats.timeline.last")
	p.keys(" ")
	p.wait("!crowdView.stats.paused")
	p.do(chromedp.Navigate("about:blank"))

	phone := browse(t, address, 390, 844)
	phone.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch, chromedp.EmulateMobile))
	phone.wait("crowdView.ready && innerWidth === 390 && !document.getElementById('timeline').hidden")
	phone.pause()
	from := phone.along("#time", 0.8)
	phone.swipe([]r2.Vec{{X: phone.along("#time", 0.2).X - from.X}}, from)
	phone.wait("crowdView.frame.step > 0 && crowdView.frame.step < crowdView.stats.timeline.last * 0.5")
	phone.press("#tab-button-tune")
}

func TestEdits(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "hide", 0, nil), 1200, 800) // it does not end, however slow the page is
	p.wait("crowdView.stats?.timeline.last > 60 && crowdView.stats.timeline.edits.length === 0")
	p.typeInto(`#featured [data-featured="groups[0].max-speed"]`, "2")
	p.wait(`crowdView.stats.timeline.edits.length === 1 && document.getElementById("time").style.getPropertyValue("--edits").startsWith("linear-gradient")`)
	edit := value[float64](p, "crowdView.stats.timeline.edits[0]")
	p.wait(`crowdView.stats.timeline.last > %v && document.getElementById("live").hidden`, edit+30)
	p.equal("", `(document.getElementById("clock").textContent.match(/.*\u00a0s/) ?? [""])[0]`) // the timeline shows the time
	p.run(`document.getElementById("time").focus()`)
	p.keys(kb.Home)
	p.wait(`crowdView.frame.step === 0 && crowdView.stats.step === 0 && !document.getElementById("live").hidden`)
	p.keep("marks")
	p.press("#live")
	p.wait(`!crowdView.stats.paused && crowdView.frame.step > %v && document.getElementById("live").hidden`, edit)
}

func TestLink(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "arrival", 0, nil), 1000, 700)
	p.run(`window.prompt = (_, link) => { window.link = link; }; Object.defineProperty(navigator, "clipboard", { value: { writeText: async (link) => { window.shown = crowdView.frame.step; window.link = link; } } })`)
	p.press("#pause")
	p.wait("crowdView.stats.paused")
	p.keys("]", "]")
	p.wait("crowdView.frame.step >= 2 && crowdView.frame.step === crowdView.stats.step")
	p.press("#copy-link")
	p.wait("window.link")
	link := value[string](p, "window.link")
	step := value[float64](p, "window.shown")
	_, words, _ := strings.Cut(link, "#")
	said, err := url.ParseQuery(words)
	if err != nil || said.Get("scene") != "arrival" || said.Get("step") != fmt.Sprint(step) {
		t.Fatalf("link: got=%s (%v), want scene arrival and step %v", link, err, step)
	}
	said.Add("set", "groups[0].arrival.slowing-radius=123")
	camera := value[[3]float64](p, "[crowdView.camera.x, crowdView.camera.y, crowdView.camera.scale]")

	other := browse(t, serve(t, "plaza", 500, nil), 1000, 700)
	other.do(chromedp.Navigate(strings.TrimSuffix(value[string](other, "location.origin"), "/") + "/?test&elsewhere#" + said.Encode()))
	other.wait("crowdView.ready && crowdView.scene.name === 'arrival' && crowdView.stats?.paused && crowdView.frame.step === %v", step)
	other.wait(`crowdView.scene.parameters.find(p => p.name === "groups[0].arrival.slowing-radius").value === 123`)
	got := value[[3]float64](other, "[crowdView.camera.x, crowdView.camera.y, crowdView.camera.scale]")
	if !floats.EqualApprox(got[:], camera[:], 0.01*camera[2]) {
		t.Errorf("camera: got=%v, want=%v", got, camera)
	}
	other.equal("", "location.hash") // otherwise a reload would restart the scene

	// The scene of another viewer's file.
	p.say(fmt.Sprintf(`{"do":"scene","name":"mine.toml","text":%q}`, walkerText))
	p.wait("crowdView.ready && crowdView.scene.name === 'mine.toml'")
	p.equal(true, `document.getElementById("reset").disabled`)
	p.run("window.link = ''")
	p.press("#copy-link")
	p.wait("window.link")
	_, words, _ = strings.Cut(value[string](p, "window.link"), "#")
	other.do(chromedp.Navigate(value[string](other, "location.origin") + "/?test&file#" + words))
	other.wait("crowdView.ready && crowdView.scene.name === 'mine.toml'")
	other.equal(false, `document.getElementById("reset").disabled`)
}

func TestKeep(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "arrival", 0, nil), 1000, 700)
	p.run(`window.kept = []; HTMLAnchorElement.prototype.click = function () {
		window.kept.push({ name: this.download }); }`)
	p.run(`const real = URL.createObjectURL; URL.createObjectURL = (b) => { window.kept.push({ type: b.type, size: b.size }); return real(b); }`)
	p.press("#picture")
	p.wait(`window.kept.some((k) => k.type === "image/png" && k.size > 2000)`)
	if !value[bool](p, `document.getElementById("film").hidden`) {
		p.press("#film")
		p.wait(`document.getElementById("film").textContent === "Stop film"`)
		p.wait("crowdView.filmed > 1000")
		p.press("#film")
		p.wait(`window.kept.some((k) => k.type === "video/webm" && k.size > 1000)`)
	}
	p.press("#save-scene")
	p.wait(`window.kept.some((k) => k.name === "arrival.toml") && window.kept.some((k) => /^arrival-\d+\.png$/.test(k.name))`)
}

// walkerText has one agent, which starts at (5, 10) and walks to the right at 1 m/s.
const walkerText = `
name = "walker"
text = "an agent walks to the right"
box = [[0, 0], [30, 20]]
dt = 0.05

[[groups]]
count = 1
radius = 0.25
at = {points = [[5, 10]]}
target = {points = [[1000, 10]]}
max-speed = 1
kinematic-seek = {}
`

func TestTrails(t *testing.T) {
	t.Parallel()
	p := browse(t, serveText(t, walkerText, nil), 1000, 700)
	p.stepTo(0)
	p.keys("8", "t") // no grid
	walk := func() {
		t.Helper()
		for range 5 {
			p.steps(20)
		}
	}
	walk()
	// ink returns the difference between the colors at a point of the path and of the floor.
	ink := func(picture *image.RGBA, pixels, x float64) int {
		at, floor := r2.Scale(pixels, p.screen(r2.Vec{X: x, Y: 10})), r2.Scale(pixels, p.screen(r2.Vec{X: x, Y: 12}))
		return apart(picture.RGBAAt(int(at.X), int(at.Y)), picture.RGBAAt(int(floor.X), int(floor.Y)))
	}
	look := func(name string, pixels float64, behind, tail int) {
		t.Helper()
		picture := p.pixels(p.shot(name))
		for _, at := range []struct {
			x           float64
			least, most int
		}{{10.8, 0, 1}, {9.4, behind, 1000}, {7, tail, 150}, {5.6, 0, 3}} {
			if got := ink(picture, pixels, at.x); got < at.least || got > at.most {
				t.Errorf("%s, at %v m: got=%d levels off the floor, want %d to %d", name, at.x, got, at.least, at.most)
			}
		}
	}
	look("walked", 1, 150, 30)
	p.keys(kb.ArrowLeft, kb.ArrowUp)
	look("panned", 1, 150, 30)
	p.keys("]", "]", "]")
	look("near", 1, 150, 30)
	p.keys("[", "[", "[", "[", "[")
	look("far", 1, 100, 20)
	p.do(chromedp.KeyEvent("f"), chromedp.EmulateViewport(1010, 700, chromedp.EmulateScale(2)))
	p.wait("devicePixelRatio === 2 && Math.abs(document.getElementById('stage').width - 2 * crowdView.camera.width) < 2")
	look("fine", 2, 100, 20)
	p.keys("r")
	p.wait("crowdView.frame.step === 0")
	if got := ink(p.pixels(p.shot("gone")), 2, 9.4); got > 0 {
		t.Errorf("after a restart: got=%d levels off the floor, want 0", got)
	}
	p.keys("]", "]", "]")
	walk()
	before := ink(p.pixels(p.shot("without-map")), 2, 11)
	p.keys("h")
	p.wait(`!document.getElementById("legend-map").hidden`)
	if got := ink(p.pixels(p.shot("map")), 2, 11); got < before+20 {
		t.Errorf("density map: got=%d levels 1 m from the agent, want 20 more than %d", got, before)
	}
	p.says("legend-map", "agents/m², σ = 2 m")
}
