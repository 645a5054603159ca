package engine

import (
	"bytes"
	"fmt"
	"net/http"
	"time"
)

// keep notes the rows and failures that a worker brings.
func (s *Sweep) keep(q *bringing) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*entry
	rows := map[int64]*Row{} // of this question
	for i := range q.Rows {
		row := &q.Rows[i]
		if row.Index < 0 || row.Index >= s.m.Points {
			return &refusal{fmt.Errorf("run %d: there is none", row.Index), http.StatusBadRequest}
		}
		row.Machine = q.Machine
		if err := s.o.Check(row.Index, row.Data); err != nil {
			q.Failed = append(q.Failed, Dead{Index: row.Index, Error: fmt.Sprintf("it brought a row that is none of this run: %v", err)})
			continue
		}
		first := rows[row.Index]
		if at := s.book.row(row.Index); at != 0 {
			var err error
			if first, err = s.journal.row(at); err != nil {
				return err
			}
		}
		if first != nil && !s.compare(first, row) {
			continue
		}
		rows[row.Index] = row
		all = append(all, &entry{Row: row})
	}
	for _, f := range q.Failed {
		l := s.book.leases[f.Index]
		if l == nil || l.ID != q.Worker {
			continue // it is known, or the try was counted when the lease expired
		}
		t := &Dead{f.Index, s.book.tried[f.Index].Tries + 1, f.Error, q.Machine}
		all = append(all, &entry{Try: t})
		s.o.Note(fmt.Sprintf("run %d failed on %s, try %d of %d: %s", t.Index, t.Machine, t.Tries, s.m.Tries, t.Error))
	}
	return s.record(all...)
}

// compare compares two rows of a point, and reports whether they differ.
func (s *Sweep) compare(first, second *Row) bool {
	if bytes.Equal(first.Data, second.Data) {
		return false
	}
	err := s.o.Same(first.Data, second.Data)
	if err != nil {
		err = fmt.Errorf("run %d: the rows of %s and of %s differ: %w", first.Index, first.Machine, second.Machine, err)
		s.o.Note(err.Error())
		s.unequal = append(s.unequal, err)
	}
	return err != nil
}

// record writes entries into the journal, and then into the book.
func (s *Sweep) record(all ...*entry) error {
	if len(all) == 0 {
		return nil
	}
	offsets, err := s.journal.write(all...)
	if err != nil {
		s.cancel(err)
		return err
	}
	for i, e := range all {
		s.book.apply(e, offsets[i], time.Now())
		if t := e.Try; t != nil && t.Tries >= s.m.Tries {
			s.o.Note(fmt.Sprintf("run %d is given up after %d tries, the last on %s: %s", t.Index, t.Tries, t.Machine, t.Error))
		}
	}
	s.wake()
	return nil
}

// wake makes all questions that wait for points look again.
func (s *Sweep) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// settle ends the sweep when every point has a row or is given up.
func (s *Sweep) settle() {
	if s.book.complete() && !s.isComplete() {
		close(s.complete)
		s.wake()
	}
}

// expire takes points back from workers that are silent, and keeps the progress.
func (s *Sweep) expire() {
	for kept := time.Now(); sleep(s.ctx, s.o.Silence/4); {
		s.mu.Lock()
		var all []*entry
		for _, t := range s.book.expired(time.Now()) {
			all = append(all, &entry{Try: &t})
		}
		if s.record(all...) == nil {
			s.settle()
		}
		s.mu.Unlock()
		if time.Since(kept) > 5*beat {
			kept = time.Now()
			s.keepProgress()
		}
	}
}
