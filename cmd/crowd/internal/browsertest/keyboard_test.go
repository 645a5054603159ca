//go:build e2e

package browsertest

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"gonum.org/v1/gonum/spatial/r2"
)

type stop struct {
	Name    string
	Seen    bool // visible on the screen
	Outline bool // has a visible focus mark
}

// nameOf is a script that defines a function, which names an element of the page.
const nameOf = `window.nameOf = (e) => e === document.body ? "" : e.id || [e.closest("[data-parameter]")?.dataset.parameter, e.dataset.layer, e.className, e.tagName, e.textContent.slice(0, 20).trim()].filter(Boolean).join(" ")`

func (p *tab) focus() stop {
	p.t.Helper()
	return value[stop](p, `(() => {
		const e = document.activeElement, s = getComputedStyle(e), r = e.getBoundingClientRect();
		const x = r.left + r.width / 2, y = r.top + r.height / 2, top = document.elementFromPoint(x, y);
		return { Name: nameOf(e), Seen: !!top && (e.contains(top) || top.contains(e) || getComputedStyle(top).pointerEvents === "none"), Outline: s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1 || s.boxShadow.includes("inset") };
	})()`)
}

// walk presses Tab until the focus is back at the first element. It returns the names of the focused ones.
func (p *tab) walk() (names []string) {
	p.t.Helper()
	for range 200 {
		p.keys("\t")
		at := p.focus()
		if len(names) > 0 && at.Name == names[0] {
			return names
		}
		if at.Name == "" {
			continue
		}
		if !at.Seen || !at.Outline {
			p.t.Errorf("%s has the focus: got visible %v, with a mark %v, want true for both", at.Name, at.Seen, at.Outline)
		}
		names = append(names, at.Name)
	}
	p.t.Fatalf("Tab reached %q, want it back at the first element", names)
	return nil
}

// reaches reports an error for each control that is not among names.
func (p *tab) reaches(names []string) {
	p.t.Helper()
	all := value[[]string](p, `[...document.querySelectorAll("button, select, input, summary, a[href], canvas[tabindex]")]
		.filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.disabled && !(e.getAttribute("role") === "tab" && e.tabIndex < 0)).map(nameOf)`)
	for _, name := range all {
		if !slices.Contains(names, name) {
			p.t.Errorf("Tab reached %q, want %s among them", names, name)
		}
	}
}

func TestKeyboard(t *testing.T) {
	t.Parallel()
	address := serve(t, "arrival", 20, nil)
	for _, size := range [][2]int{{1200, 800}, {390, 844}} {
		p := browse(t, address, size[0], size[1])
		p.run("%s; 0", nameOf)
		p.keys("j", "p") // p: no pointer, so nothing covers the stage
		p.wait("crowdView.agent?.alive")
		p.pause() // faster if nothing new is drawn
		for _, name := range []string{"tune", "curves", "agent"} {
			p.run(`document.querySelector("[role=tab][data-tab=%s]").focus()`, name)
			p.keys("\r")
			p.wait(`!document.getElementById("tab-%s").hidden`, name)
			p.reaches(p.walk())
			p.equal(size[0], "Math.max(document.documentElement.scrollWidth, %d)", size[0])
		}
	}
}

