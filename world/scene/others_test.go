package scene

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestQuarries(t *testing.T) {
	for _, tc := range []struct {
		quarry string
		want   []uint64 // of agents 1 to 3; 0 means the pointer
	}{
		{"hares", []uint64{4, 5, 4}},
		{"foxes", []uint64{2, 3, 1}},
		{"pointer", []uint64{0, 0, 0}},
	} {
		s := mustRead(t, `
[pointer]
way = [[3, 4], [9, 9]]
speed = 1
[[groups]]
name = "foxes"
count = 3
at = {ring = {radius = 5}}
max-speed = 2
quarry = "`+tc.quarry+`"
pursuit = {horizon = 2}
[[groups]]
name = "hares"
count = 2
at = {ring = {radius = 9}}
max-speed = 1
pursuer = "foxes"
evasion = {horizon = 2}
`)
		w := built(t, s)
		for i, want := range tc.want {
			got := part[c.Quarry](w, uint64(i+1)).Entity
			if at, _ := PointerOf(w); want == 0 {
				if p := *(*c.Position)(w.ECS.Get(got, ecs.ComponentID[c.Position](w.ECS))); p.Vec != at {
					t.Errorf("quarry of agent %d: got=an entity at %v, want=the pointer, at %v", i+1, p.Vec, at)
				}
			} else if e, _ := w.Entity(want); got != e {
				t.Errorf("quarry %s of agent %d: got=%v, want=%v", tc.quarry, i+1, got, e)
			}
		}
	}
}

func TestRepeat(t *testing.T) {
	s := mustRead(t, `
dt = 0.1
[[groups]]
at = [5, 0]
max-speed = 1
goal = {radius = 0.5, then = "repeat"}
itineraries = [[{at = [0, 0]}, {kind = "box", box = [[10, -1], [12, 1]]}]]
kinematic-seek = {}
`)
	w := built(t, s)
	const turn = 0.2 // s, about two steps, lost at each reversal
	const first, round = 4.5 + 9.5 + 2*turn, 2*9.5 + 2*turn
	var ends []float64
	least, most := 5., 5.
	for range 600 {
		noError(t, w.Step())
		if len(ends) < w.Stats().Arrived {
			ends = append(ends, w.Clock.Time)
		}
		agents(w, func(_ uint64, p, _, _ r2.Vec) { least, most = min(least, p.X), max(most, p.X) })
	}
	if len(ends) != 3 {
		t.Fatalf("ends of rounds: got=%v s, want=3 of them", ends)
	}
	for i, got := range ends {
		testkit.Near(t, got, first+float64(i)*round, turn, "end of round %d", i)
	}
	if least < 0.3 || least > 0.5 || most < 9.9 || most > 10.2 {
		t.Errorf("minimum and maximum x: got=%v, %v, want=0.3 to 0.5, 9.9 to 10.2", least, most)
	}
}

func TestAgain(t *testing.T) {
	const group = `
[[groups]]
at = [0, 0]
max-speed = 2
goal = {radius = 0.2, then = "again"}
kinematic-seek = {}
`
	const stops = "itineraries = [[{at = [1, 0]}, {at = [2, 0], speed = 1}]]\n"
	w := built(t, mustRead(t, "paths = [[[9, 9], [1, 0], [2, 0]]]\n"+group+"path = {next = 1, reached = 0.3}\n"+group+stops+group+stops+"delay = 1\n"))
	var visits [4]uint32
	run(t, w, 600, func(step int) {
		for id := uint64(1); id <= 3; id++ {
			if part[c.Goal](w, id).Visits == visits[id] {
				continue
			}
			visits[id]++
			speed, path := part[c.Limits](w, id).MaxSpeed, part[c.Path](w, id)
			if free := part[c.FreeSpeed](w, id); free != nil {
				speed = free.Speed
			}
			if speed != 2 || path != nil && path.Next != 1 {
				t.Fatalf("step %d, agent %d: got=%v m/s, path %+v, want=2 m/s, waypoint 1", step, id, speed, path)
			}
		}
	})
	if slices.Min(visits[1:]) < 2 {
		t.Errorf("arrivals of agents 1 to 3: got=%v, want=2 or more", visits[1:])
	}
}

// between refers to two entities, and has a point that may follow a third.
type between struct {
	First, Second ecs.Entity
	Point         r2.Vec
}

type idle struct{}

func (*idle) Sense(*ecs.World) {}

var betweenEntry = catalog.Of(catalog.Entry{
	Name: "between", Text: "be between two other agents", System: func(catalog.Options) any { return new(idle) }, Phase: catalog.Steer,
}, func(b *between) []catalog.Param {
	return []catalog.Param{
		catalog.Entity("first", &b.First, "one of them"),
		catalog.Entity("second", &b.Second, "the other one"),
		catalog.Point("point", &b.Point, "where else"),
	}
})

const betweenText = `
box = [[0, 0], [40, 30]]

[pointer]
way = [[1, 1], [2, 2]]
speed = 1

[[groups]]
name = "wolves"
count = 2
max-speed = 1
start-speed = 1

[[groups]]
count = 3
max-speed = 1
start-speed = 1
between = {first = "wolves", second = "pointer", point = [3, 4]}
`

