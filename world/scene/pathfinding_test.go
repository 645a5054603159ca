package scene

import (
	"fmt"
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestWayOfFields(t *testing.T) {
	const group = `
[[groups]]
count = 2
at = {rectangle = [[0, 0], [2, 2]]}
target = {points = [[9, 9], [9, 1]]}
radius = 0.25
max-speed = 1
max-force = 5
seek = {}
`
	text := "box = [[0, 0], [10, 10]]\n" + group + group + "way = \"field\"\n" + group + "way = \"quickest\"\n"
	s := mustRead(t, text)
	w := builtWith(t, s, Options{})
	testkit.Equal(t, s.FlowFields(), 2, "fields")
	var every []float64
	for _, f := range *ecs.GetResource[sense.FlowFields](w.ECS) {
		every = append(every, f.Every)
	}
	testkit.Equal(t, fmt.Sprint(every), fmt.Sprint([]float64{0, renewedEvery}), "every")
	if near, far := s.Groups[1], s.Groups[2]; !near.followsField() || !far.followsField() || s.Groups[0].followsField() {
		t.Errorf("groups 0 to 2 follow a field: got=%v, %v, %v, want=false, true, true", s.Groups[0].followsField(), near.followsField(), far.followsField())
	}
}

// edged is a hall of 16 m × 8 m that is enclosed only by bounds. A wall crosses it, with a gap of 1 m
// and a corridor of 1 m along the upper edge. For most agents, a path outside, around the lower end of
// the wall, would be shorter.
const edged = `
box = [[0, 0], [16, 8]]
bounds = %q
duration = 60
obstacles.walls = [{from = [8, 0], to = [8, 3.5]}, {from = [8, 4.5], to = [8, 7]}]
[[groups]]
count = 12
at = {rectangle = [[1, 0.3], [6, 7.7]]}
target = {rectangle = [[14, 0], [16, 2]]}
way = %q
goal = {radius = 0.5, then = "leave"}
radius = 0.2
max-speed = 1.4
max-force = 6
arrival = {gain = 2, slowing-radius = 3}
separation = {gain = 1, neighbor-dist = 0.6, max-neighbors = 8}
solid = {push = 0.5}
`

func TestWaysWithinBounds(t *testing.T) {
	for _, bounds := range []string{"clamp", "bounce"} {
		for _, way := range []string{"route", "field", "quickest"} {
			s := mustRead(t, fmt.Sprintf(edged, bounds, way))
			w := built(t, s)
			routed := ecs.All(ecs.ComponentID[c.Route](w.ECS))
			for range 25 * 60 {
				noError(t, w.Step())
				for q := w.ECS.Query(&routed); q.Next(); {
					for _, p := range w.Inspect().Path(q.Entity()) {
						if vec.Clamp(p, s.Box) != p {
							t.Fatalf("%s, %s: got=a path through %v, want=within %v", bounds, way, p, s.Box)
						}
					}
				}
			}
			testkit.Equal(t, w.Stats().ArrivedOnce, 12, "%s, %s: arrived", bounds, way)
		}
	}
}

func TestSend(t *testing.T) {
	w, err := world.New(world.Default())
	noError(t, err)
	defer w.Close()
	noError(t, failure(w.AddFlowField(sense.FlowField{Goals: []r2.Box{{}}, Radius: 0.25})))
	for _, with := range [][]any{{c.Target{}}, {c.Target{}, c.Destination{}}, {c.Target{}, c.FlowField{}}, {c.Velocity{}}} {
		noError(t, w.Spawn(1, with, nil))
	}
	send := func(agent uint64, to r2.Vec) error {
		return (&Input{Do: InputGoal, Agent: agent, At: &to}).Apply(w)
	}
	holds := func(what string, want [4]r2.Vec) {
		t.Helper()
		field := (*frame.Resource[sense.FlowFields](w.ECS))[0]
		got := [4]r2.Vec{part[c.Target](w, 1).Vec, part[c.Target](w, 2).Vec, part[c.Destination](w, 2).Vec, field.Goals[0].Min}
		testkit.Equal(t, got, want, "%s", what)
	}
	for i, to := range []r2.Vec{{X: 1}, {X: 2}, {X: 3}} {
		noError(t, send(uint64(i+1), to))
	}
	holds("one by one", [4]r2.Vec{{X: 1}, {X: 2}, {X: 2}, {X: 3}})
	noError(t, send(0, r2.Vec{Y: 9}))
	holds("all", [4]r2.Vec{{Y: 9}, {Y: 9}, {Y: 9}, {Y: 9}})
	nowhere := r2.Vec{X: math.NaN()}
	for what, err := range map[string]error{"it has no target": send(4, r2.Vec{}), "(NaN, 0) is out of range": send(1, nowhere), "want coordinates from": send(0, nowhere), "gone": send(9, r2.Vec{})} {
		refused(t, err, what, "send")
	}
}
