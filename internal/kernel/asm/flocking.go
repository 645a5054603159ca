package main

import (
	. "github.com/mmcloughlin/avo/build"
)

// separate is systems.Separation.
func separate(l lanes) {
	TEXT("separate"+l.name, NOSPLIT, "func(n int, near, repel, away, limits, par, steer *float64) int")
	near, repel, away, limits, par, steer := numbersOf("near"), pairsOf("repel"), pairsOf("away"), pairsOf("limits"), foursOf("par"), pairsOf("steer")
	one := l.all(number(1))
	l.forRows(func(r rows) {
		gain, radius := r.gainAndRadius(par)
		apart := r.pairs(r.of(away))
		each := r.each(radius)
		push := r.subPairs(r.scale(radius, r.pairs(r.of(repel))), pairs{r.div(apart[0], each[0]), r.div(apart[1], each[1])})
		r.driveBy(push, one, gain, near, limits, steer)
	})
}

// cohere is systems.Cohesion.
func cohere(l lanes) {
	TEXT("cohere"+l.name, NOSPLIT, "func(n int, near, away, limits, par, steer *float64) int")
	near, away, limits, par, steer := numbersOf("near"), pairsOf("away"), pairsOf("limits"), foursOf("par"), pairsOf("steer")
	one := l.all(number(1))
	l.forRows(func(r rows) {
		gain, radius := r.gainAndRadius(par)
		mean := r.scale(r.div(r.all(number(-1)), r.numbers(r.of(near))), r.pairs(r.of(away)))
		each := r.each(radius)
		r.driveBy(pairs{r.div(mean[0], each[0]), r.div(mean[1], each[1])}, one, gain, near, limits, steer)
	})
}

// align is systems.Alignment.
func align(l lanes) {
	TEXT("align"+l.name, NOSPLIT, "func(n int, near, mean, vel, limits, par, steer *float64) int")
	near, mean, vel, limits, par, steer := numbersOf("near"), pairsOf("mean"), pairsOf("vel"), pairsOf("limits"), foursOf("par"), pairsOf("steer")
	one := l.all(number(1))
	l.forRows(func(r rows) {
		gain, _ := r.gainAndRadius(par)
		to, maxSpeed := r.pairs(r.of(mean)), r.first(r.pairs(r.of(limits)))
		alone, n2 := r.compare(r.numbers(r.of(near)), equal, r.zero()), r.norm2(to)
		usual := r.both(r.compare(n2, lessOrEqual, r.all(number(maxNorm2))), r.compare(maxSpeed, moreOrEqual, r.all(number(minNorm))))
		r.unlessAll(r.orElse(usual, alone), "odd")
		e := r.subPairs(r.scale(r.shrink(n2, maxSpeed, one, "speed"), to), r.pairs(r.of(vel)))
		before, both := r.pairs(r.of(steer)), r.eachMask(alone)
		after := r.addPairs(before, r.scale(gain, e))
		r.storePairs(pairs{r.either(both[0], before[0], after[0]), r.either(both[1], before[1], after[1])}, r.of(steer))
	})
}

// gainAndRadius returns the first two parameters of a rule.
func (r rows) gainAndRadius(par column) (gain, radius vector) {
	p, _ := r.fours(r.of(par))
	return r.first(p), r.second(p)
}

// driveBy adds gain·maxSpeed·drive to the steering, where the drive is at most 1, and zero
// for who has no neighbors.
func (r rows) driveBy(drive pairs, one, gain vector, near, limits, steer column) {
	alone, n2 := r.compare(r.numbers(r.of(near)), equal, r.zero()), r.norm2(drive)
	r.unlessAll(r.orElse(r.compare(n2, lessOrEqual, r.all(number(maxNorm2))), alone), "odd")
	drive = r.scale(r.shrink(n2, one, one, "drive"), drive)
	both, none := r.eachMask(alone), r.zero()
	drive = pairs{r.either(both[0], none, drive[0]), r.either(both[1], none, drive[1])}
	force := r.scale(r.first(r.pairs(r.of(limits))), drive)
	r.storePairs(r.addPairs(r.pairs(r.of(steer)), r.scale(gain, force)), r.of(steer))
}
