package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// Run runs a point and returns its row, and whether the row tells of a failure. With an
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

var errEnded = errors.New("the sweep ended")

// worker is one that is connected.
type worker struct {
	o        WorkOptions
	m        *Manifest
	id       string
	machine  string
	name     sweepName
	link     *link
	js       jetstream.JetStream
	consumer jetstream.Consumer
	tries    jetstream.Stream
	run      Run
	alone    sync.RWMutex // a point on its last try has the worker for itself
	held     held
	done     atomic.Int64
	failed   atomic.Int64
	give     context.CancelCauseFunc // ends the worker
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
	w := &worker{o: o, id: nuid.Next(), machine: fmt.Sprintf("%s (process %d)", host, os.Getpid()), give: give}
	if err := w.connect(ctx); err != nil {
		return Refused{err}
	}
	defer w.link.Close()
	folder, err := os.MkdirTemp("", "crowd-work-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := w.settle(ctx, folder); err != nil {
		if errors.Is(context.Cause(ctx), errEnded) {
			return nil
		}
		return err
	}
	var work sync.WaitGroup
	for range o.Threads {
		work.Go(func() { w.thread(ctx) })
	}
	work.Go(func() { w.signal(ctx) })
	work.Go(func() { w.beat(ctx) })
	work.Wait()
	if err := context.Cause(ctx); !errors.Is(err, errEnded) {
		return err
	}
	return nil
}

// connect connects to the server of the sweep.
func (w *worker) connect(ctx context.Context) error {
	how, name, err := w.o.linking()
	if err != nil {
		return err
	}
	how.name, how.patience, how.note, how.gaveUp = "crowd work", w.o.Patience, w.o.Note, w.give
	if w.link, err = how.dial(ctx); err != nil {
		return err
	}
	w.name = name
	w.js, err = jetstream.New(w.link.Conn)
	return err
}

// settle opens the sweep, and does so again if the server went away meanwhile.
func (w *worker) settle(ctx context.Context, folder string) error {
	for start := time.Now(); ; {
		session := w.link.now()
		own, err := os.MkdirTemp(folder, "")
		if err != nil {
			return err
		}
		err = w.open(ctx, own)
		passing := session.Err() != nil || isTimeout(err) || isAway(err) || errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrJetStreamNotEnabled)
		if err == nil || !passing || time.Since(start) > w.o.Patience {
			return err
		}
		if !sleep(ctx, 200*time.Millisecond) {
			return context.Cause(ctx)
		}
	}
}

// open gets what is to know of the sweep, and its files, and opens its points.
func (w *worker) open(ctx context.Context, folder string) (err error) {
	if w.name, err = find(ctx, w.js, w.name); err != nil {
		return err
	}
	if _, err := w.link.Subscribe(w.name.subject(ended), func(*nats.Msg) { w.give(errEnded) }); err != nil {
		return err
	}
	store, err := w.js.ObjectStore(ctx, w.name.stream(files))
	if err != nil {
		return err
	}
	if w.m, err = getManifest(ctx, store); err != nil {
		return err
	}
	if w.m.Build != w.o.Build {
		b, _ := json.Marshal(Worker{Machine: w.machine, Build: w.o.Build})
		_ = w.link.Publish(w.name.subject(refused), b)
		_ = w.link.FlushTimeout(time.Second)
		return fmt.Errorf("this worker is %s, and the sweep is of %s: want the same", w.o.Build, w.m.Build)
	}
	if err := getFiles(ctx, store, w.m, folder); err != nil {
		return err
	}
	if w.consumer, err = w.js.Consumer(ctx, w.name.stream(points), workers); err != nil {
		return err
	}
	if w.tries, err = w.js.Stream(ctx, w.name.stream(tries)); err != nil {
		return err
	}
	w.run, err = w.o.Open(w.m, folder)
	return err
}
