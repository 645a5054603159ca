package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Where the fields of components.Goal are, in bytes.
const goalRadius, goalVisits, goalSize = 0, 16, 24

const atPlace = 0.001 // m, as in systems

// stay is systems.Arrivals, for four agents at a time: it goes on while none of them comes to
// its goal or leaves it.
func stay(l lanes) {
	if l.wide() {
		return
	}
	TEXT("stay"+l.name, NOSPLIT, "func(n int, pos, target, goal *float64) int")
	pos, target, goal := pairsOf("pos"), pairsOf("target"), column{first: Load(Param("goal"), GP64()), size: goalSize}
	least := l.all(number(atPlace))
	l.forRows(func(r rows) {
		n2 := r.norm2(r.subPairs(r.pairs(r.of(target)), r.pairs(r.of(pos))))
		radius := r.goals(r.of(goal).Offset(goalRadius))
		VMAXPD(radius, least, radius) // the radius, if that is NaN
		inside := r.compare(n2, lessOrEqual, r.mul(radius, radius)).(vector)
		// Visits is followed by Inside, whose only bit goes where a mask is asked.
		before := r.goals(r.of(goal).Offset(goalVisits))
		VPSLLQ(Imm(31), before, before)
		VXORPD(inside, before, before)
		r.ifAny(before, "odd")
	})
}

// goals loads 64 bits of each of four goals, in the order of numbers.
func (l lanes) goals(m Mem) vector {
	var half [2]reg.VecVirtual
	for k := range half {
		half[k] = YMM() // VMOVSD sets all of the register, which avo goes by
		VMOVSD(m.Offset(k*goalSize), half[k].AsX())
		VMOVHPD(m.Offset((k+2)*goalSize), half[k].AsX(), half[k].AsX())
	}
	v := l.new()
	VINSERTF128(Imm(1), half[1].AsX(), half[0], v)
	return v
}

// within is systems.Bounds: it goes on while all agents are in the box.
func within(l lanes) {
	TEXT("within"+l.name, NOSPLIT, "func(n int, pos, box *float64) int")
	pos, box := pairsOf("pos"), Load(Param("box"), GP64())
	var corner pairs
	for k := range corner {
		corner[k] = l.new()
		if at := (Mem{Base: box, Disp: 16 * k}); l.wide() {
			VBROADCASTF64X2(at, corner[k])
		} else {
			VBROADCASTF128(at, corner[k])
		}
	}
	l.forRows(func(r rows) {
		p := r.pairs(r.of(pos))
		var in [2]mask
		for k := range in {
			in[k] = r.both(r.compare(p[k], moreOrEqual, corner[0]), r.compare(p[k], lessOrEqual, corner[1]))
		}
		r.unlessAll(r.both(in[0], in[1]), "odd")
	})
}
