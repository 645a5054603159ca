//go:build e2e

package browsertest

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// flockText has four behaviors that look at other agents.
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

func (p *tab) follow(id string) {
	p.t.Helper()
	p.keys("f")
	p.look(id)
	p.wait("crowdView.agent?.alive && crowdView.frame.agentX === crowdView.frame.agentX")
	p.keys("v")
	p.wait("Math.hypot(crowdView.camera.x - crowdView.frame.agentX, crowdView.camera.y - crowdView.frame.agentY) < 0.01")
}

// TestNeighbors also takes a picture for docs/view.md.
func TestNeighbors(t *testing.T) {
	t.Parallel()
	p := browse(t, serveText(t, flockText, nil), 1200, 750)
	p.stepTo(400)
	plain := p.shot("without")
	p.keys("n")
	p.wait("crowdView.frame.layers[4].count > 100 && crowdView.frame.layers[4].own === 0 && !crowdView.frame.cut")
	p.differ(plain, p.shot("all"), 2000, 1e9)

	p.follow("90")
	p.keys("]", "]", "]", "]", "]")
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

// TestVelocities also takes a picture for docs/view.md.
func TestVelocities(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "antipodal", 0, nil), 1200, 750)
	p.stepTo(900)
	p.follow("964")
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
	p.choose("arrival")
	p.wait(`/ of \d+ agents · /.test(document.getElementById("hud").textContent)`)
}

// roomsText has a door. Most of its agents follow a field, and some follow routes.
var roomsText = `name = "rooms"
text = "People in six rooms leave by the exit on the right; one door is shut"
box = [[-2, -2], [36, 24]]

[obstacles]
walls = [
    {from = [0, 0], to = [30, 0]}, {from = [0, 0], to = [0, 22]}, {from = [0, 22], to = [30, 22]},
    {from = [30, 0], to = [30, 10]}, {from = [30, 12], to = [30, 22]},
    {from = [0, 9], to = [4, 9]}, {from = [5.2, 9], to = [14, 9]}, {from = [15.2, 9], to = [24, 9]}, {from = [25.2, 9], to = [30, 9]},
    {from = [0, 13], to = [4, 13]}, {from = [5.2, 13], to = [14, 13]}, {from = [15.2, 13], to = [24, 13]}, {from = [25.2, 13], to = [30, 13]},
    {from = [10, 0], to = [10, 3]}, {from = [10, 4.2], to = [10, 9]}, {from = [20, 0], to = [20, 9]},
    {from = [10, 13], to = [10, 22]}, {from = [20, 13], to = [20, 22]},
]
doors = [{from = [4, 9], to = [5.2, 9]}]

[[groups]]
count = 150
at = {rectangle = [[1, 1], [29, 21]], clear = 0.3}
target = {rectangle = [[33, 10], [34, 12]]}
goal = {radius = 0.5, then = "leave"}
way = "field"
` + walkers + `
[[groups]]
name = "visitors"
count = 12
at = {rectangle = [[11, 14], [29, 21]], clear = 0.3}
target = {points = [[2, 2]]}
way = "route"
` + walkers + `
[[groups]]
name = "home"
count = 4
at = {rectangle = [[11, 14], [29, 21]], clear = 0.3}
target = {points = [[2, 2]]}
way = "field"
` + walkers

const walkers = `radius = 0.23
max-speed = 1.4
max-force = 5
seek = {gain = 2}
orca = {gain = 2, time-horizon = 3, time-horizon-obst = 1, neighbor-dist = 8}
solid = {push = 0.8}
`

// wayAt is an expression for the walking distance from a place, in meters. It is Infinity if there is no path.
const wayAt = `((x, y) => { const f = crowdView.field, w = f.ways[Math.floor((y - f.y) / f.cell) * f.columns + Math.floor((x - f.x) / f.cell)]; return w === 65535 ? Infinity : w / 65534 * f.top; })(%v, %v)`

