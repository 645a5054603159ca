package view

import (
	"strings"
	"testing"

	"github.com/8f878440/crowd/world/scene"
	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/spatial/r2"
)

// serveText serves a scene that is given as text.
func serveText(t *testing.T, text string) *server {
	t.Helper()
	sc, err := scene.Read(strings.NewReader(text), "test.toml")
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, "seek", 0, func(o *setup) {
		withAll(o)
		o.name, o.scene = sc.Name, sc
	})
}

// TestDots holds that the page says where a dot is several agents, and that clicks on it
// choose them in turn.
func TestDots(t *testing.T) {
	s := serveText(t, `
name = "merged"
box = [[0, 0], [20, 20]]
[[groups]]
max-speed = 1
count = 40
at = {points = [[5, 5], [5, 5], [15, 5], [10, 15]]}
`)
	p := browse(t, s, 1400, 800)
	p.wait(`document.getElementById("hud").textContent.includes("40 of 40 agents on 3 dots")`)
	p.shot("light")
	at := r2.Vec{X: 15, Y: 5} // agents 3, 7, 11, …
	p.wait(`(() => { // the number above and to the right
		const canvas = document.getElementById("overlay"), [x, y] = crowdView.toScreen(%v, %v);
		return canvas.getContext("2d").getImageData(x + 8, y - 14, 14, 10).data.some((v, i) => i %% 4 === 3 && v > 200);
	})()`, at.X, at.Y)
	click := func() {
		p.mouse(mousePressed, at, leftButton...)
		p.mouse(mouseReleased, at, leftButton...)
	}
	for _, want := range []string{"3", "7", "11", "15", "19", "23", "27", "31", "35", "39", "3"} {
		click()
		p.wait(`crowdView.agent && crowdView.agent.id === %q && crowdView.agent.alive`, want)
	}
	p.wait(`document.getElementById("shared-dot").textContent === "One of 10 agents on this dot. Click or tap it again for the next." && !document.getElementById("shared-dot").hidden`)
	p.do(chromedp.KeyEvent("d"))
	p.shot("dark")
	p.choose("arrival") // where everyone is apart
	p.wait(`/ of \d+ agents · /.test(document.getElementById("hud").textContent)`)
	p.noErrors()
}
