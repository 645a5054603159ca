package sense

import (
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Sums holds the sums over an agent's neighbors that flocking rules need. With p the position of the agent,
// and q that of a neighbor, they are:
//
//	N        int
//	Repel    r2.Vec // Σ (p - q)^ / |p - q|, 1/m; see below for very near neighbors
//	Away     r2.Vec // Σ (p - q), m
//	Velocity r2.Vec // mean, m/s
//	Far      int    // number of neighbors farther than VeryNear·NeighborDist
//
// In Repel, a neighbor nearer than VeryNear·NeighborDist counts as if at that distance. For a neighbor at the
// same position, the unit vector (p - q)^ is replaced by half the difference of two unit vectors, hashed from
// the two IDs. Rules with the same neighbors share the sums.
type Sums = space.Sums

// SumColumns holds the Sums of the rows of a batch, except Far.
type SumColumns struct {
	N                     []float64 // integers
	Repel, Away, Velocity []r2.Vec

	touched int // keeps reads from being optimized away
}

func (s *SumColumns) resize(n int) {
	s.N, s.Repel, s.Away, s.Velocity = column.Resize(s.N, n), column.Resize(s.Repel, n), column.Resize(s.Away, n), column.Resize(s.Velocity, n)
}

func (s *SumColumns) set(i int, to *Sums) {
	s.N[i], s.Repel[i], s.Away[i], s.Velocity[i] = float64(to.N), to.Repel, to.Away, to.Velocity
}

// At returns the sums of a row, except Far.
func (s *SumColumns) At(i int) Sums {
	return Sums{N: int(s.N[i]), Repel: s.Repel[i], Away: s.Away[i], Velocity: s.Velocity[i]}
}

type sumsOfBlock struct {
	known [blockSize]bool
	of    [blockSize]Look
	all   [blockSize]Sums
	odd   bool // the sums must be computed one by one
}

// Sums returns the sums over the agents that Others(k, look) returns.
func (b *Block) Sums(k int, look Look) *Sums {
	s := &b.sums
	if !s.known[k] || s.of[k] != look {
		if !b.sumAll(k, look) {
			s.known[k], s.of[k] = true, look
			s.all[k] = SumsOf(b.Agents(), b.Index(k), b.Others(k, look), look.NeighborDist)
		}
	}
	return &s.all[k]
}

// sumAll computes the sums of the k-th agent, or of the whole block if all parameters are alike. It returns
// false if sumFrom cannot compute the sums of the k-th agent.
func (b *Block) sumAll(k int, look Look) bool {
	s := &b.sums
	if s.odd || !b.query.Alike() || !b.sumFrom(0, s.all[:b.n], look) {
		s.odd = true
		s.known[k], s.of[k] = b.sumFrom(k, s.all[k:k+1], look), look
		return s.known[k]
	}
	for i := range b.n {
		s.known[i], s.of[i] = true, look
	}
	return true
}

// sumFrom fills a slice with the sums of the agents from the k-th on, without lists of neighbors. It returns
// false if the Look limits the view or the number of neighbors, if its NeighborDist is not the k-th agent's
// reach, if there are layers, or if a reach or a sum of velocities is too large.
func (b *Block) sumFrom(k int, to []Sums, look Look) bool {
	if limited(look.FieldOfView) || look.MaxNeighbors > 0 || b.dists[k] != look.NeighborDist ||
		!b.neighbors.crowd.Sums(&b.gatherer, b.Index(k), look.NeighborDist, float64(look.NeighborDist*VeryNear), to) {
		return false
	}
	for i := range to {
		b.counts[k+i] = max(b.counts[k+i], uint32(to[i].N))
		if !vec.Finite(to[i].Velocity) {
			return false
		}
	}
	return true
}

// VeryNear is the distance, as a fraction of NeighborDist, up to which neighbors count as very near.
const VeryNear = 0x1p-10

// SumsOf returns the sums of an agent over other agents, given by their indexes. radius is the agent's
// NeighborDist in m.
func SumsOf(agents *Agents, index uint32, others []uint32, radius float64) (f Sums) {
	f.N = len(others)
	if f.N == 0 {
		return f
	}
	p := agents.Position(index)
	least := max(float64(float64(radius*VeryNear)*float64(radius*VeryNear)), vec.MinNorm2)
	var repel, away, very, velocity r2.Vec
	for _, i := range others {
		to := vec.Sub(p, agents.Position(i))
		away = vec.Add(away, to)
		velocity = vec.Add(velocity, agents.Velocity(i))
		n2 := vec.Norm2(to)
		if n2 > least {
			repel = vec.AddScaled(repel, 1/n2, to)
			f.Far++
		} else {
			very = vec.Add(very, apart(agents, index, i, to))
		}
	}
	share := 1 / float64(f.N)
	f.Repel = vec.AddScaled(repel, space.PerMeter(float64(radius*VeryNear)), very)
	f.Away, f.Velocity = away, vec.Scale(share, velocity)
	if !vec.Finite(f.Velocity) {
		f.Velocity = r2.Vec{}
		for _, i := range others {
			f.Velocity = vec.AddScaled(f.Velocity, share, agents.Velocity(i))
		}
	}
	return f
}

func apart(agents *Agents, self, other uint32, away r2.Vec) r2.Vec {
	if away == (r2.Vec{}) {
		return agents.Asunder(self, other)
	}
	return vec.Unit(away)
}

// SumsQuery is a Query for the sums over neighbors, from which the rule's Run computes its answer. Rules with
// equal queries share the sums within a frame.
type SumsQuery[T comparable] struct {
	query Query[T, struct{}]
	own   sums
	from  *sums // own, or those of another query
}

type sums struct {
	look  Look
	of    []Sums // by index
	own   []Sums // memory for of
	taken frame.Scratch[takenSums]
}

type takenSums struct {
	step  uint64
	rows  frame.EntityRows // source of the n rows from lo on
	lo, n int
	of    SumColumns
}

// Ask declares the query. look returns the Look of an agent with the given parameters.
func (q *SumsQuery[T]) Ask(n *frame.Needs, look func(T) Look) {
	q.query.AskBlocks(n, look, q.answer)
	q.query.settled = q.share
	n.Scratch(&q.own.taken)
}

// share finds sums to share, once the querying agents are known.
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
	if !q.query.Any() || !n.reaches.some() || !n.frame.Traced().IsZero() {
		clear(q.own.of) // otherwise answer sets all sums
	}
}

