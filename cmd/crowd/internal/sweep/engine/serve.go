package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Sweep is the sweeping side of a sweep that runs. It must be closed.
type Sweep struct {
	o        Options
	m        Manifest
	name     sweepName
	address  *Address
	lock     *os.File
	server   *embedded // nil: another one
	link     *link
	js       jetstream.JetStream
	streams  map[string]jetstream.Stream
	ctx      context.Context
	cancel   context.CancelCauseFunc
	work     sync.WaitGroup
	complete chan struct{} // closed when every point has a row, or is dead
	sight    sight         // of the workers

	mu        sync.Mutex
	seqs      []uint64 // of the first row of each point; 0: none yet
	dead      map[int64]Dead
	done      int64 // points with a row
	failed    int64 // of these, such as tell that they failed
	seenRows  uint64
	seenDead  uint64
	published int64
	conflicts []Conflict // the first of them
	unequal   int        // how many conflicts
}

// Dead is a point that was given up.
type Dead struct {
	Index   int64
	Tries   int
	Error   string // the last
	Machine string
}

// Conflict are two rows of one point that differ: the run is no pure function.
type Conflict struct {
	Index    int64
	Machines [2]string
	Err      error // in what they differ
}

// Serve begins a sweep, or goes on with the one in the folder, which must be the same.
// It returns when workers can join.
func Serve(ctx context.Context, o Options, m Manifest) (_ *Sweep, err error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	s := &Sweep{o: o, m: m, dead: map[int64]Dead{}, complete: make(chan struct{}), streams: map[string]jetstream.Stream{}}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	defer func() {
		if err != nil {
			s.cancel(err)
			err = errors.Join(err, s.Close())
		}
	}()
	if s.lock, err = lockFolder(o.Folder); err != nil {
		return nil, err
	}
	name, err := kept(o.Folder, nameFile)
	if err != nil {
		return nil, err
	}
	s.name = sweepName(name)
	if err := s.connect(); err != nil {
		return nil, err
	}
	if err := createStreams(s.ctx, s.js, s.name, &s.o); err != nil {
		return nil, s.because(err)
	}
	if err := putManifest(s.ctx, s.js, s.name, &s.o, &s.m); err != nil {
		return nil, s.because(err)
	}
	for _, stream := range []string{points, results, dead, tries} {
		if s.streams[stream], err = s.js.Stream(s.ctx, s.name.stream(stream)); err != nil {
			return nil, err
		}
	}
	if o.RetryDead {
		if err := errors.Join(s.streams[dead].Purge(s.ctx), s.streams[tries].Purge(s.ctx)); err != nil {
			return nil, err
		}
	}
	if err := s.listen(); err != nil {
		return nil, err
	}
	s.address.Sweep = name
	if err := s.address.write(o.Folder); err != nil {
		return nil, err
	}
	s.work.Go(s.feed)
	s.work.Go(s.collectRows)
	s.work.Go(s.collectDead)
	s.work.Go(s.report)
	return s, nil
}

// connect connects to a server, and starts it if there is none.
func (s *Sweep) connect() error {
	how := linking{urls: s.o.NATS, name: "crowd sweep", note: s.o.Note, gaveUp: s.cancel}
	if s.o.NATS != "" {
		s.address = &Address{URLs: strings.Split(s.o.NATS, ",")}
		if s.o.Creds != "" {
			how.options = append(how.options, nats.UserCredentials(s.o.Creds))
		}
	} else {
		var err error
		if s.server, s.address, err = startServer(&s.o); err != nil {
			return err
		}
		how.options = append(how.options, s.server.option())
		s.work.Go(func() {
			select {
			case err := <-s.server.failed():
				s.cancel(fmt.Errorf("%s cannot be written: %w; make room, then begin the sweep again", filepath.Join(s.o.Folder, storeDir), err))
			case <-s.ctx.Done():
			}
		})
	}
	var err error
	if s.link, err = how.dial(s.ctx); err != nil {
		return err
	}
	s.js, err = jetstream.New(s.link.Conn)
	return err
}

