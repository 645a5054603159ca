package engine

import (
	"context"
	"iter"
	"maps"
	"slices"
	"time"
)

const died = "the worker died or lost its connection"

// book holds the state of all points. Callers must hold the lock of the Sweep.
type book struct {
	points  int64
	tries   int
	silence time.Duration // time after which a silent worker loses its leases

	rows   []int64        // journal offset of each point's first row; 0 means none
	done   int64          // points with a row
	failed int64          // points whose row is from a failed run
	tried  map[int64]Dead // last failed try of each point without a row
	dead   int64          // points given up

	next    int64   // all points below have been handed out
	again   []int64 // points to hand out again
	lonely  []int64 // points to run alone
	leases  map[int64]*lease
	members map[string]*member
	looked  time.Time // last call to expired
}

type lease struct {
	*member
	alone   bool // the worker has no other point
	expires time.Time
}

type member struct {
	Worker
	seen   time.Time // zero if only the journal names the worker
	leases map[int64]*lease
	asks   int  // requests for points; only the latest gets points
	knows  bool // the worker knows that the sweep is complete
}

func newBook(points int64, tries int, silence time.Duration) *book {
	return &book{points: points, tries: tries, silence: silence, tried: map[int64]Dead{}, leases: map[int64]*lease{}, members: map[string]*member{}}
}

func (b *book) row(index int64) int64 {
	if index < int64(len(b.rows)) {
		return b.rows[index]
	}
	return 0
}

func (b *book) settled(index int64) bool {
	return b.row(index) != 0 || b.tried[index].Tries >= b.tries
}

func (b *book) complete() bool { return b.done+b.dead == b.points }

func (b *book) member(id string) *member {
	m := b.members[id]
	if m == nil {
		m = &member{Worker: Worker{ID: id}, leases: map[int64]*lease{}}
		b.members[id] = m
	}
	return m
}

// take returns up to n points for a worker, or one that the worker must run alone. Untried points come first,
// so that a point that kills workers does not delay them. The last try of a point runs alone, so no other
// point is blamed.
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

// hear renews the leases of a worker after the heartbeat q. The returned entries lease points that the worker
// has without a lease, and free those it gives back. If the worker wants points, the entries also free leased
// points that q does not list: the answer with them was lost.
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

// expired returns a failed try for each expired lease, and forgets silent workers without leases. Only a
// point that ran alone can fail its last try: otherwise another point may have killed the worker. If the
// process was stopped for a long time, expired first extends all leases.
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
		for int64(len(b.rows)) <= index {
			b.rows = append(b.rows, 0)
		}
		if b.rows[index] != 0 {
			return
		}
		if b.tried[index].Tries >= b.tries {
			b.dead-- // a slow worker delivered the row
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

func (b *book) release(index int64) {
	if l := b.leases[index]; l != nil {
		delete(l.leases, index)
		delete(b.leases, index)
	}
}

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

// begin queues the tried points that are neither settled nor leased.
func (b *book) begin(now time.Time) {
	b.looked = now
	b.next, b.again, b.lonely = 0, nil, nil
	for _, index := range slices.Sorted(maps.Keys(b.tried)) {
		if b.leases[index] == nil {
			b.comeBack(index)
		}
	}
}

// Row is the result of a point.
type Row struct {
	Index   int64  `json:"index"`
	Data    []byte `json:"data,omitempty"` // nil if the point was given up
	Machine string `json:"machine,omitempty"`
	Failed  bool   `json:"failed,omitempty"` // the run failed
	Dead    *Dead  `json:"-"`                // set if the point was given up
}

// Rows iterates over the rows and given-up points in the order of their indexes, and skips unfinished points.
// If reading fails or ctx is done, it yields the error and stops.
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
