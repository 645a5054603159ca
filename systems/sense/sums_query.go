package sense

import (
	"github.com/8f878440/crowd/systems/frame"
)

// SumsQuery is a Query for the sums over neighbors, which Run of the rule makes its answer of.
// Rules of a frame that ask all agents alike share them: they are summed once, stored once,
// and looked up once for each batch of rows.
type SumsQuery[T comparable] struct {
	query Query[T, struct{}]
	own   sums
	from  *sums // that are shared
}

// sums are those of all agents.
type sums struct {
	look  Look
	of    []Sums // by index
	own   []Sums // memory for them
	taken frame.Scratch[takenSums]
}

// takenSums are those of the rows of a batch.
type takenSums struct {
	step  uint64
	rows  frame.EntityRows // of these the first one, and how many:
	lo, n int
	of    SumColumns
}

// Ask declares the query; look says how far an agent with these parameters looks.
func (q *SumsQuery[T]) Ask(n *frame.Needs, look func(T) Look) {
	q.query.AskBlocks(n, look, q.answer)
	q.query.settled = q.share
	n.Scratch(&q.own.taken)
}

// share finds out whose sums these are, when it is known who asks.
func (q *SumsQuery[T]) share() {
	n, alike := q.query.neighbors, q.query.Any() && q.query.Alike()
	q.from, q.query.shares = &q.own, false
	if alike {
		look := q.query.look(q.query.first)
		for _, s := range n.sums {
			if s.look == look {
				q.from, q.query.shares, q.own.of = s, true, nil
				return
			}
		}
		q.own.look = look
		n.sums = append(n.sums, &q.own)
	}
	q.own.of = room(n, &q.own.own)
	if !q.query.Any() || !n.reaches.some() || !n.stands.IsZero() {
		clear(q.own.of) // or else answer sets all of them
	}
}

// answer sums for a block of agents.
func (q *SumsQuery[T]) answer(b *Block) {
	if q.query.Alike() && b.sumInto(q.own.of[b.first:][:b.n], q.query.look(q.query.first)) {
		return
	}
	for k := range b.Len() {
		index := b.Index(k)
		if b.Reach(k) > 0 {
			q.own.of[index] = *b.Sums(k, q.query.look(*q.query.Param(index)))
		} else {
			q.own.of[index] = Sums{}
		}
	}
}

// Of returns the sums for the rows of a batch, zero for agents that are not in the snapshot
// or have no neighbors. They must not outlive Run, nor be written to.
func (q *SumsQuery[T]) Of(b *frame.Batch) *SumColumns {
	t, n := q.from.taken.Of(b), q.query.neighbors
	if rows, lo := b.Source(), b.Offset(); rows == nil || t.step != n.step || t.rows != rows || t.lo != lo || t.n != b.Len() {
		t.step, t.rows, t.lo, t.n = n.step, rows, lo, b.Len()
		t.of.resize(b.Len())
		q.take(b, &t.of)
	}
	return &t.of
}

// take sets to to the sums for the rows of a batch.
func (q *SumsQuery[T]) take(b *frame.Batch, to *SumColumns) {
	from := q.from.of
	var none Sums
	var indexes [blockSize]uint32
	for lo := 0; lo < b.Len(); lo += blockSize {
		some := indexes[:min(b.Len()-lo, blockSize)]
		q.query.Indexes(b, lo, some)
		touched := 0 // together, so that they wait for memory together
		for _, p := range some {
			if int(p) < len(from) {
				touched += from[p].N
			}
		}
		to.touched = touched
		for i, p := range some {
			of := &none
			if int(p) < len(from) {
				of = &from[p]
			}
			to.set(lo+i, of)
		}
	}
}

// Answer returns where the sums for an agent are.
func (q *SumsQuery[T]) Answer(index uint32) *Sums { return &q.from.of[index] }
