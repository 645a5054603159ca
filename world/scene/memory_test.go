package scene

import (
	"runtime"
	"testing"

	"github.com/8f878440/crowd/internal/column"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestMemory verifies that the estimate of what a crowd needs is no less than what it
// takes on the heap, and at most twice as much.
func TestMemory(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: the safe build copies columns, which takes more")
	}
	const agents = 1 << 13 // columns grow to powers of two
	for i, name := range Names() {
		s, err := Named(name)
		noError(t, err)
		s.Resize(agents)
		checkMemory(t, s, Options{Workers: 1, Measure: i%2 == 0})
	}
	for _, name := range []string{"plaza", "boids", "rvo-blocks", "concert"} { // where not everybody overlaps everybody
		s, _ := Named(name)
		s.Resize(agents)
		checkMemory(t, s, Options{Workers: 1, Safety: true})
	}
	circles, walls, polygons := Obstacles{}, Obstacles{}, Obstacles{}
	for i := range 1 << 13 {
		at := r2.Vec{X: float64(i % 128), Y: float64(i / 128)}
		circles.Circles = append(circles.Circles, Circle{at, 0.1})
		walls.Walls = append(walls.Walls, Wall{A: at, B: r2.Vec{X: at.X + 0.5, Y: at.Y}})
		polygons.Boxes = append(polygons.Boxes, Box{Box: r2.Box{Min: at, Max: r2.Vec{X: at.X + 0.5, Y: at.Y + 0.5}}})
	}
	for _, o := range []struct {
		name string
		Obstacles
	}{{"circles", circles}, {"walls", walls}, {"polygons", polygons}} {
		s, _ := Named("seek")
		s.Name, s.Obstacles = o.name, o.Obstacles
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

// inUse returns the bytes that are in use on the heap.
func inUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestMemoryOfRandomCircles verifies that circles which the seed places count like others.
func TestMemoryOfRandomCircles(t *testing.T) {
	memory := func(o Obstacles) uint64 {
		s, err := Named("seek")
		noError(t, err)
		s.Obstacles = o
		return s.Memory(Options{})
	}
	drawn := memory(Obstacles{Random: []RandomCircles{{Count: 700, Radius: Same(1)}, {Count: 300, Radius: Same(2)}}})
	if want := memory(Obstacles{Circles: make([]Circle, 1000)}); drawn != want {
		t.Errorf("got=%d, want=%d as of 1,000 circles", drawn, want)
	}
}
