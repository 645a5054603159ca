package column

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/mlange-42/arche/ecs"
)

type (
	point  struct{ X, Y float64 }
	host   struct{ At [2]float64 } // bound in place of point
	small  struct{ A uint8 }
	odd    struct{ A [3]uint8 }
	padded struct {
		A uint8
		B uint64
		C uint16
	}
	wide     struct{ A [9]uint64 }
	tag      struct{}
	relation struct {
		ecs.Relation
		Weight float64
	}
	childOf struct{ ecs.Relation }
)

// row is a row as a plain query finds it.
type row struct {
	entity ecs.Entity
	mask   ecs.Mask
	target ecs.Entity
	at     []unsafe.Pointer // one per probe
}

// probe compares the k-th component of a run with that of a plain query, writes all rows through the column,
// and compares again.
type probe struct {
	id    ecs.ID
	check func(t *testing.T, run *Run, want []row, k int)
}

func probeOf[T comparable](w *ecs.World, fill func(n uint64) T) probe {
	return boundProbe(w, SourceOf[T](w), func(t *T) T { return *t }, fill)
}

// boundProbe returns a probe of component T, which H replaces in the world.
func boundProbe[T comparable, H any](w *ecs.World, s Source, read func(*H) T, fill func(n uint64) T) probe {
	written := uint64(0)
	return probe{s.ID, func(t *testing.T, run *Run, want []row, k int) {
		t.Helper()
		column := s.Load(run)
		rows := Rows[T](column, 0, run.Rows)
		if !run.Kind.Mask.Get(s.ID) {
			if s.Store(run, column); rows != nil {
				t.Fatalf("%T of a run without it: got=%v, want=nil", *new(T), rows)
			}
			return
		}
		third := run.Rows / 3
		part := Rows[T](column, third, run.Rows-third)
		if len(rows) != run.Rows || len(part) != run.Rows-2*third || cap(part) != len(part) {
			t.Fatalf("rows of %T, and length and capacity of a part: got=%d, %d, %d, want=%d, %d, %[6]d", *new(T), len(rows), len(part), cap(part), run.Rows, run.Rows-2*third)
		}
		for i := range rows {
			if got, want := rows[i], read((*H)(want[i].at[k])); got != want {
				t.Fatalf("%T of row %d: got=%v, want=%v", got, i, got, want)
			}
			if got, want := unsafe.Pointer(&rows[i]), want[i].at[k]; got != want && !Copies {
				t.Fatalf("place of %T of row %d: got=%p, want=%p", rows[i], i, got, want)
			}
			written++
			rows[i] = fill(written)
		}
		s.Store(run, column)
		for i, r := range want {
			if got := read((*H)(w.Get(r.entity, s.ID))); got != rows[i] {
				t.Fatalf("%T written to row %d: got=%v, want=%v", got, i, got, rows[i])
			}
			if got, ok := At[T](w, &s, r.entity); got != rows[i] || !ok {
				t.Fatalf("%T at %v: got=%v %v, want=%v true", got, r.entity, got, ok, rows[i])
			}
		}
	}}
}

// The last two probes are of relations.
func probes(w *ecs.World) []probe {
	return []probe{
		probeOf(w, func(n uint64) point { return point{float64(n), -float64(n)} }),
		probeOf(w, func(n uint64) small { return small{uint8(n)} }),
		probeOf(w, func(n uint64) odd { return odd{[3]uint8{uint8(n), uint8(n >> 8), uint8(n >> 16)}} }),
		probeOf(w, func(n uint64) padded { return padded{uint8(n), n, uint16(n)} }),
		probeOf(w, func(n uint64) wide { return wide{[9]uint64{0: n, 8: ^n}} }),
		probeOf(w, func(uint64) tag { return tag{} }),
		boundProbe(w, BoundSource[point, host](w),
			func(h *host) point { return point{h.At[0], h.At[1]} },
			func(n uint64) point { return point{float64(n), 0.5} }),
		probeOf(w, func(n uint64) relation { return relation{Weight: float64(n)} }),
		probeOf(w, func(uint64) childOf { return childOf{} }),
	}
}

// plainRows stops at the last row, because q may be a copy of a query, and a query that runs past its end
// unlocks the world.
func plainRows(q *ecs.Query, probes []probe) []row {
	rows := make([]row, q.Count())
	for i := range rows {
		q.Next()
		r := row{entity: q.Entity(), mask: q.Mask()}
		for k, p := range probes {
			r.at = append(r.at, q.Get(p.id))
			if k >= len(probes)-2 && q.Has(p.id) {
				r.target = q.Relation(p.id)
			}
		}
		rows[i] = r
	}
	return rows
}

// checkWalk walks over an open query with runs as the guess, compares the result with plain rows, closes the
// query, and returns the new runs.
func checkWalk(t *testing.T, w *ecs.World, walker *Walker, q *ecs.Query, runs []Run, probes []probe, want []row) []Run {
	t.Helper()
	runs = walker.Walk(w, q, runs)
	before := row{}
	for i := range runs {
		r := &runs[i]
		if r.Rows < 1 || r.Rows > len(want) {
			t.Fatalf("rows of run %d: got=%d, want=1 to %d", i, r.Rows, len(want))
		}
		first := want[0]
		if i > 0 && before.mask == first.mask && before.target == first.target {
			t.Fatalf("run %d: got the archetype and target of the run before it, want others", i)
		}
		before = first
		if r.Kind.Mask != first.mask || r.Kind != walker.kinds[first.mask] || r.Kind.Index >= len(walker.kinds) {
			t.Fatalf("kind of run %d: got=%v of %d, want=the walker's kind of %v", i, *r.Kind, len(walker.kinds), first.mask)
		}
		for n, row := range want[:r.Rows] {
			if got := r.Entity(n); got != row.entity {
				t.Fatalf("entity of run %d, row %d: got=%v, want=%v", i, n, got, row.entity)
			}
			if row.mask != first.mask || row.target != first.target {
				t.Fatalf("rows of run %d: got=%d, want=%d", i, r.Rows, n)
			}
		}
		for k, p := range probes {
			p.check(t, r, want[:r.Rows], k)
		}
		want = want[r.Rows:]
	}
	if len(want) > 0 {
		t.Fatalf("rows in no run: got=%d, want=0", len(want))
	}
	if !w.IsLocked() {
		t.Fatalf("after the walk: got an unlocked world, want a locked one")
	}
	if q.Close(); w.IsLocked() {
		t.Fatalf("after Close: got a locked world, want an unlocked one")
	}
	return runs
}

// tags registers n different component types without size.
func tags(w *ecs.World, n int) []ecs.ID {
	ids := make([]ecs.ID, n)
	for i := range ids {
		ids[i] = ecs.TypeID(w, reflect.ArrayOf(i+1, reflect.TypeFor[struct{}]()))
	}
	return ids
}
