//go:build e2e

package browsertest

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// stop is what has the focus.
type stop struct {
	Name    string // of the element
	Seen    bool   // it is on the screen
	Outline bool   // and it shows that it has the focus
}

// nameOf names an element in the page.
const nameOf = `window.nameOf = (e) => e === document.body ? "" : e.id || [e.closest("[data-parameter]")?.dataset.parameter, e.dataset.layer, e.className, e.tagName, e.textContent.slice(0, 20).trim()].filter(Boolean).join(" ")`

// focus returns what has the focus.
func (p *tab) focus() stop {
	p.t.Helper()
	return value[stop](p, `(() => {
		const e = document.activeElement, s = getComputedStyle(e), r = e.getBoundingClientRect();
		const x = r.left + r.width / 2, y = r.top + r.height / 2, top = document.elementFromPoint(x, y);
		return { Name: nameOf(e), Seen: !!top && (e.contains(top) || top.contains(e) || getComputedStyle(top).pointerEvents === "none"), Outline: s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1 || s.boxShadow.includes("inset") };
	})()`)
}

// walk presses Tab until the focus is back where it began, and returns where it was.
func (p *tab) walk() (names []string) {
	p.t.Helper()
	p.run("%s; 0", nameOf)
	for range 200 {
		p.keys("\t")
		at := p.focus()
		if len(names) > 0 && at.Name == names[0] {
			return names
		}
		if at.Name == "" { // between the last and the first
			continue
		}
		if !at.Seen {
			p.t.Errorf("%s has the focus, and is out of sight", at.Name)
		}
		if !at.Outline {
			p.t.Errorf("%s does not show that it has the focus", at.Name)
		}
		names = append(names, at.Name)
	}
	p.t.Fatal("Tab never comes back")
	return nil
}

// reaches fails for what can be clicked or typed into and is not among some names.
func (p *tab) reaches(names []string) {
	p.t.Helper()
	all := value[[]string](p, `[...document.querySelectorAll("button, select, input, summary, a[href], canvas[tabindex]")]
		.filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.disabled && !(e.getAttribute("role") === "tab" && e.tabIndex < 0)).map(nameOf)`)
	for _, name := range all {
		if !slices.Contains(names, name) {
			p.t.Errorf("Tab does not reach %s", name)
		}
	}
}

// TestKeyboard goes through the page with the keyboard alone.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	address := serve(t, "arrival", 20, nil)
	for _, size := range [][2]int{{1200, 800}, {390, 844}} {
		p := browse(t, address, size[0], size[1])
		p.run("%s; 0", nameOf)
		p.keys("j", "p") // not to lead, so that nothing lies on the stage
		p.wait("crowdView.agent?.alive")
		p.pause() // a page that draws nothing new is quicker
		for _, name := range []string{"tune", "curves", "agent"} {
			p.run(`document.querySelector("[role=tab][data-tab=%s]").focus()`, name)
			p.keys("\r")
			p.wait(`!document.getElementById("tab-%s").hidden`, name)
			names := p.walk()
			p.reaches(names)
			p.keep(name)
		}
	}
}

// TestKeysWhereTheyMean verifies that keys do what they mean for what has the focus.
func TestKeysWhereTheyMean(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "arrival", 20, nil), 1200, 800)
	focus := func(selector string) {
		p.t.Helper()
		p.run(`document.querySelector('%s').focus()`, selector)
	}
	p.keys("p", "j")
	p.wait("crowdView.agent?.alive")

	p.keys("l")
	focus("[data-layer=targets]") // space checks a box, and does not pause
	p.keys(" ")
	p.wait(`document.querySelector("[data-layer=targets]").checked && crowdView.frame.layers[0].offset > 0`)
	focus("#components-box summary")
	p.keys(" ")
	p.wait(`document.getElementById("components-box").open`)
	if value[bool](p, `document.getElementById("pause").classList.contains("paused")`) {
		t.Error("space on a box or a summary pauses")
	}

	focus("#tab-button-agent") // arrows go through the tabs
	p.keys(kb.ArrowRight)
	p.wait(`document.activeElement.id === "tab-button-tune" && !document.getElementById("tab-tune").hidden`)
	p.keys(kb.ArrowLeft)
	p.wait(`document.activeElement.id === "tab-button-agent"`)

	focus("#stage") // and pan
	x := value[float64](p, "crowdView.camera.x")
	p.keys(kb.ArrowRight)
	p.wait("crowdView.camera.x > %v", x)

	p.keys("?")
	p.wait(`document.getElementById("help-dialog").open && document.getElementById("help-dialog").contains(document.activeElement)`)
	p.keys(kb.Escape) // closes the dialog, and no more
	p.wait(`!document.getElementById("help-dialog").open && document.activeElement.id === "stage" && !!crowdView.agent.id`)
	focus("#agent-id")
	p.keys(kb.Escape) // leaves the field, and no more
	p.wait(`document.activeElement === document.body && !!crowdView.agent.id`)
	p.keys(kb.Escape)
	p.wait("!crowdView.agent.id")
}
