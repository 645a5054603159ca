package sense

import (
	"math"
	"slices"
)

// defaultCellWidth is the width of cells in meters where no agent looks.
const defaultCellWidth = 2

// reaches counts how far agents look, for what.
type reaches struct {
	all     tally // for all that are there
	nearest tally // for the nearest few of them
	bodies  tally // for those that they touch
}

func (r *reaches) reset() {
	r.all.reset()
	r.nearest.reset()
	r.bodies.reset()
}

// of returns the tally of those that look for the nearest few only, or for all.
func (r *reaches) of(few bool) *tally {
	if few {
		return &r.nearest
	}
	return &r.all
}

// some reports whether anyone looks.
func (r *reaches) some() bool { return r.all.n > 0 || r.nearest.n > 0 || r.bodies.n > 0 }

// farthest returns how far the one looks that looks farthest, in meters.
func (r *reaches) farthest() float64 {
	return max(slices.Max(r.all.widest[:]), slices.Max(r.nearest.widest[:]), slices.Max(r.bodies.widest[:]))
}

// wideBodies is how many times as wide as bodies cells may be, if nobody looks any
// farther: in cells as narrow as bodies most agents are alone.
const wideBodies = 8

// cells returns how wide cells are to be in meters, at the least and at the most.
// Those that look for all do so in cells as wide as they look; for the rest the
// cells may be narrower, where agents are dense.
func (r *reaches) cells() (narrowest, widest float64) {
	const more = 1 + 0x1p-15 // than the margin of the index
	if !r.some() {
		return defaultCellWidth, defaultCellWidth
	}
	narrowest, widest = max(r.all.usual(), r.bodies.usual()), r.nearest.usual()
	if r.all.n == 0 && r.nearest.n == 0 {
		widest = wideBodies * narrowest
	}
	return narrowest * more, max(narrowest, widest) * more
}

// tally counts agents by how far they look, by the octave.
type tally struct {
	agents [octaves]int
	widest [octaves]float64 // m
	n      int
}

// octaves are those of meters that are told apart.
const octaves = 128

func (t *tally) reset() {
	if t.n > 0 {
		*t = tally{}
	}
}

// add counts n agents.
func (t *tally) add(reach float64, agents int) {
	if reach > 0 && agents > 0 {
		const first = 1023 - octaves/2 // exponent
		k := min(max(int(math.Float64bits(reach)>>52)-first, 0), octaves-1)
		t.agents[k] += agents
		t.widest[k] = max(t.widest[k], reach)
		t.n += agents
	}
}

// usual returns about how far most look: the widest of the octave in the middle;
// 0 if nobody does.
func (t *tally) usual() float64 {
	if t.n == 0 {
		return 0
	}
	k, below := 0, t.agents[0]
	for below < (t.n+1)/2 {
		k++
		below += t.agents[k]
	}
	return t.widest[k]
}
