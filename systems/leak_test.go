package systems_test

import (
	"runtime"
	"testing"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
)

// goroutines waits, for up to a minute, until at most want goroutines are left.
func goroutines(want int) int {
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > want && time.Now().Before(end); time.Sleep(time.Millisecond) {
		runtime.GC()
	}
	return runtime.NumGoroutine()
}

type fails struct{ pos frame.In[c.Position] }

func (s *fails) Needs(n *frame.Needs) { n.Read(&s.pos) }
func (s *fails) Run(b *frame.Batch) {
	if b.Worker > 0 {
		panic("a host's mistake")
	}
	runtime.Gosched()
}

func TestLeaks(t *testing.T) {
	const rows = 10_000 // enough for a second worker
	frame := func(system any, end bool) {
		w := ecs.NewWorld(64)
		ecs.NewBuilder(&w, ecs.ComponentID[c.Position](&w), ecs.ComponentID[c.Velocity](&w)).NewBatch(rows)
		f := frame.New(system)
		f.Workers = 4
		f.Initialize(&w)
		if end {
			defer f.Finalize(&w)
		}
		defer func() { recover() }()
		for range 3 {
			f.Update(&w)
		}
	}
	newWorld := func(end bool) {
		config := world.Default()
		config.Workers, config.Measure = 4, true
		w, err := world.New(config)
		testkit.Must(t, err)
		if end {
			defer w.Close()
		}
		testkit.Must(t, w.Spawn(rows, []any{c.Limits{MaxSpeed: 1, MaxForce: 1}}, func(*world.Rows) {}))
		testkit.Must(t, w.Step())
	}
	for _, test := range []struct {
		name  string
		times int
		do    func()
	}{
		{"frame", 10, func() { frame(&systems.Integration{}, true) }},
		{"panic", 10, func() { frame(&fails{}, true) }},
		{"forgotten frame", 3, func() { frame(&systems.Integration{}, false) }},
		{"world", 10, func() { newWorld(true) }},
		{"forgotten world", 3, func() { newWorld(false) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := runtime.NumGoroutine()
			for range test.times {
				test.do()
			}
			if got := goroutines(want); got > want {
				t.Errorf("goroutines: got=%v, want=%v or fewer", got, want)
			}
		})
	}
}
