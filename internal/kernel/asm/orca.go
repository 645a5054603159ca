package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// notEqual asks what equal does not; where a number is NaN the answer is no. notMore asks what more
// does not; where a number is NaN the answer is yes.
var (
	notEqual = Imm(0x0c)
	notMore  = Imm(0x1a)
)

// The columns of kernel.Pairs.
const (
	pairDX = iota
	pairDY
	pairUX
	pairUY
	pairReach
	pairShare
	pairRank
	pairOf
	pairNX
	pairNY
	pairC
)

// The ranks of kernel.
const (
	ahead   = -1
	behind  = 1
	against = -0.5 // kernel.Against
	level   = 2
)

// The fields of kernel.Bounds and of kernel.Preferred.
const (
	boundsHorizon = iota
	boundsStep
	boundsClosing
	boundsWider
	boundsYieldShare
)
const (
	aimFrom = iota
	aimTo
	aimX
	aimY
	aimSlack
	aimGapX
	aimGapY
	aimWay
	aimHindering
	aimClose
	aimFields
)

// halfPlanes is orca.Solver.halfPlane, for pairs one after another. It does as many behind the
// last one as there are lanes: what it writes there does not count.
func halfPlanes(l lanes) {
	TEXT("halfPlanes"+l.name, NOSPLIT, "func(p *float64, from, to int, bounds *float64) int")
	pairs, par := Load(Param("p"), GP64()), Load(Param("bounds"), GP64())
	row, end := Load(Param("from"), GP64()), Load(Param("to"), GP64())
	field := func(i int) vector { return l.all(Mem{Base: par, Disp: 8 * i}) }
	of := l.columns(pairs, row)
	sign := number(math.Copysign(0, -1))
	CMPQ(row, end)
	JGE(LabelRef("odd"))

	Label("loop")
	none := l.zero()
	rank, share := l.load(of(pairRank)), l.load(of(pairShare))
	ranks := l.compare(share, equal, field(boundsYieldShare))
	yields := l.both(ranks, l.compare(rank, equal, l.all(number(behind))))
	l.ifAny(l.both(ranks, l.compare(rank, equal, l.all(number(level)))), "odd")
	never := l.orElse(l.both(ranks, l.compare(rank, less, none)), l.compare(share, notMore, none))
	l.store(l.either(never, l.all(number(math.Inf(-1))), none), of(pairC)) // it waits in memory, and so does the share
	l.store(l.either(yields, l.all(number(1)), share), of(pairNX))

	x, y := l.load(of(pairDX)), l.load(of(pairDY))
	d2 := l.add(l.mul(x, x), l.mul(y, y))
	reach := l.load(of(pairReach))
	l.unlessAll(l.compare(reach, moreOrEqual, none), "odd")
	apart := l.compare(d2, more, l.mul(reach, reach))
	reach = l.either(yields, l.mul(reach, field(boundsWider)), reach)
	reach2 := l.mul(reach, reach)
	far := l.compare(d2, more, reach2)
	perTime := l.either(far, field(boundsHorizon), l.either(l.both(yields, apart), field(boundsClosing), field(boundsStep)))
	fromX, fromY := l.sub(l.load(of(pairUX)), l.mul(perTime, x)), l.sub(l.load(of(pairUY)), l.mul(perTime, y))
	w2 := l.add(l.mul(fromX, fromX), l.mul(fromY, fromY))
	along := l.add(l.mul(fromX, x), l.mul(fromY, y))
	tip := l.both(l.compare(along, less, none), l.compare(l.mul(along, along), more, l.mul(reach2, w2)))
	leg := l.butNot(far, tip)

	side := l.sub(l.mul(x, of(pairUY)), l.mul(y, of(pairUX)))
	inRange := l.both(l.compare(w2, moreOrEqual, l.all(number(minNorm2))), l.compare(w2, lessOrEqual, l.all(number(maxNorm2))))
	l.unlessAll(l.eitherMask(leg, l.compare(side, notEqual, none), inRange), "odd")

	root := l.sqrt(l.either(leg, l.sub(d2, reach2), w2))
	f := l.div(l.all(number(1)), l.either(leg, d2, root))
	off := l.or(root, l.and(side, l.all(sign)))
	legX := l.sub(l.mul(l.xor(reach, l.all(sign)), x), l.mul(off, y))
	legY := l.sub(l.mul(off, x), l.mul(reach, y))
	normalX, normalY := l.mul(f, l.either(leg, legX, fromX)), l.mul(f, l.either(leg, legY, fromY))
	l.store(normalY, of(pairNY))
	ofLeg := l.xor(l.add(l.mul(normalX, of(pairUX)), l.mul(normalY, of(pairUY))), l.all(sign))
	depth := l.either(leg, ofLeg, l.sub(l.mul(reach, perTime), root))
	l.store(l.add(l.mul(l.load(of(pairNX)), depth), of(pairC)), of(pairC))
	l.store(normalX, of(pairNX))

	ADDQ(Imm(uint64(l.n)), row)
	CMPQ(row, end)
	JLT(LabelRef("loop"))
	Label("odd")
	Store(row, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// columns returns where the row of a column of pairs is.
func (l lanes) columns(pairs, row reg.Register) func(column int) Mem {
	return func(i int) Mem {
		c := GP64()
		MOVQ(Mem{Base: pairs, Disp: 8 * i}, c)
		return Mem{Base: c, Index: row, Scale: 8}
	}
}

// hindering is orca.Solver.hindering.
func hindering(l lanes) {
	TEXT("hindering"+l.name, NOSPLIT, "func(p *float64, agents int, aims *float64)")
	pairs, agents, aim := Load(Param("p"), GP64()), Load(Param("agents"), GP64()), Load(Param("aims"), GP64())
	at := func(i int) Mem { return Mem{Base: aim, Disp: 8 * i} }
	row, hindering, close := GP64(), GP64(), GP64()
	of := l.columns(pairs, row)
	round := l.all(number(1 + gapRounding))

	Label("agent")
	XORQ(hindering, hindering)
	XORQ(close, close)
	MOVQ(at(aimFrom), row)
	CMPQ(row, at(aimTo))
	JGE(LabelRef("next"))
	x, y, slack := l.all(at(aimX)), l.all(at(aimY)), l.all(at(aimSlack))
	gapX, gapY, way := l.all(at(aimGapX)), l.all(at(aimGapY)), l.all(at(aimWay))
	Label("loop")
	missed := l.sub(l.load(of(pairC)), l.add(l.mul(x, of(pairNX)), l.mul(y, of(pairNY))))
	dx, dy, reach := l.load(of(pairDX)), l.load(of(pairDY)), l.load(of(pairReach))
	closing := l.add(l.add(l.mul(dx, gapX), l.mul(dy, gapY)), l.mul(l.mul(reach, reach), round))
	d2 := l.add(l.mul(dx, dx), l.mul(dy, dy))
	violated, left := l.bits(l.orElse(l.compare(missed, more, slack), l.compare(closing, more, d2))), GP64()
	within := l.add(reach, way)
	near := l.bits(l.compare(l.mul(within, within), more, d2))
	MOVQ(at(aimTo), left) // the lanes behind the last pair do not count
	SUBQ(row, left)
	l.upTo(left)
	BZHIL(left.As32(), violated, violated)
	BZHIL(left.As32(), near, near)
	MOVQ(row, left)
	SUBQ(at(aimFrom), left)
	SHLXQ(left, violated.As64(), violated.As64())
	SHLXQ(left, near.As64(), near.As64())
	ORQ(violated.As64(), hindering)
	ORQ(near.As64(), close)
	ADDQ(Imm(uint64(l.n)), row)
	CMPQ(row, at(aimTo))
	JLT(LabelRef("loop"))

	Label("next")
	MOVQ(hindering, at(aimHindering))
	MOVQ(close, at(aimClose))
	ADDQ(Imm(8*aimFields), aim)
	DECQ(agents)
	JNZ(LabelRef("agent"))
	VZEROUPPER()
	RET()
}

// worst is that of orca.
func worst(l lanes) {
	TEXT("worst"+l.name, NOSPLIT, "func(nx, ny, c *float64, n int, x, y, least float64) (at int, most float64)")
	nx, ny, c := Load(Param("nx"), GP64()), Load(Param("ny"), GP64()), Load(Param("c"), GP64())
	row, n := GP64(), Load(Param("n"), GP64())
	argument := func(name string) vector {
		at, err := Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		return l.all(at.Addr)
	}
	x, y := argument("x"), argument("y")
	violation := func() vector {
		of := func(column reg.Register) Mem { return Mem{Base: column, Index: row, Scale: 8} }
		return l.sub(l.load(of(c)), l.add(l.mul(x, of(nx)), l.mul(y, of(ny))))
	}
	least, most, end, lane := argument("least"), l.new(), l.new(), l.new()
	VMOVUPD(least, most)
	l.allOf(n, end)
	VMOVUPD(l.load(l.counting()), lane)
	XORQ(row, row)
	Label("loop")
	inside := l.compare(lane, less, end)
	VMAXPD(most, l.either(inside, violation(), most), most) // of a NaN and a number it is the number
	VADDPD(l.all(number(float64(l.n))), lane, lane)
	ADDQ(Imm(uint64(l.n)), row)
	CMPQ(row, n)
	JLT(LabelRef("loop"))

	at, top := GP64(), XMM()
	MOVQ(I32(-1), at)
	VMOVUPD(least.AsX(), top)
	l.ifNone(l.compare(most, more, least), "none")
	VMOVUPD(l.greatest(most), top)
	VBROADCASTSD(top, most)
	XORQ(at, at)
	MOVQ(at, row)
	Label("search")
	bits := l.bits(l.compare(violation(), equal, most))
	ADDQ(Imm(uint64(l.n)), row)
	TESTL(bits, bits)
	JZ(LabelRef("search"))
	TZCNTL(bits, bits)
	LEAQ(Mem{Base: row, Index: bits.As64(), Scale: 1, Disp: -l.n}, at)
	Label("none")
	Store(at, ReturnIndex(0))
	Store(top, ReturnIndex(1))
	VZEROUPPER()
	RET()
}

// greatest returns the greatest lane.
func (l lanes) greatest(v vector) reg.VecVirtual {
	half, low := YMM(), v
	if l.wide() {
		VEXTRACTF64X4(Imm(1), v, half)
		VMAXPD(v.AsY(), half, half)
		low = half
	}
	high, top := XMM(), XMM()
	VEXTRACTF128(Imm(1), low.AsY(), high)
	VMAXPD(low.AsX(), high, high)
	VUNPCKHPD(high, high, top)
	VMAXSD(high, top, top)
	return top
}

// gapRounding is that of orca.
const gapRounding = 0x1p-30

func (l lanes) and(a, b vector) vector { v := l.new(); VANDPD(b, a, v); return v }
func (l lanes) or(a, b vector) vector  { v := l.new(); VORPD(b, a, v); return v }
func (l lanes) xor(a, b vector) vector { v := l.new(); VXORPD(b, a, v); return v }