// TestWalkingDistance also takes a picture for docs/view.md.
func TestWalkingDistance(t *testing.T) {
	t.Parallel()
	p := browse(t, serveText(t, roomsText, nil), 1200, 750)
	p.stepTo(200)
	plain := p.shot("without")
	p.keys("9")
	p.wait("crowdView.field?.columns > 100")
	with := p.shot("field")
	p.differ(plain, with, 100_000, 1e9)
	p.keys("i")
	p.differ(with, p.shot("contours"), 2000, 60_000)
	if got := value[float64](p, wayAt, 25, 11); math.Abs(got-8) > 0.5 {
		t.Errorf("walking distance from the corridor: got=%v m, want 8", got)
	}
	p.says("legend-walk", "m, contours every 2 m")
	p.keys("y")
	p.wait("crowdView.frame.layers[5].count > 20 && crowdView.frame.layers[5].own === 0")
	p.keep("routes")
	for _, id := range []int{155, 1} { // on a route, and in a field
		p.look(fmt.Sprint(id))
		p.wait(`crowdView.agent?.id === "%d" && crowdView.frame.layers[5].own > 0`, id)
	}
	p.keys("d")
	p.keep("dark")
	p.look("163") // in the other field
	p.wait(`crowdView.field.index === 1 && document.getElementById("legend-walk").innerText.includes("field 2 of 2")`)
	p.wait(wayAt+" < 1", 2, 2)
}

func TestDrawWallsAndDoors(t *testing.T) {
	t.Parallel()
	p := browse(t, serveText(t, roomsText, nil), 1200, 750)
	p.keys("9", "i")
	p.wait("crowdView.field?.columns > 100 && crowdView.obstacles?.doors.size === 1")
	rounds := value[int](p, "crowdView.obstacles.rounds")

	p.press("#tool-wall")                     // across the corridor: all agents must go through the lower rooms
	p.click(r2.Vec{X: 12, Y: 11}, leftButton) // draws nothing
	p.drag(r2.Vec{X: 12, Y: 9}, r2.Vec{X: 12, Y: 13})
	p.wait("crowdView.obstacles.rounds === %d", rounds+1)
	p.wait(wayAt+" > 30", 5, 11)

	p.press("#tool-door")
	p.click(r2.Vec{X: 4.6, Y: 9}, leftButton)
	p.wait("[...crowdView.obstacles.doors.values()].includes(true) && crowdView.obstacles.closed === %d", rounds)
	p.wait(wayAt+" < 50", 5, 11)
	p.drag(r2.Vec{X: 18, Y: 9}, r2.Vec{X: 18, Y: 13})
	p.wait("crowdView.obstacles.doors.size === 2 && crowdView.obstacles.rounds === %d", rounds+2)
	p.wait(wayAt+" === Infinity", 16, 11)
	p.click(r2.Vec{X: 18, Y: 11}, rightButton)
	p.wait("crowdView.obstacles.doors.size === 1 && crowdView.obstacles.rounds === %d", rounds+1)
	p.wait(wayAt+" < 25", 16, 11)

	p.press("#tool-goal")
	p.click(r2.Vec{X: 12, Y: 11}, leftButton) // on the wall
	p.wait(`document.getElementById("toasts").innerText.includes("An obstacle is in the way")`)
	p.click(r2.Vec{X: 25, Y: 18}, leftButton)
	p.wait("crowdView.field.goals.length === 4 && "+wayAt+" < 1", 25, 18)
}

// TestPortalsAndCorridor selects an agent that takes the stairs: its corridor is discs of up to 3 m, followed
// by lines.
func TestPortalsAndCorridor(t *testing.T) {
	t.Parallel()
	p := browse(t, serve(t, "floors", 0, nil), 1200, 800)
	p.stepTo(150)
	if got := value[[][8]float64](p, "crowdView.scene.portals"); len(got) != 4 || got[0][1] <= 22 || got[0][5] >= 22 {
		t.Errorf("portals: got=%v, want=4 from the upper floor to the lower one", got)
	}
	with := p.shot("portals")
	p.keys("5")
	p.differ(with, p.shot("without"), 2000, 1e9)
	p.keys("5", "y")
	p.look("420")
	p.wait(`crowdView.agent?.id === "420" && crowdView.frame.layers[5].own > 10`)
	const routeOfChosen, roomOfChosen, corridorWidest = 1, 2, 3
	const records = `(({ buffer, layers }) => Array.from({ length: layers[5].own }, (_, i) => [...new Float32Array(buffer, layers[5].offset + 20 * i, 5)]))(crowdView.frame)`
	discs, lines := 0, 0
	for _, r := range value[[][5]float64](p, records) {
		switch {
		case r[4] == roomOfChosen && lines == 0 && r[2] >= 0.2 && r[2] <= corridorWidest:
			discs++
		case r[4] == routeOfChosen:
			lines++
		default:
			t.Errorf("record: got=%v, want=discs of up to %v m, and then lines", r, corridorWidest)
		}
	}
	if discs < 10 || lines < 2 {
		t.Errorf("got=%d discs and %d lines, want 10 or more, and 2 or more", discs, lines)
	}
}
