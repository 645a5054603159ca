// Package pool keeps a few goroutines waiting between the steps of a crowd.
package pool

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// Pool runs one function on several workers at once and waits for all of them.
// Worker 0 is always the caller's goroutine. A Pool serves one caller at a
// time. The zero value is ready. A parked worker waits on a channel and takes
// no processor time. To look out for the next task for a few microseconds before
// that, or for the end of the others, was tried: no step got measurably faster.
//
// A pool that is forgotten without Close ends its goroutines when the garbage
// collector finds it. So a parked worker must know nothing but its channel.
type Pool struct {
	wake []chan *Pool // one a parked worker; worker i+1 waits for wake[i]
	ends []runtime.Cleanup
	task func(worker int)
	done sync.WaitGroup

	mu     sync.Mutex
	failed any // what the first parked worker to fail panicked with
}

// Run calls task once for each of the workers 0 to n-1 and returns when all are
// done. It starts the goroutines that are missing; with n = 1 it starts none.
//
// When a worker panics the others still finish; then a parked worker's panic is raised
// again on the caller's goroutine, as a Panic, and the pool is as good as before. Of several
// panics one is raised.
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
	defer p.join() // also when worker 0 panics: the others use what its caller would free
	// Another thread takes the goroutine that was woken last from this one only
	// after a sleep of some 60 µs. Gosched runs it here and now, and the other
	// thread goes on with worker 0 instead, after 20 µs.
	runtime.Gosched()
	task(0)
}

// join waits for the parked workers and raises their panic again.
func (p *Pool) join() {
	p.done.Wait()
	p.task = nil
	if failed := p.failed; failed != nil {
		p.failed = nil
		panic(failed)
	}
}

// serve does the task of the pool that wakes it, each time until Close.
func serve(worker int, wake chan *Pool) {
	for p := range wake {
		p.call(worker, wake)
	}
}

// call does the task on a parked worker and keeps a panic for the caller.
func (p *Pool) call(worker int, wake chan *Pool) {
	returned := false
	defer func() {
		failed := recover()
		if failed == nil && !returned {
			failed = "crowd: a system called runtime.Goexit, or Fatal of a test, on a worker's goroutine"
			go serve(worker, wake) // in place of this goroutine, which ends
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

// Panic is a panic on a worker's goroutine that is raised again on the caller's.
type Panic struct {
	System string // whose Run it was; empty: it was something else, see Stack
	Value  any    // of the panic
	Stack  []byte // of the worker, as by debug.Stack
}

// PanicOf returns the value of a panic as a Panic, with the stack of this goroutine unless it is
// one already. It is for deferred functions.
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

// Unwrap returns the value if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Close ends the goroutines. The pool may be used again afterwards.
func (p *Pool) Close() {
	for i, wake := range p.wake {
		p.ends[i].Stop()
		close(wake)
	}
	p.wake, p.ends = nil, nil
}
