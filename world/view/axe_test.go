package view

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// wantAxe returns the script of axe-core, which finds what people with other senses and
// means than a mouse and good eyes cannot use. It is not part of the repository.
func wantAxe(t *testing.T) string {
	t.Helper()
	wantBrowser(t)
	file := os.Getenv("CROWD_AXE")
	if file == "" {
		t.Skip("skipped: CROWD_AXE names no axe.min.js, see .ci/run")
	}
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("CROWD_AXE: %v", err)
	}
	return string(script)
}

// axe reports what axe-core finds in what the page shows now.
func (p *tab) axe() {
	p.t.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](
		`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, chromedp.EvalAwaitPromise))
	found, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]string](`axe.run(document, {resultTypes: ["violations"]}).then(({ violations }) =>
		violations.flatMap((v) => v.nodes.map((n) => v.id + " (" + v.impact + ") at " + n.target.join(" ") + ": " + n.failureSummary.replace(/\s+/g, " "))))`, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, one := range found {
		p.t.Error(one)
	}
}

// TestAxe holds that axe-core finds nothing in the page, whatever it shows.
func TestAxe(t *testing.T) {
	script := wantAxe(t)
	s := serve(t, "evacuation", 24, func(o *setup) {
		o.List = []Named{{"evacuation", "people leave"}, {"flee", "agents flee"}, {"boids", "a flock"}}
	})
	open := func(t *testing.T, width, height int) (p *tab, look func(what, shown string)) {
		p = browse(t, s, width, height)
		p.do(chromedp.Evaluate[chromedp.Void](script + ";0"))
		return p, func(what, shown string) {
			for _, theme := range []string{"light", "dark"} {
				t.Run(what+" "+theme, func(t *testing.T) {
					p := &tab{t: t, ctx: p.ctx, console: p.console}
					p.do(inTheme(theme))
					p.wait(`document.documentElement.dataset.theme === %q && (%s)`, theme, shown)
					p.shot("shown")
					p.axe()
				})
			}
		}
	}
	for _, screen := range []struct {
		name          string
		width, height int
	}{{"desktop", 1200, 800}, {"phone", 390, 844}} {
		t.Run(screen.name, func(t *testing.T) {
			p, look := open(t, screen.width, screen.height)
			p.do(chromedp.KeyEvent(" "))
			look("first screen", "crowdView.stats.paused")
			if screen.name == "phone" {
				p.press("#tab-button-tune")
			}
			look("tune", `!document.getElementById("tab-tune").hidden`)
			p.press("#tab-button-curves")
			look("curves", `document.querySelectorAll("#charts canvas").length > 1`)
			p.press("#tab-button-agent")
			p.do(chromedp.SendKeys("#agent-id", "3\r"))
			p.wait("crowdView.agent?.alive")
			p.press("#components-box summary")
			look("agent", `document.getElementById("components-box").open && !document.getElementById("tab-agent").hidden`)
			p.press("#help")
			look("help", `document.getElementById("help-dialog").open`)
			p.press("#help-close")
			p.do(chromedp.Evaluate[chromedp.Void]("document.activeElement.blur()"), chromedp.KeyEvent(" "), chromedp.KeyEvent("0")) // as fast as possible
			look("ended", `!document.getElementById("ended").hidden`)
			p.do(chromedp.KeyEvent("0"))
			p.press("#ended-restart")
			p.wait(`document.getElementById("ended").hidden`)
		})
	}
	t.Run("scenes", func(t *testing.T) { // legends, tools and messages that the others lack
		p, look := open(t, 1200, 800)
		for _, as := range [][2]string{{"flee", "heading"}, {"flee", "behavior"}, {"boids", "density"}, {"boids", "threat"}} {
			if value[string](p, "crowdView.scene.name") != as[0] {
				p.choose(as[0])
			}
			p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{ const c = document.getElementById("color"); c.value = %q; c.onchange() }`, as[1])))
			look(as[0]+" by "+as[1], `document.getElementById("color").value === "`+as[1]+`"`)
		}
		p.press("#tab-button-agent")
		for _, theme := range []string{"light", "dark"} {
			p.do(inTheme(theme), chromedp.SendKeys("#agent-id", "x\r"))
			p.wait(`document.querySelector(".toast")`)
			p.axe()
		}
	})
}

// inTheme makes the page dark or light.
func inTheme(theme string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`if (document.documentElement.dataset.theme !== %q) document.getElementById("theme").click()`, theme))
}
