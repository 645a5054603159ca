// Package pool keeps goroutines parked between the steps of a crowd.
package pool

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// Pool runs a function on several workers and waits for all of them. Worker 0 is the caller's
// goroutine. A Pool serves one caller at a time. The zero value is ready to use. A parked worker
// waits on a channel and takes no CPU time; spinning for a few microseconds before parking made no
// step measurably faster.
//
// If a pool becomes unreachable before it is closed, a cleanup ends its goroutines. For this to
// work, a parked worker must reference nothing but its channel.
type Pool struct {
	wake []chan *Pool // one per parked worker; worker i+1 waits for wake[i]
	ends []runtime.Cleanup
	task func(worker int)
	done sync.WaitGroup

	mu     sync.Mutex
	failed any // panic of the first parked worker to fail
}

// Run calls task concurrently for workers 0 to n-1 and returns when all calls have returned. It
// starts goroutines as needed; if n is at most 1, it only calls task(0).
//
// If a worker panics, the other workers still finish. Then Run panics with a *Panic that holds the panic of
// one parked worker or, if only worker 0 panicked, with the value of that panic. The pool remains usable.
func (p *Pool) Run(n int, task func(worker int)) {
	if n <= 1 {
		task(0)
		return
	}
	for len(p.wake) < n-1 {
		wake := make(chan *Pool, 1)
		p.wake = append(p.wake, wake)
		p.ends = append(p.ends, runtime.AddCleanup(p, func(wake chan *Pool) { close(wake) }, wake))
		go serve(len(p.wake), wake)
	}
	p.task = task
	p.done.Add(n - 1)
	for _, wake := range p.wake[:n-1] {
		wake <- p
	}
	defer p.join() // also if worker 0 panics: otherwise the caller would free what the other workers use
	// Another thread would steal the goroutine that was woken last, but only after sleeping for about 60 µs.
	// Gosched runs that goroutine here at once, and the other thread continues with worker 0 after 20 µs.
	runtime.Gosched()
	task(0)
}

// join waits for the parked workers, and panics if one of them did.
func (p *Pool) join() {
	p.done.Wait()
	p.task = nil
	if failed := p.failed; failed != nil {
		p.failed = nil
		panic(failed)
	}
}

// serve runs the task of the pool that wakes it, until wake is closed.
func serve(worker int, wake chan *Pool) {
	for p := range wake {
		p.call(worker, wake)
	}
}

// call runs the task on a parked worker, and stores a panic for the caller.
func (p *Pool) call(worker int, wake chan *Pool) {
	returned := false
	defer func() {
		failed := recover()
		if failed == nil && !returned {
			failed = "crowd: a system called runtime.Goexit, or Fatal of a test, on a worker's goroutine"
			go serve(worker, wake) // replaces this goroutine, which ends
		}
		if failed != nil {
			p.mu.Lock()
			if p.failed == nil {
				p.failed = PanicOf(failed)
			}
			p.mu.Unlock()
		}
		p.done.Done()
	}()
	p.task(worker)
	returned = true
}

// Panic is the panic of a worker's goroutine that is raised again on the caller's goroutine.
type Panic struct {
	System string // system whose Run panicked; empty if something else panicked: see Stack
	Value  any    // value of the panic
	Stack  []byte // stack of the worker, as returned by debug.Stack
}

// PanicOf returns the value of a panic as a *Panic, with the stack of this goroutine. If the value
// is already a *Panic, PanicOf returns it as it is. It is for use in deferred functions.
func PanicOf(value any) *Panic {
	if p, is := value.(*Panic); is {
		return p
	}
	return &Panic{Value: value, Stack: debug.Stack()}
}

// Error returns the system, the value and the stack.
func (p *Panic) Error() string {
	by := ""
	if p.System != "" {
		by = p.System + ": "
	}
	return fmt.Sprintf("%s%v\n\nstack of the worker:\n%s", by, p.Value, p.Stack)
}

// Unwrap returns the value if it is an error, or else nil.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Close ends the goroutines. The pool may be used again.
func (p *Pool) Close() {
	for i, wake := range p.wake {
		p.ends[i].Stop()
		close(wake)
	}
	p.wake, p.ends = nil, nil
}
