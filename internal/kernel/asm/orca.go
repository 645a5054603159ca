package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// notEqual asks what equal does not; where a number is NaN the answer is no.
var notEqual = Imm(0x0c)

// The columns of kernel.Pairs.
const (
	pairDX = iota
	pairDY
	pairUX
	pairUY
	pairWX
	pairWY
	pairReach
	pairShare
	pairNX
	pairNY
	pairC
	pairOf
)

// The fields of kernel.Bounds.
const (
	boundsFrom = iota
	boundsTo
	boundsHindering
	boundsWayX
	boundsWayY
	boundsHorizon
	boundsStep
	boundsClosing
	boundsWider
	boundsYieldShare
	boundsAimX
	boundsAimY
	boundsSlack
	boundsGapX
	boundsGapY
	boundsFields
)

// halfPlanes is orca.Solver.halfPlanes. Of each agent it does the last few rows as well, and
// as many behind them as there are lanes: what it writes there does not count.
func halfPlanes(l lanes) {
	TEXT("halfPlanes"+l.name, NOSPLIT, "func(p *float64, agents int, bounds *float64) int")
	pairs := Load(Param("p"), GP64())
	const dx, dy, ux, uy, wx, wy = pairDX, pairDY, pairUX, pairUY, pairWX, pairWY
	const reaches, shares, nx, ny, c = pairReach, pairShare, pairNX, pairNY, pairC
	par := Load(Param("bounds"), GP64())
	at := func(i int) Mem { return Mem{Base: par, Disp: 8 * i} }
	field := func(i int) vector { return l.all(at(i)) }
	agent, row := GP64(), GP64()
	XORQ(agent, agent)

	Label("agent")
	MOVQ(at(boundsFrom), row)
	MOVQ(U32(0), at(boundsHindering))
	CMPQ(row, at(boundsTo))
	JGE(LabelRef("next"))
	Label("loop")
	of := func(i int) Mem {
		c := GP64()
		MOVQ(Mem{Base: pairs, Disp: 8 * i}, c)
		return Mem{Base: c, Index: row, Scale: 8}
	}
	none := l.zero()
	never := l.compare(none, less, none)

	share := l.load(of(shares))
	way := l.add(l.mul(field(boundsWayX), of(wx)), l.mul(field(boundsWayY), of(wy)))
	yields := l.both(l.compare(share, equal, field(boundsYieldShare)), l.compare(way, more, none))
	own := l.add(l.mul(field(boundsWayX), of(dx)), l.mul(field(boundsWayY), of(dy)))
	x, y := l.load(of(dx)), l.load(of(dy))
	theirs := l.sub(none, l.add(l.mul(x, of(wx)), l.mul(y, of(wy))))
	behind := l.both(yields, l.compare(own, more, theirs))
	level := l.both(yields, l.compare(own, equal, theirs))
	l.unlessNone(level, "odd")

	// What is added to the half-plane's distance and to the share: these wait in memory.
	some := l.either(behind, l.all(number(0.5)), none)
	ahead := l.eitherMask(behind, never, yields)
	not := l.all(number(math.Inf(-1)))
	l.store(l.either(l.compare(share, more, none), l.either(ahead, not, none), not), of(c))
	part := l.add(share, some)

	d2 := l.add(l.mul(x, x), l.mul(y, y))
	reach := l.load(of(reaches))
	l.unlessAll(l.compare(reach, moreOrEqual, none), "odd")
	reach2 := l.mul(reach, reach)
	apart := l.compare(d2, more, reach2)
	closing := l.add(l.add(l.mul(x, field(boundsGapX)), l.mul(y, field(boundsGapY))), l.mul(reach2, l.all(number(1+gapRounding))))
	gap := l.bits(l.compare(closing, more, d2))
	reach = l.either(behind, l.mul(reach, field(boundsWider)), reach)
	reach2 = l.mul(reach, reach)
	far := l.compare(d2, more, reach2)
	perTime := l.either(far, field(boundsHorizon), l.either(l.both(behind, apart), field(boundsClosing), field(boundsStep)))
	fromX, fromY := l.sub(l.load(of(ux)), l.mul(perTime, x)), l.sub(l.load(of(uy)), l.mul(perTime, y))
	w2 := l.add(l.mul(fromX, fromX), l.mul(fromY, fromY))
	along := l.add(l.mul(fromX, x), l.mul(fromY, y))
	tip := l.both(l.compare(along, less, none), l.compare(l.mul(along, along), more, l.mul(reach2, w2)))
	leg := l.eitherMask(tip, never, far)

	side := l.sub(l.mul(x, of(uy)), l.mul(y, of(ux)))
	inRange := l.both(l.compare(w2, moreOrEqual, l.all(number(minNorm2))), l.compare(w2, lessOrEqual, l.all(number(maxNorm2))))
	l.unlessAll(l.eitherMask(leg, l.compare(side, notEqual, none), inRange), "odd")

	root := l.sqrt(l.either(leg, l.sub(d2, reach2), w2))
	f := l.div(l.all(number(1)), l.either(leg, d2, root))
	sign := l.all(number(math.Copysign(0, -1)))
	off := l.or(root, l.and(side, sign))
	legX := l.sub(l.mul(l.xor(reach, sign), x), l.mul(off, y))
	legY := l.sub(l.mul(off, x), l.mul(reach, y))
	normalX, normalY := l.mul(f, l.either(leg, legX, fromX)), l.mul(f, l.either(leg, legY, fromY))
	l.store(normalX, of(nx))
	l.store(normalY, of(ny))
	ofLeg := l.xor(l.add(l.mul(normalX, of(ux)), l.mul(normalY, of(uy))), sign)
	depth := l.either(leg, ofLeg, l.sub(l.mul(reach, perTime), root))
	least := l.add(l.mul(part, depth), of(c))
	l.store(least, of(c))

	// The lanes behind the last pair do not count.
	missed := l.sub(least, l.add(l.mul(normalX, field(boundsAimX)), l.mul(normalY, field(boundsAimY))))
	violated, left := l.bits(l.compare(missed, more, field(boundsSlack))), GP64()
	ORL(gap, violated)
	MOVQ(at(boundsTo), left)
	SUBQ(row, left)
	l.upTo(left)
	BZHIL(left.As32(), violated, violated)
	MOVQ(row, left)
	SUBQ(at(boundsFrom), left)
	SHLXQ(left, violated.As64(), left)
	ORQ(left, at(boundsHindering))

	ADDQ(Imm(uint64(l.n)), row)
	CMPQ(row, at(boundsTo))
	JLT(LabelRef("loop"))
	Label("next")
	ADDQ(Imm(8*boundsFields), par)
	INCQ(agent)
	last := Load(Param("agents"), GP64())
	CMPQ(agent, last)
	JLT(LabelRef("agent"))
	Label("odd")
	Store(agent, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// gapRounding is that of orca.
const gapRounding = 0x1p-30

func (l lanes) and(a, b vector) vector { v := l.new(); VANDPD(b, a, v); return v }
func (l lanes) or(a, b vector) vector  { v := l.new(); VORPD(b, a, v); return v }
func (l lanes) xor(a, b vector) vector { v := l.new(); VXORPD(b, a, v); return v }

// unlessNone jumps if there is a lane where m is so.
func (l lanes) unlessNone(m mask, label string) {
	if l.wide() {
		KORTESTB(m, m)
	} else {
		VTESTPD(m, m)
	}
	JNZ(LabelRef(label))
}
