// Command asm generates the kernels for amd64 with avo. It is a module of its own, so that modules that use
// crowd do not need avo. To run it:
//
//	GOWORK=off go generate ./internal/kernel
//
// Each kernel is a function that follows, line by line, the Go code named in its comment. It is written
// once for all widths.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// kernels lists the kernels of each file.
var kernels = map[string][]func(lanes){
	"steer":     {seek, arrive, flee},
	"integrate": {integrate},
	"flock":     {flock, apart, separate, align, cohere},
	"orca":      {near, halfPlanes, hindering, worst},
	"sweep":     {aim, sift},
	"threat":    {threatened, avoid, touch, meet},
	"fetch":     {fetch, fetchRows},
	"within":    {stay, within},
}

// The range of lengths whose squares keep all bits, as in package vec.
const (
	minNorm  = 0x1p-480
	minNorm2 = minNorm * minNorm
	maxNorm2 = 0x1p960
)

func main() {
	file := flag.String("kernels", "", "file of kernels to write")
	flag.Parse()
	if kernels[*file] == nil {
		fmt.Fprintf(os.Stderr, "asm: -kernels %q: want one of %v\n", *file, slices.Sorted(maps.Keys(kernels)))
		os.Exit(2)
	}
	ConstraintExpr("!noasm")
	for _, write := range kernels[*file] {
		for _, l := range widths {
			write(l)
		}
	}
	Generate()
}

// integrate implements systems.Integration for rows with Steering.
func integrate(l lanes) {
	TEXT("integrate"+l.name, NOSPLIT, "func(n int, pos, vel, steer, limits, mass *float64, eachLimits, eachMass int, dt float64) int")
	pos, vel, steer, limits, mass := pairsOf("pos"), pairsOf("vel"), pairsOf("steer"), pairsOf("limits").or("eachLimits"), numbersOf("mass").or("eachMass")
	one, maxNorm2, minNorm, dt := l.all(number(1)), l.all(number(maxNorm2)), l.all(number(minNorm)), l.all(argument("dt"))
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

// shrink implements vec.Shrink. It skips the division if no length exceeds its limit.
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

func (r rows) seekTo(factor vector, to pairs, vel column, gain vector, steer column) {
	e := r.subPairs(r.scale(factor, to), r.pairs(r.of(vel)))
	r.storePairs(r.addPairs(r.pairs(r.of(steer)), r.scale(gain, e)), r.of(steer))
}

// arrive implements systems.Arrival.
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
		// For a small distance, it matters only whether the distance is less than the radius.
		usual := r.eitherMask(near, r.compare(radius, moreOrEqual, minNorm), r.compare(n2, moreOrEqual, minNorm2))
		r.unlessAll(r.both(usual, r.compare(n2, lessOrEqual, maxNorm2)), "odd")
		maxSpeed := r.first(r.pairs(r.of(limits)))
		r.seekTo(r.div(maxSpeed, r.either(near, radius, d)), to, vel, gain, steer)
	})
}

// seek implements systems.Seek.
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

// flee implements systems.Flee.
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

// Offsets of the fields of components.Goal, in bytes.
const goalRadius, goalVisits, goalSize = 0, 16, 24

const atPlace = 0.001 // m, as in systems

// stay tests rows for systems.Arrivals: it continues while no agent reaches or leaves its goal.
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
		VMAXPD(radius, least, radius) // keeps NaN
		inside := r.compare(n2, lessOrEqual, r.mul(radius, radius)).(vector)
		// Shift the only bit of Inside, which follows Visits, to the sign bit, where masks are tested.
		before := r.goals(r.of(goal).Offset(goalVisits))
		VPSLLQ(Imm(31), before, before)
		VXORPD(inside, before, before)
		r.ifAny(before, "odd")
	})
}

// goals loads 64 bits of each of four goals, in the order of lanes.numbers.
func (l lanes) goals(m Mem) vector {
	var half [2]reg.VecVirtual
	for k := range half {
		half[k] = YMM() // VMOVSD sets the whole register, as avo assumes
		VMOVSD(m.Offset(k*goalSize), half[k].AsX())
		VMOVHPD(m.Offset((k+2)*goalSize), half[k].AsX(), half[k].AsX())
	}
	v := l.new()
	VINSERTF128(Imm(1), half[1].AsX(), half[0], v)
	return v
}

// within tests rows for systems.Bounds: it continues while all agents are in the box.
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

func fetch(l lanes) {
	if l.wide() {
		return
	}
	TEXT("fetch", NOSPLIT, "func(columns **byte, sizes *uint32, n, lo, hi int)")
	column, size := Load(Param("columns"), GP64()), Load(Param("sizes"), GP64())
	n, lo, hi := Load(Param("n"), GP64()), Load(Param("lo"), GP64()), Load(Param("hi"), GP64())
	Label("columns")
	first, each, at, end := GP64(), GP64(), GP64(), GP64()
	MOVQ(Mem{Base: column}, first)
	MOVL(Mem{Base: size}, each.As32())
	TESTQ(first, first)
	JZ(LabelRef("next"))
	MOVQ(lo, at)
	IMULQ(each, at)
	ADDQ(first, at)
	MOVQ(hi, end)
	IMULQ(each, end)
	ADDQ(first, end)
	Label("lines")
	PREFETCHT1(Mem{Base: at})
	ADDQ(Imm(64), at)
	CMPQ(at, end)
	JB(LabelRef("lines"))
	Label("next")
	ADDQ(Imm(8), column)
	ADDQ(Imm(4), size)
	DECQ(n)
	JNZ(LabelRef("columns"))
	RET()
}

func fetchRows(l lanes) {
	if l.wide() {
		return
	}
	TEXT("fetchRows", NOSPLIT, "func(column *byte, size uintptr, rows *uint32, n int)")
	column, size := Load(Param("column"), GP64()), Load(Param("size"), GP64())
	row, n := Load(Param("rows"), GP64()), Load(Param("n"), GP64())
	Label("rows")
	at := GP64()
	MOVL(Mem{Base: row}, at.As32())
	IMULQ(size, at)
	PREFETCHT0(Mem{Base: column, Index: at, Scale: 1})
	ADDQ(Imm(4), row)
	DECQ(n)
	JNZ(LabelRef("rows"))
	RET()
}
