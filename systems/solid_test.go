package systems

import (
	"math/rand/v2"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// solidCrowd puts a dense crowd of solid bodies of many kinds among obstacles, in
// the given order of rows, and returns a frame that moves it.
func solidCrowd(w *ecs.World, agents int, order uint64) *frame.Frame {
	ecs.AddResource(w, &frame.Clock{Dt: 1. / 20})
	for i := range uint64(60) {
		e := w.NewEntity()
		o := c.Obstacle{Radius: frame.HashFloat(2, i, 0, 0)}
		if i%2 == 0 {
			o = c.Obstacle{Span: xy(6*frame.HashFloat(2, i, 1, 0)-3, 6*frame.HashFloat(2, i, 2, 0)-3)}
		}
		Add(w, e, c.Position{Vec: xy(30*frame.HashFloat(2, i, 3, 0), 30*frame.HashFloat(2, i, 4, 0))}, o)
	}
	ids := make([]uint64, agents)
	for i := range ids {
		ids[i] = uint64(i)
	}
	rand.New(rand.NewPCG(order, 1)).Shuffle(agents, func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	for _, id := range ids {
		draw := func(use uint64) float64 { return frame.HashFloat(1, id, 0, use) }
		at := xy(30*draw(0), 30*draw(1))
		if id%10 == 0 {
			at = xy(15, 15)
		}
		comps := []any{c.Agent{ID: id}, c.Position{Vec: at}, c.Velocity{}, c.Radius{Meters: 0.1 + 0.3*draw(2)}, c.Solid{Push: draw(3)}}
		if id%3 > 0 {
			comps = append(comps, c.Target{Vec: xy(30*draw(4), 30*draw(5))}, c.Limits{MaxSpeed: 3, MaxForce: 20}, c.Seek{Gain: 5})
		}
		if id%500 == 7 {
			comps[3] = c.Radius{Meters: 3}
		}
		if id%4 == 0 {
			comps = append(comps, c.Layers{On: 1 + uint32(id%3), Sees: 1 + uint32(id/3%3)})
		}
		Add(w, w.NewEntity(), comps...)
	}
	return frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &PreviousPosition{}, &Seek{}, &Integration{}, &ResolveOverlaps{}, &Slide{})
}

// Solid bodies are where they are whatever the order of rows, the size of batches
// and the number of workers.
func TestSolidIsDeterministic(t *testing.T) {
	run := func(order uint64, workers, rows int) (hashes []uint64) {
		w := ecs.NewWorld()
		f := solidCrowd(&w, 3000, order)
		f.Workers, f.BatchRows, f.ShareRows = workers, rows, 1
		f.Initialize(&w)
		defer f.Finalize(&w)
		hash := &measure.Hash{}
		hasher := frame.New(hash)
		hasher.Initialize(&w)
		defer hasher.Finalize(&w)
		for range 15 {
			f.Update(&w)
			hasher.Update(&w)
			hashes = append(hashes, hash.Sum())
		}
		return hashes
	}
	want := run(0, 1, 0)
	if want[0] == want[1] {
		t.Fatal("got=nothing moves, want=a crowd that does")
	}
	for _, v := range []struct {
		order         uint64
		workers, rows int
	}{{0, 3, 0}, {1, 1, 7}, {2, 4, 1000}, {3, 2, 1}} {
		if got := run(v.order, v.workers, v.rows); !slices.Equal(got, want) {
			t.Errorf("order %d, %d workers, batches of %d: got=%x, want=%x", v.order, v.workers, v.rows, got, want)
		}
	}
}

func TestSolidDoesNotAllocate(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: the safe build copies columns")
	}
	w := ecs.NewWorld()
	f := solidCrowd(&w, 2000, 0)
	f.Workers = 2
	f.Initialize(&w)
	defer f.Finalize(&w)
	for range 50 {
		f.Update(&w)
	}
	if got := testing.AllocsPerRun(20, func() { f.Update(&w) }); got >= 1 {
		t.Errorf("allocations of a step: got=%v, want=0", got)
	}
}

// Where none is solid, none looks.
func TestNobodySolid(t *testing.T) {
	near, push := &sense.Neighbors{}, &ResolveOverlaps{}
	s := newStage(t, 1, near, push)
	s.Put(c.Position{}, c.Radius{Meters: 1}, c.Velocity{})
	walls := s.Put(c.Position{}, c.Radius{Meters: 1}, c.Velocity{}, c.Solid{})
	s.Step()
	testkit.Equal(t, near.Len(), 0, "agents in the snapshot")
	testkit.ComponentOf[c.Solid](s, walls).Push = 1
	s.Step()
	testkit.Equal(t, near.Len(), 2, "agents in the snapshot")
	if at := testkit.ComponentOf[c.Position](s, walls).Vec; at != xy(0, 0) {
		t.Errorf("among those that are not solid: got=%v, want=(0, 0)", at)
	}
}

// BenchmarkSolid takes 100,000 agents through a step, half a radius at a time, among
// 1,000 walls, with nothing solid, walls, and walls and bodies. About one in fifty is
// at a wall and the bodies cover a fifth of the ground.
func BenchmarkSolid(b *testing.B) {
	const n, side = 100_000, 400.
	for _, kind := range []string{"none", "walls", "all"} {
		w := ecs.NewWorld()
		ecs.AddResource(&w, &frame.Clock{Dt: 1. / 60})
		for i := range uint64(1000) {
			Add(&w, w.NewEntity(), c.Position{Vec: xy(side*frame.HashFloat(2, i, 0, 0), side*frame.HashFloat(2, i, 1, 0))},
				c.Obstacle{Span: xy(8*frame.HashFloat(2, i, 2, 0)-4, 8*frame.HashFloat(2, i, 3, 0)-4)})
		}
		for i := range uint64(n) {
			comps := []any{c.Agent{ID: i}, c.Position{Vec: xy(side*frame.HashFloat(1, i, 0, 0), side*frame.HashFloat(1, i, 1, 0))}, c.Velocity{}, c.Radius{Meters: 0.3},
				c.Target{Vec: xy(side*frame.HashFloat(1, i, 2, 0), side*frame.HashFloat(1, i, 3, 0))}, c.Limits{MaxSpeed: 1.4, MaxForce: 10}, c.Seek{Gain: 2}}
			switch kind {
			case "walls":
				comps = append(comps, c.Solid{})
			case "all":
				comps = append(comps, c.Solid{Push: 0.5})
			}
			Add(&w, w.NewEntity(), comps...)
		}
		f := frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &PreviousPosition{}, &Seek{}, &Integration{}, &ResolveOverlaps{}, &Slide{})
		f.Workers = 1
		f.Initialize(&w)
		for range 30 {
			f.Update(&w)
		}
		b.Run(kind, func(b *testing.B) {
			for range b.N {
				f.Update(&w)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/agent")
		})
		f.Finalize(&w)
	}
}