// because returns why the sweep ended, if it did, and else an error.
func (s *Sweep) because(err error) error {
	if cause := context.Cause(s.ctx); cause != nil {
		return cause
	}
	// A server that cannot write says so a moment after its clients wait in vain.
	if errors.Is(err, context.DeadlineExceeded) && !sleep(s.ctx, time.Second) {
		return context.Cause(s.ctx)
	}
	return err
}

// Wait waits until every point has a row or is dead. Rows of one point that differ are
// an error then.
func (s *Sweep) Wait() error {
	select {
	case <-s.complete:
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unequal == 0 {
		return nil
	}
	c := s.conflicts[0]
	more := ""
	if s.unequal > 1 {
		more = fmt.Sprintf(" (and %d more)", s.unequal-1)
	}
	return fmt.Errorf("run %d: the rows of %s and of %s differ: %w%s", c.Index, c.Machines[0], c.Machines[1], c.Err, more)
}

// Before returns about how many rows there were when the sweep was begun.
func (s *Sweep) Before() int64 {
	return min(int64(s.streams[results].CachedInfo().State.Msgs), s.m.Points)
}

// Address tells where workers find the sweep.
func (s *Sweep) Address() Address { return *s.address }

// Dead returns the points that were given up, by their indexes.
func (s *Sweep) Dead() map[int64]Dead {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make(map[int64]Dead, len(s.dead))
	for i, d := range s.dead {
		all[i] = d
	}
	return all
}

// Conflicts returns the first rows that differ.
func (s *Sweep) Conflicts() []Conflict {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Conflict(nil), s.conflicts...)
}

// Close ends the sweep and its server. Workers end too if all is done; else they wait
// for the sweep to be begun again.
func (s *Sweep) Close() error {
	if s.isComplete() {
		s.tell(true)
		_ = s.link.Publish(s.name.subject(ended), nil)
		_ = s.link.FlushTimeout(time.Second)
	}
	if s.link != nil {
		s.keepProgress()
	}
	s.cancel(errors.New("the sweep was closed"))
	s.work.Wait()
	if s.link != nil {
		s.link.Close()
	}
	if s.server != nil {
		s.server.close()
	}
	var err error
	if s.isComplete() {
		err = os.Remove(filepath.Join(s.o.Folder, serverFile))
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	return err
}

// Remove takes the streams and files of the sweep from the server, which is for sweeps
// whose rows are elsewhere by now.
func (s *Sweep) Remove(ctx context.Context) error {
	var errs []error
	for _, stream := range []string{points, results, dead, tries, workers} {
		errs = append(errs, s.js.DeleteStream(ctx, s.name.stream(stream)))
	}
	return errors.Join(append(errs, s.js.DeleteObjectStore(ctx, s.name.stream(files)))...)
}

func (s *Sweep) isComplete() bool {
	select {
	case <-s.complete:
		return true
	default:
		return false
	}
}

// listen notes what workers say outside of the streams' consumers.
func (s *Sweep) listen() error {
	if _, err := s.link.Subscribe(s.name.subject(refused), func(m *nats.Msg) {
		var w Worker
		if json.Unmarshal(m.Data, &w) == nil {
			s.o.Note(fmt.Sprintf("the worker on %s was refused: it is %s, and the sweep is of %s", w.Machine, w.Build, s.m.Build))
		}
	}); err != nil {
		return err
	}
	if _, err := s.link.Subscribe(s.name.subject(tries)+".*", func(m *nats.Msg) {
		var t Dead
		if json.Unmarshal(m.Data, &t) == nil && t.Error != died {
			s.o.Note(fmt.Sprintf("run %d failed on %s, try %d of %d: %s", t.Index, t.Machine, t.Tries, s.m.Tries, t.Error))
		}
	}); err != nil {
		return err
	}
	_, err := s.link.Subscribe(s.name.subject(workers)+".*", func(m *nats.Msg) {
		var w Worker
		if json.Unmarshal(m.Data, &w) == nil {
			s.sight.saw(w)
		}
	})
	return err
}
