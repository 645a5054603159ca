package engine

import (
	"cmp"
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

// Run runs a point and returns its row and whether the run failed. After an error, the point is tried again,
// up to Manifest.Tries times in all. A full disk (ENOSPC) ends the worker and does not count as a try. Run is
// called concurrently and must return soon after ctx is done.
type Run func(ctx context.Context, index int64) (row []byte, failed bool, err error)

// Refused is the error of a worker that could not join.
type Refused struct{ Err error }

func (e Refused) Error() string { return e.Err.Error() }
func (e Refused) Unwrap() error { return e.Err }

// WorkOptions are the settings of a worker.
type WorkOptions struct {
	Where
	Threads  int           // points at once, 1 or more
	Build    string        // as returned by [Build]
	Patience time.Duration // how long to wait for an absent server; 0 means 2 min

	// Open prepares the runs of a sweep, whose files are in folder.
	Open func(m *Manifest, folder string) (Run, error)
	Note func(line string) // receives messages for the user
}

type worker struct {
	*client
	o       WorkOptions
	m       Manifest
	beats   time.Duration // between heartbeats
	id      string
	machine string
	run     Run
	queue   chan int64 // points that wait for a thread
	room    chan struct{}
	idle    atomic.Int64 // threads without a point
	results chan result
	held    held
	done    atomic.Int64
	failed  atomic.Int64
	give    context.CancelCauseFunc
}

// Work runs points until the sweep is complete, then returns nil. If ctx is done first, Work returns
// context.Cause(ctx). If the worker cannot connect or is refused, Work returns a Refused.
func Work(ctx context.Context, o WorkOptions) error {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown machine"
	}
	ctx, give := context.WithCancelCause(ctx)
	defer give(nil)
	w := &worker{o: o, id: rand.Text(), machine: fmt.Sprintf("%s (process %d)", host, os.Getpid()), give: give,
		queue: make(chan int64, 2*maxTake), room: make(chan struct{}, 1), results: make(chan result, mostAhead*o.Threads)}
	if w.client, err = o.Where.client(); err != nil {
		return Refused{err}
	}
	defer w.http.CloseIdleConnections()
	w.patience, w.note = cmp.Or(o.Patience, 2*time.Minute), o.Note
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
	for _, f := range w.m.Files {
		err := w.persist(ctx, func() error {
			return w.once(ctx, "/file/"+f.SHA256, nil, func(body io.Reader) error { return f.Put(folder, body) })
		})
		if err != nil {
			return fmt.Errorf("file %q: %w", f.Name, err)
		}
	}
	var err error
	w.run, err = w.o.Open(&w.m, folder)
	return err
}

// work runs points until ctx is done, then delivers results and gives back the rest.
func (w *worker) work(ctx context.Context) {
	var threads, rest sync.WaitGroup
	for range w.o.Threads {
		threads.Go(func() { w.thread(ctx) })
	}
	rest.Go(func() { w.fetch(ctx) })
	rest.Go(func() { w.beat(ctx) })
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

// ends ends the worker after an error or when the sweep is complete, and reports whether it did.
func (w *worker) ends(a answer, err error) bool {
	if err == nil && a.Ended {
		err = errEnded
	}
	if err != nil {
		w.give(err)
	}
	return err != nil
}

const (
	ahead     = 50 * time.Millisecond // estimated duration of the points that wait for each thread
	mostAhead = 64                    // maximum number of these points
	maxBring  = 1 << 20               // bytes of rows after which a request is sent
)

type result struct {
	Row
	err error
}

func (w *worker) thread(ctx context.Context) {
	for {
		w.idle.Add(1)
		w.poke()
		var index int64
		select {
		case index = <-w.queue:
			w.idle.Add(-1)
			w.poke()
		case <-ctx.Done():
			return
		}
		h := w.held.begin(index, w.m.MaxSeconds)
		if h == nil {
			continue
		}
		r := result{Row: Row{Index: index}}
		start := time.Now()
		r.Data, r.Failed, r.err = w.limited(ctx, index)
		w.held.finish(h, time.Since(start))
		switch {
		case r.err == nil && len(r.Data) > maxRow:
			r.err = fmt.Errorf("the row has %d bytes, want at most %d", len(r.Data), maxRow)
		case errors.Is(r.err, syscall.ENOSPC):
			w.give(r.err)
			return
		}
		if r.err != nil && ctx.Err() != nil {
			return // an interruption is not a try
		}
		w.results <- r
	}
}

func (w *worker) limited(ctx context.Context, index int64) ([]byte, bool, error) {
	if w.m.MaxSeconds > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(w.m.MaxSeconds*float64(time.Second)))
		defer cancel()
	}
	return w.run(ctx, index)
}

