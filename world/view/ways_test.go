package view

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/spatial/r2"
)

// roomsText is a scene with doors, in which most follow a field and some routes.
const roomsText = `name = "rooms"
text = "People of six rooms leave by the exit on the right; one door is shut"
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
radius = 0.23
max-speed = 1.4
max-force = 5
target = {rectangle = [[33, 10], [34, 12]]}
goal = {radius = 0.5, then = "leave"}
way = "field"
seek = {gain = 2}
orca = {gain = 2, time-horizon = 3, time-horizon-obst = 1, neighbor-dist = 8}
solid = {push = 0.8}

[[groups]]
name = "visitors"
count = 12
at = {rectangle = [[11, 14], [29, 21]], clear = 0.3}
radius = 0.23
max-speed = 1.4
max-force = 5
target = {points = [[2, 2]]}
way = "route"
seek = {gain = 2}
orca = {gain = 2, time-horizon = 3, time-horizon-obst = 1, neighbor-dist = 8}
solid = {push = 0.8}

[[groups]]
name = "home"
count = 4
at = {rectangle = [[11, 14], [29, 21]], clear = 0.3}
radius = 0.23
max-speed = 1.4
max-force = 5
target = {points = [[2, 2]]}
way = "field"
seek = {gain = 2}
orca = {gain = 2, time-horizon = 3, time-horizon-obst = 1, neighbor-dist = 8}
solid = {push = 0.8}
`

// serveRooms serves that scene.
func serveRooms(t *testing.T) *server {
	t.Helper()
	sc, err := scene.Read(strings.NewReader(roomsText), "rooms.toml")
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, "arrival", 0, func(o *setup) {
		o.name, o.scene, o.List = "rooms", sc, []Named{{"rooms", sc.Text}}
	})
}

var rightButton = []chromedp.MouseOption{chromedp.ButtonType(input.MouseButtonRight), chromedp.ClickCount(1)}

// click clicks on a place.
func (p *tab) click(at r2.Vec, button []chromedp.MouseOption) {
	p.t.Helper()
	p.mouse(mouseMoved, at)
	p.mouse(mousePressed, at, button...)
	p.mouse(mouseReleased, at, button...)
}

// drag drags from one place to another.
func (p *tab) drag(from, to r2.Vec) {
	p.t.Helper()
	p.mouse(mouseMoved, from)
	p.mouse(mousePressed, from, leftButton...)
	for i := range 5 {
		p.mouse(mouseMoved, r2.Add(from, r2.Scale(float64(i+1)/5, r2.Sub(to, from))), leftButton[0])
	}
	p.mouse(mouseReleased, to, leftButton...)
}

// wayAt is the walking distance from a place in the page, in meters; Infinity for none.
const wayAt = `((x, y) => { const f = crowdView.field, w = f.ways[Math.floor((y - f.y) / f.cell) * f.columns + Math.floor((x - f.x) / f.cell)]; return w === 65535 ? Infinity : w / 65534 * f.top; })(%v, %v)`

// TestWalkingDistance shows the field, its contours, and routes. It takes the picture of
// docs/view.md.
func TestWalkingDistance(t *testing.T) {
	s := serveRooms(t)
	p := browse(t, s, 1200, 750)
	stepTo(t, s, p, 200)
	plain := p.shot("without")
	p.do(chromedp.KeyEvent("9"))
	p.wait("crowdView.field?.columns > 100")
	with := p.shot("field")
	if differ, _ := p.count(plain, with); differ < 100_000 {
		t.Errorf("field: %d pixels, want 100,000 or more", differ)
	}
	p.do(chromedp.KeyEvent("i"))
	if differ, _ := p.count(with, p.shot("contours")); differ < 2000 || differ > 60_000 {
		t.Errorf("contours: %d pixels, want 2000 to 60,000", differ)
	}
	if got := value[float64](p, wayAt, 25, 11); math.Abs(got-8) > 0.5 {
		t.Errorf("way from the corridor: got=%v m, want 8", got)
	}
	if text := value[string](p, `document.getElementById("legend-walk").innerText`); !strings.Contains(text, "m, contours every 2 m") {
		t.Errorf("legend says %q", text)
	}
	p.do(chromedp.KeyEvent("y"))
	p.wait("crowdView.frame.layers[5].count > 20 && crowdView.frame.layers[5].own === 0")
	p.shot("routes")
	for _, id := range []int{155, 1} { // on a route, and in a field
		p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.getElementById("agent-id").value = "%d"; document.getElementById("choose").requestSubmit()`, id)))
		p.wait(`crowdView.agent?.id === "%d" && crowdView.frame.layers[5].own > 0`, id)
		p.shot(fmt.Sprintf("agent-%d", id))
	}
	p.do(chromedp.KeyEvent("d"))
	p.shot("dark")
	p.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("agent-id").value = "163"; document.getElementById("choose").requestSubmit()`)) // in the other field
	p.wait(`crowdView.field.index === 1 && document.getElementById("legend-walk").innerText.includes("field 1 of 0 to 1")`)
	p.wait(wayAt+" < 1", 2, 2)
	p.shot("other")
}

