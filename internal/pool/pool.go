// Package pool keeps goroutines parked between the steps of a crowd.
package pool

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// Pool runs a function on several workers and waits for all of them. Worker 0 is the caller's goroutine. A
// Pool serves one caller at a time. The zero value is ready to use. A parked worker takes no CPU time.
//
// If a pool becomes unreachable before it is closed, a cleanup ends its goroutines. For this to work, a
// parked worker must reference nothing but its channel.
type Pool struct {
	wake []chan *Pool // one per parked worker; worker i+1 waits for wake[i]
	ends []runtime.Cleanup
	task func(worker int)
	done sync.WaitGroup

	mu     sync.Mutex
	failed any // panic of the first parked worker to fail
}

// Run calls task concurrently for workers 0 to n-1 and returns when all calls have returned. If n is at most
// 1, it calls only task(0).
//
// If a worker panics, the others still finish. Then Run panics with a *Panic or, if only worker 0 panicked,
// with the value of that panic. The pool remains usable.
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

func (p *Pool) join() {
	p.done.Wait()
	p.task = nil
	if failed := p.failed; failed != nil {
		p.failed = nil
		panic(failed)
	}
}

func serve(worker int, wake chan *Pool) {
	for p := range wake {
		p.call(worker, wake)
	}
}

func (p *Pool) call(worker int, wake chan *Pool) {
	returned := false
	defer func() {
		failed := recover()
		if failed == nil && !returned {
			failed = "crowd: a system called runtime.Goexit or a test's Fatal on a worker's goroutine"
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

// Panic is a worker's panic, raised again on the caller's goroutine.
type Panic struct {
	System string // name of the system whose Run panicked; may be empty: see Stack
	Value  any    // of the panic
	Stack  []byte // of the worker, as returned by debug.Stack
}

// PanicOf returns the value of a panic as a *Panic, with the stack of this goroutine. Call it in a deferred
// function.
func PanicOf(value any) *Panic {
	if p, is := value.(*Panic); is {
		return p
	}
	return &Panic{Value: value, Stack: debug.Stack()}
}

func (p *Panic) Error() string {
	by := ""
	if p.System != "" {
		by = p.System + ": "
	}
	return fmt.Sprintf("%s%v\n\nstack of the worker:\n%s", by, p.Value, p.Stack)
}

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