func (w *worker) poke() {
	select {
	case w.room <- struct{}{}:
	default:
	}
}

// fetch requests points for threads that are or soon will be idle.
func (w *worker) fetch(ctx context.Context) {
	for ctx.Err() == nil {
		spare := w.held.spare(w.o.Threads)
		n := int(w.idle.Load()) + spare - len(w.queue)
		if n <= 0 || len(w.queue) > spare/2 {
			select {
			case <-w.room:
			case <-ctx.Done():
			}
			continue
		}
		var a answer
		err := w.ask(ctx, "/life", w.life(min(n, maxTake)), &a)
		if w.ends(a, err) {
			return
		}
		w.held.add(a.Points, time.Now())
		for _, index := range a.Points {
			select {
			case w.queue <- index:
			case <-ctx.Done():
				return
			}
		}
	}
}

func (w *worker) deliver(ctx context.Context) {
	for r := range w.results {
		b, size := bringing{Worker: w.id, Machine: w.machine}, 0
		var all []int64
		for more := true; more; {
			all = append(all, r.Index)
			if size += len(r.Data); r.err != nil {
				b.Failed = append(b.Failed, Dead{Index: r.Index, Error: r.err.Error()})
			} else {
				b.Rows = append(b.Rows, r.Row)
			}
			if r.err != nil || r.Failed {
				w.failed.Add(1)
			}
			more = false
			if size < maxBring && len(all) < maxTake {
				select {
				case r, more = <-w.results:
				default:
				}
			}
		}
		var a answer
		err := w.ask(ctx, "/done", b, &a)
		if err == nil {
			w.done.Add(int64(len(b.Rows)))
			w.held.remove(all)
		}
		w.ends(a, err)
	}
}

func (w *worker) beat(ctx context.Context) {
	for {
		var a answer
		err := w.ask(ctx, "/life", w.life(0), &a)
		if w.ends(a, err) || !sleep(ctx, w.beats) {
			return
		}
	}
}

func (w *worker) life(want int) life {
	l := life{Worker: Worker{ID: w.id, Machine: w.machine, Build: w.o.Build, Threads: w.o.Threads, Done: w.done.Load(), Failed: w.failed.Load()}, Want: want}
	w.held.report(&l, time.Now())
	return l
}

// held holds the points of a worker until their results are confirmed or the points are given back.
type held struct {
	mu   sync.Mutex
	all  map[int64]*holding
	mean time.Duration // recent mean duration of a point
	past window
}

type holding struct {
	since time.Time
	begun bool
	ended bool      // the result is on its way
	end   time.Time // when renewals of the lease end; zero means never
}

func (h *held) add(points []int64, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all == nil {
		h.all = map[int64]*holding{}
	}
	for _, index := range points {
		h.all[index] = &holding{since: now}
	}
}

// begin starts a point with a limit in seconds; 0 means none. It returns nil if the worker no longer has the
// point, or has begun it before.
func (h *held) begin(index int64, seconds float64) *holding {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.all[index]
	if one == nil || one.begun {
		return nil
	}
	one.begun = true
	if seconds > 0 {
		one.end = time.Now().Add(time.Duration(seconds*float64(time.Second)) + beat) // then another worker may take it
	}
	return one
}

func (h *held) remove(points []int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, index := range points {
		delete(h.all, index)
	}
}

// report adds the rate and the points to a heartbeat, and gives back points that waited too long.
func (h *held) report(l *life, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	l.Rate, l.Points = h.past.rate(l.Done), []int64{}
	for index, one := range h.all {
		switch {
		case !one.begun && now.Sub(one.since) > beat:
			l.Back = append(l.Back, index)
			delete(h.all, index)
		case !one.begun || one.ended:
			l.Waiting = append(l.Waiting, index)
		case one.end.IsZero() || now.Before(one.end):
			l.Points = append(l.Points, index)
		default:
			l.Late = append(l.Late, index)
		}
	}
}

func (h *held) finish(one *holding, d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	one.ended = true
	h.mean += (d - h.mean) / 8
	h.mean = max(h.mean, d/8, 1)
}

// spare returns how many points should wait for the threads, or 0 until a point has ended.
func (h *held) spare(threads int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.mean == 0 {
		return 0
	}
	return threads * int(min(ahead/h.mean, mostAhead))
}