func TestKeysWhereTheyMean(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "arrival", 20, nil), 1200, 800)
	focus := func(selector string) { p.run(`document.querySelector('%s').focus()`, selector) }
	p.keys("p", "j")
	p.wait("crowdView.agent?.alive")

	p.keys("l")
	focus("[data-layer=targets]") // space checks a box, and does not pause
	p.keys(" ")
	p.wait(`document.querySelector("[data-layer=targets]").checked && crowdView.frame.layers[0].offset > 0`)
	focus("#components-box summary")
	p.keys(" ")
	p.wait(`document.getElementById("components-box").open`)
	p.equal(false, `document.getElementById("pause").classList.contains("paused")`)

	focus("#tab-button-agent") // arrow keys move between the tabs
	p.keys(kb.ArrowRight)
	p.wait(`document.activeElement.id === "tab-button-tune" && !document.getElementById("tab-tune").hidden`)
	p.keys(kb.ArrowLeft)
	p.wait(`document.activeElement.id === "tab-button-agent"`)

	focus("#stage") // and pan the stage
	x := value[float64](p, "crowdView.camera.x")
	p.keys(kb.ArrowRight)
	p.wait("crowdView.camera.x > %v", x)

	p.keys("?")
	p.wait(`document.getElementById("help-dialog").open && document.getElementById("help-dialog").contains(document.activeElement)`)
	p.keys(kb.Escape)
	p.wait(`!document.getElementById("help-dialog").open && document.activeElement.id === "stage" && !!crowdView.agent.id`)
	focus("#agent-id")
	p.keys(kb.Escape) // leaves only the field
	p.wait(`document.activeElement === document.body && !!crowdView.agent.id`)
	p.keys(kb.Escape)
	p.wait("!crowdView.agent.id")
}

// touch lifts all fingers if none are given.
func (p *tab) touch(kind input.DispatchTouchEventType, fingers ...r2.Vec) {
	p.t.Helper()
	points := make([]*input.TouchPoint, len(fingers))
	for i, at := range fingers {
		id := float64(i)
		points[i] = &input.TouchPoint{X: at.X, Y: at.Y, ID: &id}
	}
	_, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
	testkit.Must(p.t, err)
}

// tap touches a point of the screen, and moves the finger slightly.
func (p *tab) tap(at r2.Vec) {
	p.t.Helper()
	p.touch(input.DispatchTouchEventTypeTouchStart, at)
	for _, by := range []r2.Vec{{X: 2, Y: 1}, {X: 5, Y: -3}, {X: 6, Y: -5}} {
		p.touch(input.DispatchTouchEventTypeTouchMove, r2.Add(at, by))
	}
	p.touch(input.DispatchTouchEventTypeTouchEnd)
}

// swipe moves the k-th finger from from[k] by by[k].
func (p *tab) swipe(by []r2.Vec, from ...r2.Vec) {
	p.t.Helper()
	p.touch(input.DispatchTouchEventTypeTouchStart, from...)
	const moves = 10
	for i := range moves {
		at := make([]r2.Vec, len(from))
		for k := range from {
			at[k] = r2.Add(from[k], r2.Scale(float64(i+1)/moves, by[k]))
		}
		p.touch(input.DispatchTouchEventTypeTouchMove, at...)
	}
	p.touch(input.DispatchTouchEventTypeTouchEnd)
	p.drawn() // the camera moves when the next frame is drawn
}

