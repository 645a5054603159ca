package column

import (
	"math"
	"sync"
	"testing"

	"github.com/mlange-42/arche/ecs"
)

// sized returns a world with runs of the given numbers of rows. Alternately, a run has its own archetype, or
// its own relation target.
func sized(rows ...int) *ecs.World {
	w := ecs.NewWorld(1)
	probes(&w)
	pos, rel := ecs.ComponentID[point](&w), ecs.ComponentID[relation](&w)
	marks := tags(&w, len(rows))
	for i, n := range rows {
		if i%2 == 0 {
			ecs.NewBuilder(&w, pos, marks[i]).NewBatch(n)
		} else {
			ecs.NewBuilder(&w, pos, rel).WithRelation(rel).NewBatch(n, w.NewEntity())
		}
	}
	return &w
}

func TestWalkGuess(t *testing.T) {
	of := func(rows ...int) (runs []Run) {
		for _, n := range rows {
			runs = append(runs, Run{Rows: n})
		}
		return runs
	}
	otherWorld, other := sized(3, 1, 7), Walker{}
	q := otherWorld.Query(ecs.All())
	others := other.Walk(otherWorld, &q, nil)
	q.Close()

	rows := []int{40, 1, 1, 100, 2, 33, 1}
	for _, c := range []struct {
		name  string
		guess []Run
	}{
		{"none", nil},
		{"exact", of(rows...)},
		{"one row short", of(39, 0, 0, 99, 1, 32, 0)},
		{"one row long", of(41, 2, 2, 101, 3, 34, 2)},
		{"shifted", of(1, 1, 100, 2, 33, 1)},
		{"reversed", of(1, 33, 2, 100, 1, 1, 40)},
		{"all one", of(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)},
		{"up to the end", of(178, 138, 137, 136, 36, 34, 1)},
		{"beyond the end", of(179, 1<<30, 1<<30, math.MaxInt, 1<<30, 1<<30, math.MaxInt)},
		{"no rows", make([]Run, 9)},
		{"negative", of(-1, -1, -1, math.MinInt, -1, -1, -1)},
		{"another walker's", others},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := sized(rows...)
			walker, all := Walker{}, probes(w)
			filter := w.Cache().Register(ecs.All(ecs.ComponentID[point](w)))
			plain, guess := w.Query(&filter), c.guess
			want := plainRows(&plain, all)
			plain.Close()
			for range 2 { // the second time, the guess is right
				q := w.Query(&filter)
				guess = checkWalk(t, w, &walker, &q, guess, all, want)
				if got := len(guess); got != len(rows) {
					t.Fatalf("runs: got=%v, want=%v", got, len(rows))
				}
			}
		})
	}
}

func TestWalkNothing(t *testing.T) {
	w, walker := sized(5), Walker{}
	for _, filter := range []ecs.Filter{ecs.All(ecs.ComponentID[wide](w)), either{}} {
		for _, guess := range [][]Run{nil, make([]Run, 3)} {
			q := w.Query(filter)
			if got := checkWalk(t, w, &walker, &q, guess, nil, nil); len(got) != 0 {
				t.Errorf("runs of %v: got=%v, want=0", filter, len(got))
			}
		}
	}
}

func TestEntityConcurrently(t *testing.T) {
	w, walker := sized(1000, 10, 1, 500), Walker{}
	plain := w.Query(ecs.All())
	want := plainRows(&plain, nil)
	plain.Close()
	q := w.Query(ecs.All())
	defer q.Close()
	runs := walker.Walk(w, &q, nil)
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			first := 0
			for i := range runs {
				for n := worker; n < runs[i].Rows; n += 3 {
					if got := runs[i].Entity(n); got != want[first+n].entity {
						t.Errorf("entity of run %d, row %d: got=%v, want=%v", i, n, got, want[first+n].entity)
					}
				}
				first += runs[i].Rows
			}
		})
	}
	group.Wait()
}

func TestWalkInsideWalk(t *testing.T) {
	w, outer, inner := sized(4, 5, 6), Walker{}, Walker{}
	q := w.Query(ecs.All())
	outer.Walk(w, &q, nil)
	nested := w.Query(ecs.All())
	inner.Walk(w, &nested, nil)
	if nested.Close(); !w.IsLocked() {
		t.Error("after the inner walk: got an unlocked world, want a locked one")
	}
	if q.Close(); w.IsLocked() {
		t.Error("after Close: got a locked world, want an unlocked one")
	}
}

func TestWalkAllocates(t *testing.T) {
	if Copies {
		t.Skip("skipped: the safe build copies columns")
	}
	w, walker := sized(100, 3, 1, 20, 7), Walker{}
	pos, rel := SourceOf[point](w), SourceOf[relation](w)
	filter := w.Cache().Register(ecs.All(pos.ID))
	runs := []Run(nil)
	var sum float64
	walk := func() {
		q := w.Query(&filter)
		defer q.Close()
		runs = walker.Walk(w, &q, runs)
		for i := range runs {
			r := &runs[i]
			for _, p := range Rows[point](pos.Load(r), 0, r.Rows) {
				sum += p.X
			}
			sum += float64(len(Rows[relation](rel.Load(r), 0, r.Rows)))
			sum += float64(r.Entity(r.Rows - 1).ID())
		}
	}
	if got := testing.AllocsPerRun(20, walk); got != 0 {
		t.Errorf("allocations: got=%v, want=0", got)
	}
	wrong := func() {
		for i := range runs {
			runs[i].Rows += 5 - 2*i
		}
		walk()
	}
	if got := testing.AllocsPerRun(20, wrong); got != 0 {
		t.Errorf("allocations after a wrong guess: got=%v, want=0", got)
	}
}
