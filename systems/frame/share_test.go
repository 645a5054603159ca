package frame

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/mlange-42/arche/ecs"
)

// uneven is a system with one slow batch, which ends when the given number of others are done.
type uneven struct {
	pos    In[c.Position]
	slow   int
	others int64
	done   atomic.Int64
}

func (u *uneven) Needs(n *Needs) { n.Read(&u.pos) }
func (u *uneven) Run(b *Batch) {
	deadline := time.Now().Add(time.Minute) // only to end a hang
	for b.lo/128 == u.slow && u.done.Load() < u.others {
		if time.Now().After(deadline) {
			panic("the worker with the slow batch keeps too many batches waiting")
		}
		runtime.Gosched()
	}
	u.done.Add(1)
}

// While one worker is busy with a slow batch, the others must process nearly all remaining batches.
func TestUnevenCost(t *testing.T) {
	const total = 256
	world := ecs.NewWorld(1)
	w := &world
	ecs.NewBuilder(w, ecs.ComponentID[c.Position](w)).NewBatch(128 * total)
	for _, test := range []struct{ workers, slow, kept int }{
		{2, 0, 7}, {2, 100, 4}, {2, total - 60, 0}, {2, total - 2, 0}, {2, total - 1, 0},
		{4, 0, 3}, {4, 100, 2}, {4, total - 100, 0}, {4, total - 1, 0},
	} {
		u := &uneven{slow: test.slow, others: int64(total - 1 - test.kept)}
		f := New(u)
		f.Workers, f.ShareRows = test.workers, 1
		f.Initialize(w)
		f.Update(w)
		sum := 0
		for _, s := range f.Stats().Workers {
			sum += s.Batches
		}
		if sum != total || u.done.Load() != total {
			t.Errorf("%d workers, slow batch %d: batches counted and processed: got=%v and %v, want=%v", test.workers, test.slow, sum, u.done.Load(), total)
		}
		f.Finalize(w)
	}
}

func TestWorkersFor(t *testing.T) {
	f := &Frame{workers: make([]worker, 8)}
	for _, test := range []struct {
		perRow        float64
		rows, batches int
		want          int
	}{
		{usualRow, 0, 0, 1},
		{usualRow, 3000, 24, 1},
		{1e6, 3000, 24, 1}, // few rows wake no worker, at any cost
		{1e6, 4096, 32, 2},
		{1e6, 1e6, 3, 3},
		{9, 8192, 64, 1},
		{9, 100_000, 782, 8},
		{30, 4096, 32, 2},
		{30, 8000, 63, 3},
		{usualRow, 10_000, 79, 2},
	} {
		if got := f.workersFor(test.perRow, test.rows, test.batches); got != test.want {
			t.Errorf("%d rows of %v ns in %d batches: workers: got=%v, want=%v", test.rows, test.perRow, test.batches, got, test.want)
		}
	}
}

// An interruption by another program must not change the learned time much.
func TestLearn(t *testing.T) {
	p := &pass{perRow: usualRow}
	step := func(nanos float64) { p.learn(10_000, 2, time.Duration(nanos*10_000/2)) }
	for range 60 {
		step(100)
	}
	if p.perRow < 99 || p.perRow > 101 {
		t.Errorf("ns per row: got=%v, want=99 to 101", p.perRow)
	}
	step(1e6)
	if p.perRow > 113 {
		t.Errorf("ns per row after an interruption: got=%v, want=113 or less", p.perRow)
	}
	for range 200 {
		step(0)
	}
	if !(p.perRow > 0 && p.perRow < 1) {
		t.Errorf("ns per row without cost: got=%v, want above 0 and below 1", p.perRow)
	}
}
