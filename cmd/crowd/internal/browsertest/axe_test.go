//go:build e2e

package browsertest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/chromedp/chromedp"
)

// wantAxe returns the script of axe-core, which finds accessibility problems. It skips the test without CROWD_AXE.
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

// axe reports the problems that axe-core finds in the current page with the given rules, or with all rules.
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

// inThemes runs axe-core in both themes, once the expression shown is true: with all rules in the light theme, and
// with only the color rules in the dark theme, which differs only in its colors.
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

// TestAxe verifies that axe-core finds no problems in the main states of the page.
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
			p.keys(" ", "0") // at maximum speed
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
