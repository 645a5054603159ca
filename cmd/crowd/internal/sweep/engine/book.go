package engine

import (
	"context"
	"iter"
	"maps"
	"slices"
	"time"
)

// died is the error of a try that nothing was heard of.
const died = "its worker died, or was cut off"

// book is what is known of all points: which have a row, which are given up, and which are
// leased to a worker. It has no clock and no lock.
type book struct {
	points  int64
	tries   int
	silence time.Duration // after which a lease expires

	rows   []int64 // offset of the first row of each point in the journal; 0: none yet
	done   int64   // points with a row
	failed int64   // of these, rows of runs that failed
	tried  map[int64]Dead
	dead   int64 // of the tried, those that are given up

	next    int64   // the first that was never handed out
	again   []int64 // were handed out, and came back
	lonely  []int64 // of these, such as must have a worker for themselves
	leases  map[int64]*lease
	members map[string]*member // by the IDs of workers
	looked  time.Time          // for leases that have expired
}

// lease is a point that a worker has.
type lease struct {
	*member
	alone   bool // the worker has no other one
	expires time.Time
}

// member is a worker.
type member struct {
	Worker
	seen   time.Time // the last sign of life; zero: none, only the journal names it
	leases map[int64]*lease
	asks   int  // counts its questions for points: only the last one is answered
	knows  bool // that the sweep has ended
}

func newBook(points int64, tries int, silence time.Duration) *book {
	return &book{points: points, tries: tries, silence: silence, tried: map[int64]Dead{}, leases: map[int64]*lease{}, members: map[string]*member{}}
}

// row returns the offset of the row of a point; 0: it has none.
func (b *book) row(index int64) int64 {
	if index < int64(len(b.rows)) {
		return b.rows[index]
	}
	return 0
}

// settled reports whether a point has a row or is given up.
func (b *book) settled(index int64) bool {
	return b.row(index) != 0 || b.tried[index].Tries >= b.tries
}

func (b *book) complete() bool { return b.done+b.dead == b.points }

// member returns a worker, which may be new.
func (b *book) member(id string) *member {
	m := b.members[id]
	if m == nil {
		m = &member{Worker: Worker{ID: id}, leases: map[int64]*lease{}}
		b.members[id] = m
	}
	return m
}

// take returns up to n points for a worker, and whether it must have the only one for itself.
// Points that were never tried come first, so that one that brings its workers down delays
// none of them. The last try is alone in its worker: no other point is blamed for it.
func (b *book) take(m *member, n int) (points []int64, alone bool) {
	for _, l := range m.leases {
		if l.alone {
			return nil, false
		}
	}
	open := func(index int64) bool { return !b.settled(index) && b.leases[index] == nil }
	for ; len(points) < n && b.next < b.points; b.next++ {
		if _, tried := b.tried[b.next]; !tried && open(b.next) {
			points = append(points, b.next)
		}
	}
	for ; len(points) < n && len(b.again) > 0; b.again = b.again[1:] {
		if open(b.again[0]) && !slices.Contains(points, b.again[0]) {
			points = append(points, b.again[0])
		}
	}
	if len(points) > 0 || len(m.leases) > 0 || n < 1 {
		return points, false
	}
	for len(b.lonely) > 0 {
		first := b.lonely[0]
		b.lonely = b.lonely[1:]
		if open(first) {
			return []int64{first}, true
		}
	}
	return nil, false
}

// hear renews the leases of a worker by a sign of life. It returns entries for points that
// the worker has without a lease, as after it was cut off for long; for those that it gives
// back; and, when it wants more, for those that it should have and has not, because an answer
// never reached it.
func (b *book) hear(m *member, q *life, now time.Time) (all []*entry) {
	m.Worker, m.seen = q.Worker, now
	has := map[int64]bool{}
	for _, index := range q.Late {
		has[index] = true
	}
	var unknown, back []int64
	for _, index := range append(q.Waiting, q.Points...) {
		has[index] = true
		if l := b.leases[index]; l != nil && l.member == m {
			l.expires = now.Add(b.silence)
		} else if l == nil && index >= 0 && index < b.points && !b.settled(index) {
			unknown = append(unknown, index)
		}
	}
	for index := range m.leases {
		if q.Leave || q.Want > 0 && !has[index] || slices.Contains(q.Back, index) {
			back = append(back, index)
		}
	}
	if q.Leave {
		delete(b.members, m.ID)
	} else if unknown != nil {
		all = append(all, &entry{Lease: &handed{m.ID, m.Machine, unknown, false}})
	}
	if back != nil {
		slices.Sort(back)
		all = append(all, &entry{Free: back})
	}
	return all
}

