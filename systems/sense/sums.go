package sense

import (
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Sums are what the rules of a flock have to know of the neighbors of an agent at p:
//
//	N        int
//	Repel    r2.Vec // Σ (p - q)^ / |p - q|, 1/m; an agent nearer than VeryNear counts as if there, and for (p - q)^ of those in the same place counts half the difference of two unit vectors, a hash of the ID of each
//	Away     r2.Vec // Σ (p - q), m
//	Velocity r2.Vec // mean, m/s
//	Far      int    // how many of the N are not nearer than VeryNear
//
// Rules that look for the same neighbors share them, because the way to the neighbors
// takes more time than the sums.
type Sums = space.Sums

// SumColumns are the Sums of the rows of a batch, a column for each thing that is known of the
// neighbors.
type SumColumns struct {
	N                     []float64 // whole numbers
	Repel, Away, Velocity []r2.Vec

	touched int // for the sake of reading
}

// resize makes them those of n rows.
func (s *SumColumns) resize(n int) {
	s.N, s.Repel, s.Away, s.Velocity = column.Resize(s.N, n), column.Resize(s.Repel, n), column.Resize(s.Away, n), column.Resize(s.Velocity, n)
}

// set sets the sums of a row.
func (s *SumColumns) set(i int, to *Sums) {
	s.N[i], s.Repel[i], s.Away[i], s.Velocity[i] = float64(to.N), to.Repel, to.Away, to.Velocity
}

// At returns the sums of a row, without Far.
func (s *SumColumns) At(i int) Sums {
	return Sums{N: int(s.N[i]), Repel: s.Repel[i], Away: s.Away[i], Velocity: s.Velocity[i]}
}

// sumsOfBlock are those of the agents of a Block, as far as they are known.
type sumsOfBlock struct {
	known [blockSize]bool
	of    [blockSize]Look
	all   [blockSize]Sums
	odd   bool // they must be found one after another
}

// Sums returns the sums over Others of the k-th agent.
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

// sumAll sums over all that the k-th agent looks for; and for all agents of the block, if
// they are alike. It does not where sumInto does not.
func (b *Block) sumAll(k int, look Look) bool {
	s := &b.sums
	if s.odd || !b.query.Alike() || !b.sumInto(s.all[:b.n], look) {
		s.odd = true
		s.known[k], s.of[k] = b.sumFrom(k, s.all[k:k+1], look), look
		return s.known[k]
	}
	for i := range b.n {
		s.known[i], s.of[i] = true, look
	}
	return true
}

// sumInto sets to to the sums of all agents of the block.
func (b *Block) sumInto(to []Sums, look Look) bool { return b.sumFrom(0, to, look) }

// sumFrom sets to to the sums of agents from the k-th on, without lists of neighbors, if they
// look for all around them and see them. It does not if the sum of velocities overflows.
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

// VeryNear is the distance up to which neighbors are very near, as a share of
// NeighborDist.
const VeryNear = 0x1p-10

// SumsOf returns the sums over others for an agent, all by their indexes, that looks as
// far as radius meters.
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

// apart returns the unit vector along which an agent leaves another one that is very
// near, or if that is in the same place what drives them asunder.
func apart(agents *Agents, self, other uint32, away r2.Vec) r2.Vec {
	if away == (r2.Vec{}) {
		return agents.Asunder(self, other)
	}
	return vec.Unit(away)
}

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

// share finds out whose sums these are, when it is known which agents ask.
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
