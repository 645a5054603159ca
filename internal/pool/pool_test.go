package pool

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// goroutines waits up to a minute until at most want goroutines are left, and returns their number.
func goroutines(want int) int {
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > want && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return runtime.NumGoroutine()
}

// goroutineID returns a text such as "goroutine 7".
func goroutineID() string {
	stack := make([]byte, 64)
	return strings.Join(strings.Fields(string(stack[:runtime.Stack(stack, false)]))[:2], " ")
}

// All workers run at once, and the caller sees what they wrote.
func TestRun(t *testing.T) {
	var p Pool
	defer p.Close()
	for i, n := range []int{1, 2, 3, 3, 1, 8, 2, 0, 64, 5} {
		got, want := make([]int, 65), make([]int, 65)
		for worker := range max(1, n) {
			want[worker] = 1
		}
		caller := ""
		var here atomic.Int32
		p.Run(n, func(worker int) {
			for here.Add(1); int(here.Load()) < n; {
				runtime.Gosched()
			}
			got[worker]++
			if worker == 0 {
				caller = goroutineID()
			}
		})
		if !slices.Equal(got, want) || caller != goroutineID() {
			t.Errorf("run %d: got=calls %v, worker 0 on %v, want=%v, %v", i, got, caller, want, goroutineID())
		}
	}
}

func TestRunPanic(t *testing.T) {
	failure := errors.New("failure")
	for _, c := range []struct {
		name string
		n    int
		fail []int
		with any
	}{
		{"the only worker", 1, []int{0}, failure},
		{"worker 0", 4, []int{0}, failure},
		{"one", 4, []int{2}, failure},
		{"the last", 4, []int{3}, "text"},
		{"two", 4, []int{1, 3}, failure},
		{"all", 4, []int{0, 1, 2, 3}, failure},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p Pool
			defer p.Close()
			for range 3 {
				var ended atomic.Int32
				got := func() (r any) {
					defer func() { r = recover() }()
					p.Run(c.n, func(worker int) {
						if slices.Contains(c.fail, worker) {
							panic(c.with)
						}
						time.Sleep(time.Millisecond)
						ended.Add(1)
					})
					return nil
				}()
				if p, is := got.(*Panic); is { // the panic of a parked worker
					if got = p.Value; !strings.Contains(string(p.Stack), "pool_test.go") {
						t.Errorf("stack: got=%s, want=one that contains pool_test.go", p.Stack)
					}
				}
				if got != c.with {
					t.Errorf("panic: got=%v, want=%v", got, c.with)
				}
				var calls atomic.Int32
				p.Run(c.n, func(int) { calls.Add(1) })
				if got, want := [2]int{int(ended.Load()), int(calls.Load())}, [2]int{c.n - len(c.fail), c.n}; got != want {
					t.Errorf("workers that ended, and calls afterwards: got=%v, want=%v", got, want)
				}
			}
		})
	}
}

// A test of a system may call Fatal, and so Goexit, on a worker.
func TestRunGoexit(t *testing.T) {
	before := goroutines(2)
	var p Pool
	for _, worker := range []int{0, 1, 2} {
		var ended atomic.Int32
		var got any
		exited := make(chan struct{})
		go func() {
			defer close(exited)
			defer func() { got = recover() }()
			p.Run(3, func(w int) {
				if w == worker {
					runtime.Goexit()
				}
				time.Sleep(time.Millisecond)
				ended.Add(1)
			})
		}()
		<-exited
		others := ended.Load()
		p.Run(3, func(int) { ended.Add(1) })
		if calls := ended.Load() - others; others != 2 || calls != 3 || (got != nil) != (worker > 0) {
			t.Errorf("worker %d exits: got=%d others that ended, %d calls afterwards, panic %v, want=2, 3, and a panic if not 0",
				worker, others, calls, got)
		}
	}
	p.Close()
	if got := goroutines(before); got > before {
		t.Errorf("goroutines: got=%v, want=at most %v", got, before)
	}
}

func TestClose(t *testing.T) {
	before := goroutines(2) // main and this test; goroutines of other tests may still be ending
	var p Pool
	p.Close()
	for range 3 {
		p.Run(1, func(int) {})
		if got := runtime.NumGoroutine(); got != before {
			t.Errorf("goroutines with one worker: got=%v, want=%v", got, before)
		}
		p.Run(5, func(int) {})
		if got, want := runtime.NumGoroutine(), before+4; got != want {
			t.Errorf("goroutines with five workers: got=%v, want=%v", got, want)
		}
		p.Run(3, func(int) {})
		p.Close()
		p.Close()
		if got := goroutines(before); got > before {
			t.Errorf("goroutines after Close: got=%v, want=at most %v", got, before)
		}
	}
}

// TestForgotten verifies that a pool that is not closed ends its goroutines.
func TestForgotten(t *testing.T) {
	before := goroutines(2)
	for range 10 {
		var p Pool
		p.Run(4, func(int) {})
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		runtime.GC()
		if runtime.NumGoroutine() <= before {
			return
		}
	}
	t.Errorf("goroutines: got=%v, want=at most %v", runtime.NumGoroutine(), before)
}
