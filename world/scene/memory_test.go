package scene

import (
	"flag"
	"math"
	"runtime"
	"testing"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestMemory(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: the safe build copies columns, which takes more memory")
	}
	const agents = 1 << 11 // columns grow to powers of two
	for i, name := range Names() {
		s := loaded(t, name)
		if s.Resize(agents); s.Groups[0].Way == Route {
			s.Resize(agents / 4) // the first step searches all routes
		}
		checkMemory(t, s, Options{Workers: 1, Measure: i%2 == 0})
	}
	for _, name := range []string{"plaza", "boids", "rvo-blocks", "concert"} { // in which few agents overlap
		s := loaded(t, name)
		s.Resize(agents)
		checkMemory(t, s, Options{Workers: 1, Safety: true})
	}
	var circles, walls, doors, polygons Obstacles
	for i := range 1 << 13 {
		at := r2.Vec{X: float64(i % 128), Y: float64(i / 128)}
		circles.Circles = append(circles.Circles, Circle{at, 0.1})
		walls.Walls = append(walls.Walls, Wall{A: at, B: r2.Vec{X: at.X + 0.5, Y: at.Y}})
		doors.Doors = append(doors.Doors, Door{A: at, B: r2.Vec{X: at.X + 0.5, Y: at.Y}})
		polygons.Boxes = append(polygons.Boxes, Box{Box: r2.Box{Min: at, Max: r2.Vec{X: at.X + 0.5, Y: at.Y + 0.5}}})
	}
	for name, obstacles := range map[string]Obstacles{"circles": circles, "walls": walls, "doors": doors, "polygons": polygons} {
		s := loaded(t, "seek")
		s.Name, s.Obstacles = name, obstacles
		checkMemory(t, s, Options{Workers: 1})
	}
}

func checkMemory(t *testing.T, s *Scene, o Options) {
	t.Helper()
	before := inUse()
	w, err := s.Build(o)
	noError(t, err)
	defer w.Close()
	w.Checkpoint()
	noError(t, w.Step())
	took := inUse() - before
	if got := s.Memory(o); got < took || got > 2*took {
		t.Errorf("%s, measure=%v, safety=%v: got=%d bytes, want=%d to %d", s.Name, o.Measure, o.Safety, got, took, 2*took)
	}
}

func inUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestMemoryOfRandomCircles(t *testing.T) {
	memory := func(o Obstacles) uint64 {
		s := loaded(t, "seek")
		s.Obstacles = o
		return s.Memory(Options{})
	}
	drawn := memory(Obstacles{Random: []RandomCircles{{Count: 700, Radius: Same(1)}, {Count: 300, Radius: Same(2)}}})
	testkit.Equal(t, drawn, memory(Obstacles{Circles: make([]Circle, 1000)}), "as for 1,000 fixed circles")
}

func TestMemoryOfInvalid(t *testing.T) {
	for _, radius := range []Value{Same(-1), Same(math.NaN()), Same(math.Inf(1)), {Spread: &Spread{Min: -1, Max: 1}}} {
		s := loaded(t, "maze")
		s.Groups[0].Radius = radius
		s.Memory(Options{})
	}
}

// Buffers grow occasionally, and new paths allocate.
func TestStepsAllocateNothing(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			s := loaded(t, name)
			if name == "office" || name == "maze" {
				t.Skip("skipped: paths are being planned")
			}
			shrink(s, 150)
			w := builtWith(t, s, Options{Workers: 1, Measure: true, Safety: true, Profile: true})
			steps(t, w, 60)
			testkit.NoAllocs(t, 60, func() { _ = w.Step() })
		})
	}
}

func TestStepsOfPlazaAllocateNothing(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: the safe build copies columns, which allocates")
	}
	s := loaded(t, "plaza")
	s.Resize(20_000)
	s.Groups[0].Goal.Radius = Same(30) // so large that many agents arrive
	w := builtWith(t, s, Options{Workers: 2, Measure: true, Profile: true})
	steps(t, w, 60)
	before := w.Stats().Arrived
	testkit.NoAllocs(t, 50, func() { _ = w.Step() })
	if w.Stats().Arrived == before {
		t.Error("arrivals during the measured steps: got=0, want=some")
	}
}

var (
	soakScene  = flag.String("soak", "", "a built-in scene that TestSoak runs, for .ci/soak")
	soakAgents = flag.Int("soak-agents", 20, "number of agents in the scene of -soak")
	soakSteps  = flag.Int("soak-steps", 100_000, "number of steps of -soak")
)

// TestSoak prints the trace hash, which is the same for the same flags.
func TestSoak(t *testing.T) {
	if *soakScene == "" {
		t.Skip("skipped: it takes hours, and .ci/soak runs it")
	}
	s := loaded(t, *soakScene)
	s.Resize(*soakAgents)
	w := builtWith(t, s, Options{})
	const looks = 10
	var trace hash.Trace
	var first uint64 // bytes, after a tenth of the steps
	for look := range looks {
		steps(t, w, *soakSteps/looks)
		trace.Add(w.Hash())
		step := (look + 1) * (*soakSteps / looks)
		agents(w, func(id uint64, p, v, heading r2.Vec) {
			if !vec.Finite(p) || !vec.Finite(v) || !vec.Finite(heading) {
				t.Fatalf("step %d, agent %d: got=position %v, velocity %v, heading %v, want=finite", step, id, p, v, heading)
			}
		})
		var memory runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&memory)
		if look == 0 {
			first = memory.HeapAlloc
		}
		if most := first + first/10 + 1<<20; memory.HeapAlloc > most {
			t.Fatalf("step %d: got=%d bytes, want=%d or less, after %d at first", step, memory.HeapAlloc, most, first)
		}
	}
	t.Logf("%s, %d agents, %d of them left, %d steps: trace hash %016x", s.Name, *soakAgents, w.Departed(), *soakSteps, trace.Sum())
}
