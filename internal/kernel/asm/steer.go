package main

import (
	. "github.com/mmcloughlin/avo/build"
)

// seekTo adds gain·(factor·to - vel) to the steering.
func (r rows) seekTo(factor vector, to pairs, vel column, gain vector, steer column) {
	e := r.subPairs(r.scale(factor, to), r.pairs(r.of(vel)))
	r.storePairs(r.addPairs(r.pairs(r.of(steer)), r.scale(gain, e)), r.of(steer))
}

// arrive is systems.Arrival.
func arrive(l lanes) {
	TEXT("arrive"+l.name, NOSPLIT, "func(n int, pos, vel, target, limits, par, steer *float64) int")
	pos, vel, target, limits, par, steer := pairsOf("pos"), pairsOf("vel"), pairsOf("target"), pairsOf("limits"), pairsOf("par"), pairsOf("steer")
	maxNorm2, minNorm2, minNorm := l.all(number(maxNorm2)), l.all(number(minNorm2)), l.all(number(minNorm))
	l.forRows(func(r rows) {
		to := r.subPairs(r.pairs(r.of(target)), r.pairs(r.of(pos)))
		p := r.pairs(r.of(par))
		gain, radius := r.first(p), r.second(p)
		n2 := r.norm2(to)
		d := r.sqrt(n2)
		near := r.compare(d, less, radius)
		// Of a small distance only that it is within the radius matters.
		usual := r.eitherMask(near, r.compare(radius, moreOrEqual, minNorm), r.compare(n2, moreOrEqual, minNorm2))
		r.unlessAll(r.both(usual, r.compare(n2, lessOrEqual, maxNorm2)), "odd")
		maxSpeed := r.first(r.pairs(r.of(limits)))
		r.seekTo(r.div(maxSpeed, r.either(near, radius, d)), to, vel, gain, steer)
	})
}

// seek is systems.Seek.
func seek(l lanes) {
	TEXT("seek"+l.name, NOSPLIT, "func(n int, pos, vel, target, limits, gain, steer *float64) int")
	pos, vel, target, limits, gain, steer := pairsOf("pos"), pairsOf("vel"), pairsOf("target"), pairsOf("limits"), numbersOf("gain"), pairsOf("steer")
	maxNorm2, minNorm2 := l.all(number(maxNorm2)), l.all(number(minNorm2))
	l.forRows(func(r rows) {
		to := r.subPairs(r.pairs(r.of(target)), r.pairs(r.of(pos)))
		n2 := r.norm2(to)
		r.unlessAll(r.both(r.compare(n2, moreOrEqual, minNorm2), r.compare(n2, lessOrEqual, maxNorm2)), "odd")
		maxSpeed := r.first(r.pairs(r.of(limits)))
		r.seekTo(r.div(maxSpeed, r.sqrt(n2)), to, vel, r.numbers(r.of(gain)), steer)
	})
}

// flee is systems.Flee.
func flee(l lanes) {
	TEXT("flee"+l.name, NOSPLIT, "func(n int, pos, vel, limits, par, steer *float64) int")
	pos, vel, limits, par, steer := pairsOf("pos"), pairsOf("vel"), pairsOf("limits"), foursOf("par"), pairsOf("steer")
	none, maxNorm2, minNorm2 := l.zero(), l.all(number(maxNorm2)), l.all(number(minNorm2))
	l.forRows(func(r rows) {
		from, p := r.fours(r.of(par))
		gain, radius := r.first(p), r.second(p)
		away := r.subPairs(r.pairs(r.of(pos)), from)
		n2 := r.norm2(away)
		in := r.orElse(r.compare(radius, equal, none), r.compare(n2, lessOrEqual, r.mul(radius, radius)))
		r.ifNone(in, "next")
		r.ifAny(r.butNot(in, r.both(r.compare(n2, moreOrEqual, minNorm2), r.compare(n2, lessOrEqual, maxNorm2))), "odd")
		maxSpeed := r.first(r.pairs(r.of(limits)))
		e := r.subPairs(r.scale(r.div(maxSpeed, r.sqrt(n2)), away), r.pairs(r.of(vel)))
		before, both := r.pairs(r.of(steer)), r.eachMask(in)
		after := r.addPairs(before, r.scale(gain, e))
		r.storePairs(pairs{r.either(both[0], after[0], before[0]), r.either(both[1], after[1], before[1])}, r.of(steer))
	})
}
