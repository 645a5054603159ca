package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Run runs a point and returns its row, and whether the row is of a run that failed. With an
// error there is no row, and the point is tried again, perhaps elsewhere; [Unable] is no
// try. It runs on several goroutines at once, and must return soon when the context ends.
type Run func(ctx context.Context, index int64) (row []byte, failed bool, err error)

// Unable is an error of the worker's machine, not of the point, such as a full disk. It
// ends the worker.
type Unable struct{ Err error }

func (e Unable) Error() string { return e.Err.Error() }
func (e Unable) Unwrap() error { return e.Err }

// Refused says that a worker could not join.
type Refused struct{ Err error }

func (e Refused) Error() string { return e.Err.Error() }
func (e Refused) Unwrap() error { return e.Err }

// WorkOptions say where a worker finds its sweep, and what it does.
type WorkOptions struct {
	Where
	Threads  int           // points at once, from 1
	Build    string        // as by [Build]
	Patience time.Duration // how long the server may be away; 0: two minutes

	// Open gets what to know of the sweep and the folder of its files, which is the
	// worker's own.
	Open func(m *Manifest, folder string) (Run, error)
	Note func(line string) // may be nil
}

// worker is one that has joined.
type worker struct {
	*client
	o       WorkOptions
	m       Manifest
	beats   time.Duration // how often it gives signs of life
	id      string
	machine string
	run     Run
	queue   chan int64 // points that wait for a thread
	room    chan struct{}
	idle    atomic.Int64 // threads that wait for a point
	results chan result
	held    held
	done    atomic.Int64
	failed  atomic.Int64
	give    context.CancelCauseFunc // ends the worker
}

// Work works on the points of a sweep until it ends; then the error is nil.
func Work(ctx context.Context, o WorkOptions) error {
	if o.Threads < 1 {
		return fmt.Errorf("%d threads, want at least 1", o.Threads)
	}
	if o.Patience == 0 {
		o.Patience = 2 * time.Minute
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	host, err := os.Hostname()
	if err != nil {
		host = "a machine without name"
	}
	ctx, give := context.WithCancelCause(ctx)
	defer give(nil)
	w := &worker{o: o, id: rand.Text(), machine: fmt.Sprintf("%s (process %d)", host, os.Getpid()), give: give,
		queue: make(chan int64, 2*maxTake), room: make(chan struct{}, 1), results: make(chan result, mostAhead*o.Threads)}
	if w.client, err = o.Where.client(); err != nil {
		return Refused{err}
	}
	defer w.http.CloseIdleConnections()
	w.patience, w.note = o.Patience, o.Note
	folder, err := os.MkdirTemp("", "crowd-work-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	err = w.join(ctx, folder)
	if err == nil {
		w.work(ctx)
		err = context.Cause(ctx)
	}
	if errors.Is(err, errEnded) {
		return nil
	}
	return err
}

// join gets what is to know of the sweep, and its files, and opens its points.
func (w *worker) join(ctx context.Context, folder string) error {
	var a joined
	if err := w.ask(ctx, "/join", joining{w.id, w.machine, w.o.Build}, &a); err != nil {
		if ctx.Err() == nil && !errors.Is(err, errEnded) {
			return Refused{err}
		}
		return err
	}
	if a.Ended {
		return errEnded
	}
	if err := a.Manifest.check(); err != nil {
		return fmt.Errorf("the manifest of the sweep: %w", err)
	}
	w.m, w.beats = a.Manifest, min(max(a.Beat, time.Millisecond), beat)
	w.digest = w.m.digest()
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range w.m.Files {
		err := w.persist(ctx, func() error {
			return w.once(ctx, "/file/"+f.SHA256, nil, func(body io.Reader) error { return putFile(root, f, body) })
		})
		if err != nil {
			return fmt.Errorf("file %q: %w", f.Name, err)
		}
	}
	w.run, err = w.o.Open(&w.m, folder)
	return err
}

// work does points until the context ends, and then gives back what it has.
func (w *worker) work(ctx context.Context) {
	var threads, rest sync.WaitGroup
	for range w.o.Threads {
		threads.Go(func() { w.thread(ctx) })
	}
	rest.Go(func() { w.fetch(ctx) })
	rest.Go(func() { w.beat(ctx) })
	// What is done is delivered although the worker ends.
	last, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	delivered := make(chan struct{})
	go func() {
		defer close(delivered)
		w.deliver(last)
	}()
	<-ctx.Done()
	timer := time.AfterFunc(beat, func() { cancel(context.Cause(ctx)) })
	defer timer.Stop()
	threads.Wait()
	rest.Wait()
	close(w.results)
	<-delivered
	if !errors.Is(context.Cause(ctx), errEnded) {
		leave, cancel := context.WithTimeout(context.WithoutCancel(ctx), beat)
		defer cancel()
		_ = w.once(leave, "/life", life{Worker: Worker{ID: w.id, Machine: w.machine}, Leave: true}, func(io.Reader) error { return nil })
	}
}

// ends ends the worker if an answer or an error says so.
func (w *worker) ends(a answer, err error) bool {
	if err == nil && a.Ended {
		err = errEnded
	}
	if err != nil {
		w.give(err)
	}
	return err != nil
}

// isUnable reports whether an error is of the machine.
func isUnable(err error) bool {
	var u Unable
	return errors.As(err, &u) || errors.Is(err, syscall.ENOSPC)
}
