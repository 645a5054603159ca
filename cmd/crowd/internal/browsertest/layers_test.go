//go:build e2e

package browsertest

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// flockText is a scene in which four behaviors look at other agents.
const flockText = `
name = "flock"
text = "a flock crosses the path of walkers that avoid each other"
box = [[0, 0], [40, 30]]
bounds = "wrap"

[[groups]]
count = 90
radius = 0.15
start-speed = 2
max-speed = 3
max-force = 12
separation = {gain = 3, neighbor-dist = 1.5, field-of-view = 330, max-neighbors = 5}
alignment = {gain = 2, neighbor-dist = 4, field-of-view = 270, max-neighbors = 7}
cohesion = {gain = 2, neighbor-dist = 4, field-of-view = 270, max-neighbors = 7}
wander = {gain = 1, distance = 2, radius = 1, rate = 1}

[[groups]]
count = 60
radius = 0.25
start-speed = 1
max-speed = 1.4
wander = {gain = 2, distance = 2, radius = 1, rate = 1}
orca = {gain = 2, time-horizon = 3, time-horizon-obst = 1, neighbor-dist = 6}
`

// pickCrowded selects and follows, among the agents of a color, the agent with the most other agents within
// reach. It ignores agents near the edges of the scene.
func (p *tab) pickCrowded(color, reach float64) {
	p.t.Helper()
	pos, colors := p.agents()
	box := value[[4]float64](p, "crowdView.scene.box")
	best, most := 0, -1
	for i, q := range pos {
		if colors[i] != color || q.X < box[0]+reach || q.X > box[2]-reach || q.Y < box[1]+reach || q.Y > box[3]-reach {
			continue
		}
		n := 0
		for _, other := range pos {
			if r2.Norm(r2.Sub(other, q)) < reach {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	p.keys("f")
	p.click(pos[best], leftButton)
	p.wait("crowdView.agent && crowdView.agent.alive")
	p.keys("v")
	p.wait("Math.hypot(crowdView.camera.x - %v, crowdView.camera.y - %v) < 0.01", pos[best].X, pos[best].Y)
}

// TestNeighbors verifies that the page shows the agents seen by all agents and, by behavior, by the selected
// agent. It takes a picture for docs/view.md.
func TestNeighbors(t *testing.T) {
	t.Parallel()
	p := browse(t, serveText(t, flockText, nil), 1200, 750)
	p.stepTo(400)
	plain := p.shot("without")
	p.keys("n")
	p.wait("crowdView.frame.layers[4].count > 100 && crowdView.frame.layers[4].own === 0 && !crowdView.frame.cut")
	p.differ(plain, p.shot("all"), 2000, 1e9)

	p.pickCrowded(0, 4) // of the first group, whose color is 0
	for range 5 {
		p.keys("]")
	}
	seen := `new Set(crowdView.agent.explanation.looks.flatMap(l => l.seen)).size`
	p.wait("crowdView.frame.layers[4].own === %s && %s > 3", seen, seen)
	p.says("looks", "Separation", "within 1.5 m, in 330°", "Alignment", "Cohesion", "7 within 4 m, in 270°")
	with := p.shot("one")
	p.keys("n")
	p.wait("crowdView.frame.layers[4].offset === 0")
	p.differ(with, p.shot("one-without"), 5000, 1e9)
	p.keys("n", "d")
	p.wait("crowdView.frame.layers[4].own > 0")
	p.keep("dark")
}

// TestVelocities verifies that the page shows how an agent chooses its velocity. It takes a picture for
// docs/view.md.
func TestVelocities(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "antipodal", 0, nil), 1200, 750)
	p.stepTo(900)
	p.pickCrowded(0, 6)
	p.keys("f")
	far := p.shot("far-without")
	p.keys("m")
	p.differ(far, p.shot("far"), 3000, 30_000)
	p.keys("m", "v")
	p.says("rules", "change of velocity")
	for range 12 {
		p.keys("]")
	}
	p.wait("crowdView.frame.near && crowdView.agent.explanation.reciprocal.halfPlanes.length > 0")
	p.says("choice", "prefers", "chooses", "allowed", "avoids", "the 24 nearest within", "s ahead", "half-planes")
	without := p.shot("without")
	p.keys("m")
	p.differ(without, p.shot("light"), 5000, 1e9)
	p.keys("d", "n")
	p.wait("crowdView.frame.layers[4].own > 0")
	p.keep("dark")
}

// TestDots verifies that the page says when a dot stands for several agents, and that clicks on the dot select
// these agents in turn.
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
	at := r2.Vec{X: 15, Y: 5} // agents 3, 7, 11, …
	p.wait(`(() => { // the number is above and to the right
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
	p.choose("arrival") // a scene in which all agents are apart
	p.wait(`/ of \d+ agents · /.test(document.getElementById("hud").textContent)`)
}
