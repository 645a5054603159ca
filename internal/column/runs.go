package column

import "github.com/mlange-42/arche/ecs"

// Kind is the set of components of rows, whatever their relation target. Index is the kind's number,
// from 0, in the order in which a Walker met the kinds.
type Kind struct {
	Mask        ecs.Mask
	Index       int
	walker      *Walker // the one that Index belongs to
	relation    ecs.ID
	hasRelation bool
}

// Run is a range of rows of one archetype and one relation target.
type Run struct {
	Kind *Kind
	Rows int
	at   ecs.Query // at the first row; only copies of it move
}

// Entity returns the entity of row i. It may be called concurrently.
func (r *Run) Entity(i int) ecs.Entity {
	q := r.at
	if i > 0 {
		q.Step(i)
	}
	return q.Entity()
}

// Entities fills a slice with the entities of the rows from row lo on, which must exist. It may be called
// concurrently.
func (r *Run) Entities(lo int, to []ecs.Entity) {
	if len(to) == 0 {
		return
	}
	q := r.at
	if lo > 0 {
		q.Step(lo)
	}
	to[0] = q.Entity()
	for i := range to[1:] {
		q.Next()
		to[1+i] = q.Entity()
	}
}

// Address returns the address of a component of the first row. It identifies the run as long as rows do not
// move, and only as long as the component's size is not 0.
func (r *Run) Address(id ecs.ID) uintptr { return uintptr(r.at.Get(id)) }

// Row returns the row of a living entity of the run's kind, or -1 if the entity is in another run. The
// parameter id may be that of any of the run's components whose size is not 0.
func (r *Run) Row(w *ecs.World, e ecs.Entity, id ecs.ID) int {
	info, _ := ecs.ComponentInfo(w, id)
	first, its := r.Address(id), uintptr(w.Get(e, id))
	row := int((its - first) / info.Type.Size())
	if its < first || row >= r.Rows || r.Entity(row) != e {
		return -1
	}
	return row
}

// Walker finds the runs of queries in one world. The zero value is ready to use.
type Walker struct {
	kinds map[ecs.Mask]*Kind
}

// Walk returns the runs of a fresh query, appended to runs[:0]. The old content of runs serves as a guess; a
// wrong guess costs only time. Walk leaves the query open, and so the world locked. The caller must close the
// query when done with the runs, even after a panic.
//
// The query must come from World.Query, or run over a batch of new entities. In a query over a batch that was
// moved, an archetype can occur twice, and Walk would take its rows for one run.
func (k *Walker) Walk(w *ecs.World, q *ecs.Query, runs []Run) []Run {
	guess, runs := runs, runs[:0]
	left := q.Count()
	if left > 0 {
		q.Next()
	}
	for left > 0 {
		i, hint := len(runs), 1
		var kind *Kind
		if i < len(guess) {
			hint, kind = max(1, min(guess[i].Rows, left)), guess[i].Kind
		}
		if mask := q.Mask(); kind == nil || kind.walker != k || kind.Mask != mask {
			kind = k.kind(w, mask)
		}
		runs = append(runs, Run{})
		r := &runs[i]
		r.Kind, r.Rows, r.at = kind, hint, *q
		if !r.ends(q, hint, left) {
			r.Rows = r.length(hint, left)
			*q = r.at
			if r.Rows < left {
				q.Step(r.Rows)
			}
		}
		left -= r.Rows
	}
	return runs
}

func (k *Walker) kind(w *ecs.World, mask ecs.Mask) *Kind {
	if kind, ok := k.kinds[mask]; ok {
		return kind
	}
	if k.kinds == nil {
		k.kinds = map[ecs.Mask]*Kind{}
	}
	kind := &Kind{Mask: mask, Index: len(k.kinds), walker: k}
	for _, id := range ecs.ComponentIDs(w) {
		if info, ok := ecs.ComponentInfo(w, id); ok && info.IsRelation && mask.Get(id) {
			kind.relation, kind.hasRelation = id, true
		}
	}
	k.kinds[mask] = kind
	return kind
}

// ends reports whether the run that begins at q has exactly the given number of rows. If so, q moves to the
// row after the run, if there is one. Otherwise q moves to an unspecified row. left is the number of rows
// of the query from q on.
func (r *Run) ends(q *ecs.Query, rows, left int) bool {
	if rows > 1 {
		if q.Step(rows - 1); !r.has(q) {
			return false
		}
	}
	if rows == left {
		return true
	}
	q.Next()
	return !r.has(q)
}

func (r *Run) has(q *ecs.Query) bool {
	return q.Mask() == r.Kind.Mask && (!r.Kind.hasRelation ||
		q.Relation(r.Kind.relation) == r.at.Relation(r.Kind.relation))
}

// length never probes beyond left rows, because a query that runs past its end unlocks the world.
func (r *Run) length(hint, left int) int {
	inside := func(row int) bool { // row > 0
		q := r.at
		q.Step(row)
		return r.has(&q)
	}
	lo, hi := 0, left // invariant: row lo is inside, row hi is not
	if hint > 1 {
		if inside(hint - 1) {
			lo = hint - 1
		} else {
			hi = hint - 1
		}
	}
	for step := 1; lo+step < hi; step *= 2 {
		if !inside(lo + step) {
			hi = lo + step
			break
		}
		lo += step
	}
	for lo+1 < hi {
		if mid := lo + (hi-lo)/2; inside(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + 1
}