func TestTouch(t *testing.T) {
	t.Parallel()
	p := browse(t, serveText(t, `
name = "apart"
box = [[0, 0], [20, 20]]
[[groups]]
max-speed = 1
at = {points = [[4, 4], [16, 4], [10, 2]]}
`, nil), 390, 844)
	p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch, chromedp.EmulateMobile))
	p.wait("crowdView.ready && crowdView.frame.n === 3 && innerWidth === 390")
	selected := func(id string) { p.t.Helper(); p.wait(`(crowdView.agent?.id ?? "") === %q`, id) }
	screen := func(x, y float64) r2.Vec { return p.screen(r2.Vec{X: x, Y: y}) }

	t.Run("tap", func(t *testing.T) {
		p.t = t
		p.tap(r2.Add(screen(4, 4), r2.Vec{X: 13, Y: 16}))
		selected("1")
		p.wait(`document.getElementById("tab-button-agent").textContent === "Agent 1" && document.getElementById("tab-agent").hidden`)
		p.tap(r2.Add(screen(16, 4), r2.Vec{X: -13, Y: -16}))
		selected("2")
		p.tap(r2.Add(screen(16, 4), r2.Vec{X: 0, Y: -40}))
		selected("")
		p.wait(`document.getElementById("tab-button-agent").textContent === "Agent"`)
	})

	t.Run("drawer", func(t *testing.T) {
		p.t = t
		p.keys("]", "]", "]")
		x, y := value[float64](p, "crowdView.camera.x"), value[float64](p, "crowdView.camera.y")
		height := value[float64](p, "crowdView.camera.height")
		lowest := screen(10, 2)
		p.swipe([]r2.Vec{{Y: height - 90 - lowest.Y + 60}}, r2.Vec{X: 190, Y: 300}) // to the lower edge of the stage
		p.wait("crowdView.camera.x !== %v || crowdView.camera.y !== %v", x, y)
		p.tap(screen(10, 2))
		selected("3")
		p.wait("Math.abs(crowdView.frame.agentX - 10) < 1")
		p.tap(p.middle("#tab-button-agent"))
		p.wait(`!document.getElementById("tab-agent").hidden && crowdView.camera.height < %v - 100`, height)
		p.wait(`(({ width, height }, [x, y]) => x >= 20 && x <= width - 20 && y >= 20 && y <= height - 20)(
			document.getElementById("stage").getBoundingClientRect(), crowdView.toScreen(10, 2))`) // on the stage
		p.tap(p.middle("#tab-button-agent"))
		p.wait(`document.getElementById("tab-agent").hidden && crowdView.camera.height === %v`, height)
	})

	t.Run("look around", func(t *testing.T) {
		p.t = t
		id := value[string](p, "crowdView.agent.id")
		before := screen(10, 10)
		p.swipe([]r2.Vec{{X: 60, Y: 40}}, r2.Vec{X: 150, Y: 300})
		if by := r2.Sub(screen(10, 10), before); r2.Norm(r2.Sub(by, r2.Vec{X: 60, Y: 40})) > 1 {
			t.Errorf("a drag moves the view by %v, want 60, 40", by)
		}
		scale := value[float64](p, "crowdView.camera.scale")
		p.swipe([]r2.Vec{{X: -50}, {X: 50}}, r2.Vec{X: 150, Y: 400}, r2.Vec{X: 250, Y: 400})
		if got := value[float64](p, "crowdView.camera.scale") / scale; math.Abs(got-2) > 0.02 {
			t.Errorf("fingers twice as far apart zoom by %v, want 2", got)
		}
		selected(id) // neither gesture was a tap
	})

	t.Run("no obstacle", func(t *testing.T) {
		p.t = t
		p.run(`window.added = 0; { const { prototype } = WebSocket, { send } = prototype;
			prototype.send = function (m) { added += m.includes('"add"'); send.call(this, m); } }`)
		for _, tool := range []string{"o", "w"} {
			p.keys(tool)
			p.swipe([]r2.Vec{{X: -50}, {X: 50}}, r2.Vec{X: 150, Y: 400}, r2.Vec{X: 250, Y: 400})
			p.touch(input.DispatchTouchEventTypeTouchStart, r2.Vec{X: 150, Y: 400})
			p.touch(input.DispatchTouchEventTypeTouchMove, r2.Vec{X: 250, Y: 400})
			p.touch(input.DispatchTouchEventTypeTouchCancel)
			p.equal(0, "added")
		}
		p.swipe([]r2.Vec{{X: 100}}, r2.Vec{X: 150, Y: 400})
		p.wait("added === 1")
	})

	t.Run("demo", func(t *testing.T) {
		p.t = t
		p.choose("seek")
		p.wait("crowdView.scene.pointer")
		p.swipe([]r2.Vec{{X: 60, Y: 0}}, screen(300, 300))
		p.wait(`document.getElementById("release").hidden === false`)
		p.keys(" ") // soon after a swipe, a browser may take a tap for a part of it
		p.wait("crowdView.stats.paused && crowdView.frame.step === crowdView.stats.step")
		pos, _ := p.agents()
		p.tap(screen(pos[0].X, pos[0].Y))
		p.wait("crowdView.agent?.alive")
	})
	p.t = t
}

// wantAxe returns the script of axe-core, or skips the test without CROWD_AXE.
func wantAxe(t *testing.T) string {
	t.Helper()
	wantBrowser(t)
	file := os.Getenv("CROWD_AXE")
	if file == "" {
		t.Skip("skipped: CROWD_AXE does not name a file axe.min.js, see .ci/run")
	}
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("CROWD_AXE: %v", err)
	}
	return string(script)
}