// TestDrawWallsAndDoors draws walls and doors, opens and closes and removes them, and sends agents
// elsewhere, all with the mouse.
func TestDrawWallsAndDoors(t *testing.T) {
	s := serveRooms(t)
	p := browse(t, s, 1200, 750)
	p.do(chromedp.KeyEvent("9"), chromedp.KeyEvent("i"))
	p.wait("crowdView.field?.columns > 100 && crowdView.obstacles?.doors.size === 1")
	rounds := value[int](p, "crowdView.obstacles.rounds")

	p.press("#tool-wall")                     // across the corridor, and all must go round through the lower rooms
	p.click(r2.Vec{X: 12, Y: 11}, leftButton) // draws nothing
	p.drag(r2.Vec{X: 12, Y: 9}, r2.Vec{X: 12, Y: 13})
	p.wait("crowdView.obstacles.rounds === %d", rounds+1)
	p.wait(wayAt+" > 30", 5, 11)
	p.shot("wall")

	p.press("#tool-door") // the door of the lower left room opens
	p.click(r2.Vec{X: 4.6, Y: 9}, leftButton)
	p.wait("[...crowdView.obstacles.doors.values()].includes(true) && crowdView.obstacles.closed === %d", rounds)
	p.wait(wayAt+" < 50", 5, 11)
	p.drag(r2.Vec{X: 18, Y: 9}, r2.Vec{X: 18, Y: 13}) // a door across the corridor
	p.wait("crowdView.obstacles.doors.size === 2 && crowdView.obstacles.rounds === %d", rounds+2)
	p.wait(wayAt+" === Infinity", 16, 11)
	p.shot("doors")
	p.click(r2.Vec{X: 18, Y: 11}, rightButton) // removes it
	p.wait("crowdView.obstacles.doors.size === 1 && crowdView.obstacles.rounds === %d", rounds+1)
	p.wait(wayAt+" < 25", 16, 11)

	p.press("#tool-goal")
	p.click(r2.Vec{X: 15, Y: 22}, leftButton) // on a wall
	p.wait(`document.getElementById("toasts").innerText.includes("An obstacle stands there")`)
	p.click(r2.Vec{X: 25, Y: 18}, leftButton)
	p.wait("crowdView.field.goals.length === 4 && "+wayAt+" < 1", 25, 18)
	p.shot("goal")
}

// TestWaysProtocol holds what viewers get who ask for fields and routes, and what is said of asks
// that are wrong.
func TestWaysProtocol(t *testing.T) {
	s := serveRooms(t)
	v := connect(t, s)
	v.look()
	if got := v.text["scene"]["fields"]; got != 2. {
		t.Errorf("fields: got=%v, want=2", got)
	}
	for ask, want := range map[string]string{
		`{"do":"add","at":[1,1],"radius":0.1,"door":true}`: "add: to is missing, want the other end of the door",
		`{"do":"add","at":[1,1],"to":[1],"radius":0.1}`:    "add: to has 1 numbers, want 2",
		`{"do":"goal"}`:                         "goal: at has 0 numbers, want 2",
		`{"do":"goal","at":[1,2],"id":"x"}`:     `goal: id is "x", want the number of an agent`,
		`{"do":"goal","at":[1,2],"id":"99999"}`: "agent 99999 is gone",
		`{"do":"door","on":true}`:               "door: id is missing, want the number of an obstacle",
		`{"do":"door","id":1,"on":true}`:        "obstacle 1 is no door",
		`{"do":"next","view":[0,0,9,9],"pixels":[9,9],"color":"speed","field":-1}`: "next: field is -1, want 0 to 2.147483647e+09",
	} {
		v.say("%s", ask)
		v.until("error", func() bool { return v.text["error"]["text"] == want })
	}
}