func (q *SumsQuery[T]) answer(b *Block) {
	if q.query.Alike() && b.sumFrom(0, q.own.of[b.first:][:b.n], q.query.look(q.query.first)) {
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

// Of returns the sums for the rows of a batch. They are zero for agents without neighbors or outside the
// snapshot, are valid only during Run, and must not be modified.
func (q *SumsQuery[T]) Of(b *frame.Batch) *SumColumns {
	t, n := q.from.taken.Of(b), q.query.neighbors
	if rows, lo := b.Source(), b.Offset(); rows == nil || t.step != n.step || t.rows != rows || t.lo != lo || t.n != b.Len() {
		t.step, t.rows, t.lo, t.n = n.step, rows, lo, b.Len()
		t.of.resize(b.Len())
		q.take(b, &t.of)
	}
	return &t.of
}

func (q *SumsQuery[T]) take(b *frame.Batch, to *SumColumns) {
	from := q.from.of
	var none Sums
	var indexes [blockSize]uint32
	for lo := 0; lo < b.Len(); lo += blockSize {
		some := indexes[:min(b.Len()-lo, blockSize)]
		q.query.Indexes(b, lo, some)
		touched := 0 // reads all rows first, so that the cache misses overlap
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

// Answer returns the sums for an agent.
func (q *SumsQuery[T]) Answer(index uint32) *Sums { return &q.from.of[index] }
