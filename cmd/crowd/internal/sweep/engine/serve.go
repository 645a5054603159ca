package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Sweep is the sweeping side of a sweep that runs. It must be closed.
type Sweep struct {
	o        Options
	m        Manifest
	header   header
	address  *Address
	journal  *journal
	server   *http.Server
	ctx      context.Context
	cancel   context.CancelCauseFunc
	work     sync.WaitGroup
	complete chan struct{} // closed when every point has a row, or is given up
	before   int64         // rows that there were at the beginning

	mu      sync.Mutex
	book    *book
	past    window
	changed chan struct{} // closed when points may have come back
	unequal []error       // in what rows of one point differ
}

// Dead is a point that was given up, or the last try of one that may be.
type Dead struct {
	Index   int64  `json:"index"`
	Tries   int    `json:"tries,omitempty"`
	Error   string `json:"error"` // the last
	Machine string `json:"machine,omitempty"`
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
	s := &Sweep{o: o, m: m, complete: make(chan struct{}), changed: make(chan struct{}), book: newBook(m.Points, m.Tries, o.Silence)}
	s.header = header{m.Build, m.Points, m.digest()}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	defer func() {
		if err != nil {
			s.cancel(err)
			err = errors.Join(err, s.Close())
		}
	}()
	if err := m.verify(o.Open); err != nil {
		return nil, err
	}
	if err := s.resume(); err != nil {
		return nil, err
	}
	if err := s.listen(); err != nil {
		return nil, err
	}
	s.work.Go(s.expire)
	return s, nil
}

// resume reads the journal, or begins it.
func (s *Sweep) resume() (err error) {
	var second []*Row // of points that have one
	s.journal, err = openJournal(s.o.Folder, s.header, func(e *entry, offset int64) {
		if e.Row != nil {
			if err := s.o.Check(e.Row.Index, e.Row.Data); err != nil {
				s.o.Note(fmt.Sprintf("run %d is done again: the row of %s is none of it: %v", e.Row.Index, e.Row.Machine, err))
				return
			}
		}
		if e.Row != nil && s.book.row(e.Row.Index) != 0 {
			second = append(second, e.Row)
		}
		s.book.apply(e, offset, time.Now())
	})
	if err != nil {
		return err
	}
	for _, row := range second {
		first, err := s.journal.row(s.book.row(row.Index))
		if err != nil {
			return err
		}
		s.compare(first, row)
	}
	if s.o.RetryDead {
		if err := s.record(&entry{Retry: true}); err != nil {
			return err
		}
	}
	s.book.begin(time.Now())
	s.before = s.book.done
	s.settle()
	return nil
}

// Wait waits until every point has a row or is given up. Rows of one point that differ are
// an error then.
func (s *Sweep) Wait() error {
	select {
	case <-s.complete:
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch n := len(s.unequal); n {
	case 0:
		return nil
	case 1:
		return s.unequal[0]
	default:
		return fmt.Errorf("%w (and %d more)", s.unequal[0], n-1)
	}
}

// Before returns how many rows there were when the sweep was begun.
func (s *Sweep) Before() int64 { return s.before }

// Address returns where workers find the sweep.
func (s *Sweep) Address() Address { return *s.address }

// Close ends the sweep. Workers end too if all is done; else they wait for the sweep to be
// begun again.
func (s *Sweep) Close() error {
	if s.server != nil {
		s.farewell()
	}
	s.cancel(errors.New("the sweep was closed"))
	if s.server != nil {
		ctx, cancel := context.WithTimeout(context.Background(), beat)
		if s.server.Shutdown(ctx) != nil { // it waits for answers
			_ = s.server.Close()
		}
		cancel()
	}
	s.work.Wait()
	var errs []error
	if s.journal != nil {
		if !s.isComplete() {
			s.giveBack()
		}
		s.keepProgress()
		errs = append(errs, s.journal.close())
	}
	for _, name := range secrets {
		if s.isComplete() && s.server != nil {
			if err := os.Remove(filepath.Join(s.o.Folder, name)); !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// farewell waits for a moment until all workers that give signs of life know that the sweep is
// complete.
func (s *Sweep) farewell() {
	know := func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, m := range s.book.members {
			if !m.knows && time.Since(m.seen) < 5*beat {
				return false
			}
		}
		return true
	}
	for end := time.Now().Add(5 * beat); s.isComplete() && !know() && time.Now().Before(end); {
		time.Sleep(beat / 50)
	}
}

// giveBack ends all leases without a try, so that only what dies without a word is suspect.
func (s *Sweep) giveBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var back []int64
	for index := range s.book.leases {
		back = append(back, index)
	}
	if back != nil {
		_ = s.record(&entry{Free: back}) // the disk may be full
	}
}

func (s *Sweep) isComplete() bool {
	select {
	case <-s.complete:
		return true
	default:
		return false
	}
}