func (p *tab) axe(rules ...string) {
	p.t.Helper()
	p.drawn()
	only := ""
	if len(rules) > 0 {
		only = fmt.Sprintf(`runOnly: ["%s"], `, strings.Join(rules, `", "`))
	}
	found, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]string](`axe.run(document, {`+only+`resultTypes: ["violations"]}).then(({ violations }) =>
		violations.flatMap((v) => v.nodes.map((n) => v.id + " (" + v.impact + ") at " + n.target.join(" ") + ": " + n.failureSummary.replace(/\s+/g, " "))))`, chromedp.EvalAwaitPromise))
	testkit.Must(p.t, err)
	for _, one := range found {
		p.t.Errorf("axe-core: got=%s, want no problem", one)
	}
}

// inThemes runs axe-core once shown is true, in the dark theme only with the color rules: only the colors
// differ.
func (p *tab) inThemes(t *testing.T, what, shown string) {
	for _, theme := range []struct {
		name  string
		rules []string
	}{{"light", nil}, {"dark", []string{"color-contrast", "link-in-text-block"}}} {
		t.Run(what+" "+theme.name, func(t *testing.T) {
			p := p.in(t)
			p.run(`if (document.documentElement.dataset.theme !== %q) document.getElementById("theme").click()`, theme.name)
			p.wait(`document.documentElement.dataset.theme === %q && (%s)`, theme.name, shown)
			p.keep("shown")
			p.axe(theme.rules...)
		})
	}
}

func TestAxe(t *testing.T) {
	t.Parallel()
	script := wantAxe(t)
	open := func(t *testing.T, width, height int) *tab {
		p := browse(t, serve(t, "evacuation", 24, upTo(300)), width, height)
		p.run("%s;0", script)
		return p
	}
	for _, screen := range []struct {
		name          string
		width, height int
	}{{"desktop", 1200, 800}, {"phone", 390, 844}} {
		t.Run(screen.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, screen.width, screen.height)
			p.keys(" ")
			p.inThemes(t, "first screen", "crowdView.stats.paused")
			if screen.name == "phone" { // on other screens it is the first screen
				p.press("#tab-button-tune")
				p.inThemes(t, "tune", `!document.getElementById("tab-tune").hidden`)
			}
			p.press("#tab-button-curves")
			p.inThemes(t, "curves", `document.querySelectorAll("#charts canvas").length > 1`)
			p.press("#tab-button-agent")
			p.do(chromedp.SendKeys("#agent-id", "3\r"))
			p.wait("crowdView.agent?.alive")
			p.press("#components-box summary")
			p.inThemes(t, "agent", `document.getElementById("components-box").open && !document.getElementById("tab-agent").hidden`)
			p.press("#help")
			p.inThemes(t, "help", `document.getElementById("help-dialog").open`)
			p.press("#help-close")
			p.press("#scene")
			p.inThemes(t, "scenes", `document.getElementById("scenes-dialog").open`)
			p.press("#scenes-close")
			p.run("document.activeElement.blur()")
			p.keys(" ", "0")
			p.inThemes(t, "ended", `!document.getElementById("ended").hidden`)
			p.keys("0")
			p.press("#ended-restart")
			p.wait(`document.getElementById("ended").hidden`)
		})
	}
	t.Run("scenes", func(t *testing.T) { // these have legends, tools and messages that other scenes lack
		t.Parallel()
		p := open(t, 1200, 800)
		for _, as := range [][2]string{{"flee", "heading"}, {"flee", "behavior"}, {"boids", "density"}, {"boids", "threat"}} {
			if value[string](p, "crowdView.scene.name") != as[0] {
				p.choose(as[0])
			}
			p.set("color", as[1])
			p.inThemes(t, as[0]+" by "+as[1], `document.getElementById("color").value === "`+as[1]+`"`)
		}
		p.press("#tab-button-agent")
		p.do(chromedp.SendKeys("#agent-id", "x\r"))
		p.inThemes(t, "toast", `document.querySelector(".toast")`)
	})
}