// expired returns a try for each lease that has expired. A try that was not alone is not the
// last one: another point may have brought the worker down. After a long pause, as of a
// process that was stopped, the workers are heard first.
func (b *book) expired(now time.Time) (tries []Dead) {
	if now.Sub(b.looked) > b.silence/2 {
		for _, l := range b.leases {
			l.expires = now.Add(b.silence)
		}
	}
	b.looked = now
	for _, index := range slices.Sorted(maps.Keys(b.leases)) {
		l := b.leases[index]
		if now.Before(l.expires) {
			continue
		}
		t := Dead{Index: index, Tries: b.tried[index].Tries + 1, Error: died, Machine: l.Machine}
		if t.Tries >= b.tries && !l.alone {
			t.Tries = b.tries - 1
		}
		tries = append(tries, t)
	}
	for id, m := range b.members {
		if len(m.leases) == 0 && now.Sub(m.seen) > b.silence+hold {
			delete(b.members, id)
		}
	}
	return tries
}

// apply changes what is known of points by an entry of the journal, which begins at an offset.
func (b *book) apply(e *entry, offset int64, now time.Time) {
	switch {
	case e.Lease != nil:
		m := b.member(e.Lease.Worker)
		m.Machine = e.Lease.Machine
		for _, index := range e.Lease.Points {
			b.release(index)
			l := &lease{member: m, alone: e.Lease.Alone, expires: now.Add(b.silence)}
			b.leases[index], m.leases[index] = l, l
		}
	case e.Free != nil:
		for _, index := range e.Free {
			b.release(index)
			b.comeBack(index)
		}
	case e.Row != nil:
		index := e.Row.Index
		b.release(index)
		for int64(len(b.rows)) <= index { // grows with what there is, not with what may come
			b.rows = append(b.rows, 0)
		}
		if b.rows[index] != 0 {
			return
		}
		if b.tried[index].Tries >= b.tries {
			b.dead-- // a slow worker brought it after all
		}
		delete(b.tried, index)
		b.rows[index] = offset
		b.done++
		if e.Row.Failed {
			b.failed++
		}
	case e.Try != nil:
		b.release(e.Try.Index)
		if b.settled(e.Try.Index) {
			return
		}
		b.tried[e.Try.Index] = *e.Try
		if e.Try.Tries >= b.tries {
			b.dead++
		}
		b.comeBack(e.Try.Index)
	case e.Retry:
		clear(b.tried)
		b.dead = 0
	}
}

// release ends the lease of a point, if it has one.
func (b *book) release(index int64) {
	if l := b.leases[index]; l != nil {
		delete(l.leases, index)
		delete(b.leases, index)
	}
}

// comeBack makes a point wait for another worker, unless it is settled.
func (b *book) comeBack(index int64) {
	if b.settled(index) {
		return
	}
	if t, tried := b.tried[index]; tried && t.Tries+1 >= b.tries {
		b.lonely = append(b.lonely, index)
	} else {
		b.again = append(b.again, index)
	}
}

// begin makes all points wait that a journal leaves open, but for those that are leased.
func (b *book) begin(now time.Time) {
	b.looked = now
	b.next, b.again, b.lonely = 0, nil, nil
	for _, index := range slices.Sorted(maps.Keys(b.tried)) {
		if b.leases[index] == nil {
			b.comeBack(index)
		}
	}
}

// Row is what came of a point.
type Row struct {
	Index   int64  `json:"index"`
	Data    []byte `json:"data,omitempty"`    // nil if it is dead
	Machine string `json:"machine,omitempty"` // that did it
	Failed  bool   `json:"failed,omitempty"`  // the row is of a run that failed
	Dead    *Dead  `json:"-"`
}

// Rows yields the row of every point once, in the order of the indexes. Points that have
// none yet, in a sweep that is not complete, are left out. After an error there is no more.
func (s *Sweep) Rows(ctx context.Context) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for i := range s.m.Points {
			if err := context.Cause(ctx); err != nil {
				yield(Row{}, err)
				return
			}
			s.mu.Lock()
			at, d := s.book.row(i), s.book.tried[i]
			s.mu.Unlock()
			row, err := &Row{Index: i, Machine: d.Machine, Dead: &d}, error(nil)
			switch {
			case at != 0:
				row, err = s.journal.row(at)
			case d.Tries < s.m.Tries:
				continue
			}
			if err != nil {
				yield(Row{}, err)
				return
			}
			if !yield(*row, nil) {
				return
			}
		}
	}
}
