package main

import (
	. "github.com/mmcloughlin/avo/build"
)

// integrate is systems.Integration for rows with Steering.
func integrate(l lanes) {
	TEXT("integrate"+l.name, NOSPLIT, "func(n int, pos, vel, steer, limits, mass *float64, eachLimits, eachMass int, dt float64) int")
	pos, vel, steer, limits, mass := pairsOf("pos"), pairsOf("vel"), pairsOf("steer"), pairsOf("limits").or("eachLimits"), numbersOf("mass").or("eachMass")
	at, _ := Param("dt").Resolve()
	one, maxNorm2, minNorm, dt := l.all(number(1)), l.all(number(maxNorm2)), l.all(number(minNorm)), l.all(at.Addr)
	none := l.zero()
	l.forRows(func(r rows) {
		lim := r.pairs(r.of(limits))
		maxSpeed, maxForce := r.first(lim), r.second(lim)
		m := r.numbers(r.of(mass))
		force := r.pairs(r.of(steer))
		f2 := r.norm2(force)
		v := r.addPairs(r.pairs(r.of(vel)), r.scale(r.div(dt, m), r.scale(r.shrink(f2, maxForce, one, "force"), force)))
		v2 := r.norm2(v)
		v = r.scale(r.shrink(v2, maxSpeed, one, "speed"), v)
		p := r.pairs(r.of(pos))
		p[0], p[1] = r.add(p[0], r.mul(dt, v[0])), r.add(p[1], r.mul(dt, v[1]))
		residue := pairs{r.sub(p[0], p[0]), r.sub(p[1], p[1])}
		sum := r.add(r.add(f2, v2), r.add(r.first(residue), r.second(residue)))
		usual := r.both(r.compare(sum, lessOrEqual, maxNorm2), r.compare(m, more, none))
		usual = r.both(usual, r.both(r.compare(maxForce, moreOrEqual, minNorm), r.compare(maxSpeed, moreOrEqual, minNorm)))
		r.unlessAll(usual, "odd")
		r.storePairs(p, r.of(pos))
		r.storePairs(v, r.of(vel))
		r.storePairs(pairs{none, none}, r.of(steer))
	}, limits, mass)
}

// shrink is vec.Shrink. Where nothing is longer than its limit there is no division.
func (l lanes) shrink(n2, limit, one vector, name string) vector {
	f := l.new()
	VMOVAPD(one, f)
	longer := l.compare(n2, more, l.mul(limit, limit))
	l.ifNone(longer, name)
	shorter := l.either(longer, l.div(limit, l.sqrt(n2)), one)
	VMOVAPD(shorter, f)
	Label(name)
	return f
}
