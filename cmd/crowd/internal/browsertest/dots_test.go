//go:build e2e

package browsertest

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// TestDots verifies that the page says where a dot is several agents, and that clicks on it
// choose them in turn.
func TestDots(t *testing.T) {
	t.Parallel()
	p := browse(t, serveText(t, `
name = "merged"
box = [[0, 0], [20, 20]]
[[groups]]
max-speed = 1
count = 16
at = {points = [[5, 5], [5, 5], [15, 5], [10, 15]]}
`, nil), 1400, 800)
	p.wait(`document.getElementById("hud").textContent.includes("16 of 16 agents on 3 dots")`)
	p.keep("light")
	at := r2.Vec{X: 15, Y: 5} // agents 3, 7, 11, …
	p.wait(`(() => { // the number above and to the right
		const canvas = document.getElementById("overlay"), [x, y] = crowdView.toScreen(%v, %v);
		return canvas.getContext("2d").getImageData(x + 8, y - 14, 14, 10).data.some((v, i) => i %% 4 === 3 && v > 200);
	})()`, at.X, at.Y)
	for _, want := range []string{"3", "7", "11", "15", "3"} {
		p.click(at, leftButton)
		p.wait(`crowdView.agent && crowdView.agent.id === %q && crowdView.agent.alive`, want)
	}
	p.wait(`document.getElementById("shared-dot").textContent === "One of 4 agents on this dot. Click or tap it again for the next." && !document.getElementById("shared-dot").hidden`)
	p.keys("d")
	p.keep("dark")
	p.choose("arrival") // where everyone is apart
	p.wait(`/ of \d+ agents · /.test(document.getElementById("hud").textContent)`)
}