func TestReferences(t *testing.T) {
	options := OpenOptions{Catalog: []catalog.Entry{betweenEntry}}
	s, err := Read(strings.NewReader(betweenText), "f.toml", options)
	noError(t, err)
	if got, want := s.Groups[1].References, (map[string]string{"between.first": "wolves", "between.second": pointerName}); !reflect.DeepEqual(got, want) {
		t.Errorf("references: got=%v, want=%v", got, want)
	}
	again, err := Read(strings.NewReader(asFile(s)), "f.toml", options)
	noError(t, err)
	for _, s := range []*Scene{s, s.Clone(), again} {
		w := built(t, s)
		build, _ := crowdOf(w)
		for id := uint64(3); id <= 5; id++ {
			wolf, _ := w.Entity(1 + (id-3)%2)
			testkit.Equal(t, *part[between](w, id), between{wolf, build.point, r2.Vec{X: 3, Y: 4}}, "agent %d", id)
		}
	}
}

func TestCatalogIsChecked(t *testing.T) {
	twice, again := betweenEntry, betweenEntry
	twice.Name, again.Name = "radius", "amid"
	for _, tc := range []struct {
		own  []catalog.Entry
		want string
	}{
		{[]catalog.Entry{{}}, "behavior has no name"},
		{[]catalog.Entry{twice}, "behavior radius has the name of another key of groups"},
		{[]catalog.Entry{betweenEntry, betweenEntry}, "behavior between has the name of another key of groups"},
		{[]catalog.Entry{betweenEntry, again}, "behavior amid has the component scene.between of another behavior"},
	} {
		refused(t, failure(Read(strings.NewReader(betweenText), "f.toml", OpenOptions{Catalog: tc.own})), tc.want, "read")
		s := plaza()
		s.Catalog = tc.own
		refused(t, failure(s.Build(Options{})), tc.want, "built")
	}
}

func TestPointIsHeld(t *testing.T) {
	s := loaded(t, "seek-kinematic")
	at, held, asked := r2.Vec{}, false, 0
	w := builtWith(t, s, Options{Workers: 1, Point: func() (r2.Vec, bool) { asked++; return at, held }})
	for i, tc := range []struct {
		at   r2.Vec
		held bool
	}{
		{r2.Vec{}, false}, {r2.Vec{X: 700, Y: 500}, true}, {r2.Vec{X: -1e6, Y: 3}, true}, {r2.Vec{X: 9, Y: 9}, false},
		{r2.Vec{X: math.NaN()}, true}, {r2.Vec{Y: math.Inf(-1)}, true}, {r2.Vec{X: 1, Y: 1}, true},
	} {
		at, held = tc.at, tc.held
		want := s.Pointer.at(w.Clock.Time)
		if tc.held && !math.IsNaN(at.X) && !math.IsInf(at.Y, 0) {
			want = at
		}
		before := map[uint64]r2.Vec{}
		agents(w, func(id uint64, p, _, _ r2.Vec) { before[id] = p })
		noError(t, w.Step())
		if got, ok := PointerOf(w); got != want || !ok {
			t.Errorf("step %d: PointerOf: got=%v, %v, want=%v, true", i, got, ok, want)
		}
		testkit.Equal(t, asked, i+1, "step %d: calls of Point", i)
		agents(w, func(id uint64, p, v, _ r2.Vec) {
			way := r2.Sub(want, before[id])
			if got := r2.Cross(v, way) / (r2.Norm(v) * r2.Norm(way)); !(math.Abs(got) < 1e-6 && r2.Dot(v, way) > 0) {
				t.Errorf("step %d, agent %d: got=%v from %v, want=toward %v", i, id, v, before[id], want)
			}
		})
	}
}

func TestPointNotHeld(t *testing.T) {
	for _, name := range []string{"seek", "avoidance-cocos"} {
		s := loaded(t, name)
		w := builtWith(t, s, Options{Workers: 1, Point: func() (r2.Vec, bool) { return r2.Vec{X: 1, Y: 2}, s.Pointer == nil }})
		testkit.Equal(t, steps(t, w, 30), hashAfter(t, s, 30), "%s: hash", name)
		_, ok := PointerOf(w)
		testkit.Equal(t, ok, s.Pointer != nil, "%s: pointer", name)
	}
}

type counter struct{ n int }

func (c *counter) Sense(*ecs.World)  { c.n++ }
func (c *counter) Update(*ecs.World) { c.n++ }

func TestHostSystems(t *testing.T) {
	for _, name := range []string{"seek", "plaza"} {
		s := loaded(t, name)
		s.Resize(50)
		var sense, steer struct{ counter }
		w := builtWith(t, s, Options{Workers: 1, Sense: []any{&sense}, Steer: []any{&steer}})
		testkit.Equal(t, steps(t, w, 10), hashAfter(t, s, 10), "%s: hash", name)
		if sense.n != 20 || steer.n != 20 { // Sense and Update in each of ten steps
			t.Errorf("%s: got=%d, %d calls of Sense and Update, want=20 each", name, sense.n, steer.n)
		}
	}
}