// TestDoorMessage holds that open doors are the last of the walls, and how doors are written.
func TestDoorMessage(t *testing.T) {
	w, err := world.New(world.Default())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, open := range []bool{true, false} {
		if _, err := w.AddDoor(r2.Vec{X: 1}, r2.Vec{X: 2}, 0.1, c.Door{Open: open}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.AddObstacle(r2.Vec{X: 5}, c.Obstacle{Radius: 1}); err != nil {
		t.Fatal(err)
	}
	s, le := solidsOf(w, nil), binary.LittleEndian
	if s.doors != 2 || s.count != 3 || le.Uint32(s.message[24:]) != 3 || le.Uint32(s.message[36:]) != 2 {
		t.Fatalf("%d doors of %d obstacles, %v, want 2 of 3", s.doors, s.count, s.message[24:40])
	}
	var ids []uint32
	for i := range 3 {
		ids = append(ids, le.Uint32(s.message[40+24*i+20:]))
	}
	for at := 112; at < len(s.message); at += 4 {
		ids = append(ids, le.Uint32(s.message[at:]))
	}
	if want := []uint32{2, 3, 1, 1, 1, 2, 0}; !slices.Equal(ids, want) {
		t.Errorf("ids of walls, and of doors with whether they are open: got=%v, want=%v", ids, want)
	}
}

// TestFieldMessage holds how a field is written: every number at its place, and a large one with
// wider cells.
func TestFieldMessage(t *testing.T) {
	inf := float32(math.Inf(1))
	g := sense.FieldGrid{Min: r2.Vec{X: -1, Y: 2}, Cell: 0.5, Columns: 2, Rows: 2, Ways: []float32{0, 5, 10, inf},
		Goals: []r2.Box{{Min: r2.Vec{X: 0, Y: 2}, Max: r2.Vec{X: 1, Y: 4}}}}
	b := fieldMessage(7, 3, &g)
	le := binary.LittleEndian
	f64 := func(at int) float64 { return math.Float64frombits(le.Uint64(b[at:])) }
	f32 := func(at int) float32 { return math.Float32frombits(le.Uint32(b[at:])) }
	if b[0] != kindField || le.Uint32(b[4:]) != 7 || f64(8) != -1 || f64(16) != 2 || f64(24) != 0.5 ||
		le.Uint32(b[32:]) != 3 || le.Uint32(b[36:]) != 2 || le.Uint32(b[40:]) != 2 || le.Uint32(b[44:]) != 1 || f32(48) != 10 {
		t.Errorf("head: got=%v", b[:52])
	}
	if f32(52) != 1 || f32(56) != 0 || f32(60) != 2 || f32(64) != 2 {
		t.Errorf("goal: got=%v", b[52:68])
	}
	for i, want := range []uint16{0, 32767, 65534, 65535} {
		if got := le.Uint16(b[68+2*i:]); got != want {
			t.Errorf("way %d: got=%d, want=%d", i, got, want)
		}
	}
	const n = 1200
	large := sense.FieldGrid{Cell: 1, Columns: n, Rows: n, Ways: make([]float32, n*n)}
	for i := range large.Ways {
		large.Ways[i] = float32(i % n)
	}
	b = fieldMessage(1, 0, &large)
	columns, first, cell := int(le.Uint32(b[36:])), f64(8), f64(24)
	for _, k := range []int{0, 100, columns - 1} { // a way is as long as the middle of its cell is far
		middle, way := first+cell*(float64(k)+0.5), float64(le.Uint16(b[52+2*k:]))/65534*(n-1)
		if math.Abs(middle-0.5-way) > 0.05 || cell != 3 {
			t.Errorf("cell %d of width %v at %v: way %v", k, cell, middle, way)
		}
	}
}

// TestPortalsAndCorridor shows the boxes of portals, and of an agent that goes down the stairs its way and
// its corridor: discs no larger than 3 m, first those and then the way.
func TestPortalsAndCorridor(t *testing.T) {
	s := serve(t, "floors", 0, withAll)
	p := browse(t, s, 1200, 800)
	stepTo(t, s, p, 150)
	if got := value[[][8]float64](p, "crowdView.scene.portals"); len(got) != 4 || got[0][1] <= 22 || got[0][5] >= 22 {
		t.Errorf("portals: got=%v, want=4 from the upper floor to the lower one", got)
	}
	with := p.shot("portals")
	p.do(chromedp.KeyEvent("5"))
	if differ, _ := p.count(with, p.shot("without")); differ < 2000 {
		t.Errorf("obstacles and portals: %d pixels, want 2000 or more", differ)
	}
	p.do(chromedp.KeyEvent("5"), chromedp.KeyEvent("y"))
	p.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("agent-id").value = "420"; document.getElementById("choose").requestSubmit()`))
	p.wait(`crowdView.agent?.id === "420" && crowdView.frame.layers[5].own > 10`)
	p.shot("corridor")
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
		t.Errorf("got=%d discs and %d lines, want=10 and 2 or more", discs, lines)
	}
}
