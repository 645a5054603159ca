package view

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/8f878440/crowd/world/scene"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestTimeline drags the timeline with the mouse, goes along it by keys, and with a finger.
func TestTimeline(t *testing.T) {
	s := serve(t, "arrival", 0, withAll)
	p := browse(t, s, 1200, 800)
	p.wait("crowdView.frame.step > 120 && !document.getElementById('timeline').hidden")
	before := p.shot("running")
	mouse := func(kind input.DispatchMouseEventType, share float64) {
		t.Helper()
		at := p.along("#time", share)
		p.do(chromedp.MouseEvent(kind, at.X, at.Y, leftButton...))
	}
	mouse(mousePressed, 0.9)
	mouse(mouseMoved, 0.5)
	mouse(mouseMoved, 0.25)
	p.wait("crowdView.stats.paused && crowdView.frame.step === Number(document.getElementById('time').value) && crowdView.frame.step < crowdView.stats.timeline.last / 2")
	back := p.shot("back")
	if differ, _ := p.count(before, back); differ < 50 {
		t.Errorf("%d pixels changed, want 50 or more: it is not another time", differ)
	}
	step := value[float64](p, "crowdView.frame.step")
	mouse(mouseReleased, 0.25)
	p.wait("!crowdView.stats.paused && crowdView.frame.step > %v", step) // as it did before

	p.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("time").focus()`))
	p.do(chromedp.KeyEvent(kb.Home))
	p.wait("crowdView.stats.paused && crowdView.frame.step === 0")
	for range 3 {
		p.do(chromedp.KeyEvent(kb.ArrowRight))
	}
	p.wait("crowdView.frame.step === 3 && document.getElementById('time').getAttribute('aria-valuetext').startsWith('step 3 of ')")
	p.do(chromedp.KeyEvent(kb.End))
	p.wait("crowdView.frame.step === crowdView.stats.timeline.last")
	p.do(chromedp.KeyEvent(" "))
	p.wait("!crowdView.stats.paused")

	phone := browse(t, s, 390, 844)
	phone.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch, chromedp.EmulateMobile))
	phone.wait("crowdView.ready && innerWidth === 390 && !document.getElementById('timeline').hidden")
	from := phone.along("#time", 0.8)
	phone.swipe([]r2.Vec{{X: phone.along("#time", 0.2).X - from.X}}, from)
	phone.wait("crowdView.frame.step > 0 && crowdView.frame.step < crowdView.stats.timeline.last * 0.5")
	phone.shot("phone")
	phone.press("#tab-button-tune")
	phone.shot("phone-tune")
}

// along returns a point of an element on the screen, that share of its width from its left.
func (p *tab) along(selector string, share float64) r2.Vec {
	p.t.Helper()
	xy := value[[]float64](p, `(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.left + r.width * %v, r.top + r.height / 2]; })()`, selector, share)
	return r2.Vec{X: xy[0], Y: xy[1]}
}

// TestLink copies a link and opens it elsewhere: there is just that.
func TestLink(t *testing.T) {
	s := serve(t, "arrival", 0, withAll)
	p := browse(t, s, 1000, 700)
	p.do(chromedp.Evaluate[chromedp.Void](`window.prompt = (_, link) => { window.link = link; }; Object.defineProperty(navigator, "clipboard", { value: { writeText: async (link) => { window.shown = crowdView.frame.step; window.link = link; } } })`))
	p.press("#pause")
	p.wait("crowdView.stats.paused")
	p.do(chromedp.KeyEvent("]"), chromedp.KeyEvent("]"))
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
	camera := value[[]float64](p, "[crowdView.camera.x, crowdView.camera.y, crowdView.camera.scale]")

	other := browse(t, serve(t, "plaza", 0, withAll), 1000, 700)
	other.do(chromedp.Navigate(strings.TrimSuffix(value[string](other, "location.origin"), "/") + "/?test&elsewhere#" + said.Encode()))
	other.wait("crowdView.ready && crowdView.scene.name === 'arrival' && crowdView.stats?.paused && crowdView.frame.step === %v", step)
	other.wait(`crowdView.scene.parameters.find(p => p.name === "groups[0].arrival.slowing-radius").value === 123`)
	got := value[[]float64](other, "[crowdView.camera.x, crowdView.camera.y, crowdView.camera.scale]")
	for i := range got {
		if d := got[i] - camera[i]; d > 0.01*camera[2] || d < -0.01*camera[2] {
			t.Errorf("camera: got=%v, want=%v", got, camera)
			break
		}
	}
	if hash := value[string](other, "location.hash"); hash != "" {
		t.Errorf("the address still has %q: to load it anew would start it anew", hash)
	}
}

// TestKeep holds that the page gives away a picture, a film and the scene.
func TestKeep(t *testing.T) {
	s := serve(t, "arrival", 0, withAll)
	p := browse(t, s, 1000, 700)
	p.do(chromedp.Evaluate[chromedp.Void](`window.kept = []; HTMLAnchorElement.prototype.click = function () {
		window.kept.push({ name: this.download }); }`))
	p.do(chromedp.Evaluate[chromedp.Void](`const real = URL.createObjectURL; URL.createObjectURL = (b) => { window.kept.push({ type: b.type, size: b.size }); return real(b); }`))
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

// TestSceneFile holds that the scene is given away as it is set now, and not to those who may only look.
func TestSceneFile(t *testing.T) {
	s := serve(t, "arrival", 0, nil)
	c := connect(t, s)
	c.say(`{"do":"set","name":"groups[0].arrival.slowing-radius","value":123}`)
	c.until("scene", func() bool { return strings.Contains(fmt.Sprint(c.text["scene"]["parameters"]), "123") })
	answer := get(t, s, "/scene.toml", "", nil)
	defer answer.Body.Close()
	sc, err := scene.Read(answer.Body, "kept.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range sc.Parameters() {
		if p.Name == "groups[0].arrival.slowing-radius" && p.Value != 123 {
			t.Errorf("%s: got=%v, want=123", p.Name, p.Value)
		}
	}
	locked := serve(t, "arrival", 0, func(o *setup) { o.ReadOnly = true })
	refused := get(t, locked, "/scene.toml", "", nil)
	defer refused.Body.Close()
	if text, _ := io.ReadAll(refused.Body); refused.StatusCode != http.StatusNotFound {
		t.Errorf("read only: got=%d %s", refused.StatusCode, text)
	}
}

// TestOrderAtOnce holds that a scene, its size and its seed are ordered by one message.
func TestOrderAtOnce(t *testing.T) {
	s := serve(t, "arrival", 0, nil)
	c := connect(t, s)
	c.say(`{"do":"scene","name":"plaza","n":70,"seed":"9"}`)
	c.until("scene", func() bool { return c.text["scene"]["name"] == "plaza" })
	if m := c.text["scene"]; m["agents"] != 70. || m["size"] != 70. || m["seed"] != "9" {
		t.Errorf("got=%v agents of %v, seed %v, want 70 and 9", m["agents"], m["size"], m["seed"])
	}
	c.say(`{"do":"scene","name":"plaza","n":-1}`)
	c.until("error", nil)
	c.say(`{"do":"scene","name":"plaza","seed":"x"}`)
	c.until("error", nil)
}
