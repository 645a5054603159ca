package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The columns of kernel.Crowd, and the fields of kernel.Seekers.
const (
	crowdX = iota
	crowdY
	crowdVX
	crowdVY
	crowdRadius
	crowdDirX
	crowdDirY
)
const (
	seekersFirst = iota
	seekersN
	seekersLimit
	seekersMost
	seekersVX // of the current seeker
	seekersVY
	seekersRadius
	seekersDirX
	seekersDirY
	seekersEnds
	seekersFound = seekersEnds + mostSeekers/2
)

const mostSeekers = 64

// near implements orca.Solver.near, followed by orca.pairs.nearest, for one seeker after another. Row numbers
// are float64, so that they are packed like all columns. near writes all lanes, but advances only past
// those in range.
func near(l lanes) {
	TEXT("near"+l.name, NOSPLIT, "func(to *float64, from int, of *float64, parts *uint32, count int, by *float64) int")
	to, of, by := Load(Param("to"), GP64()), Load(Param("of"), GP64()), Load(Param("by"), GP64())
	at := Load(Param("from"), GP64())
	field := func(i int) Mem { return Mem{Base: by, Disp: 8 * i} }
	seeker := func(i int) vector { return l.all(field(i)) }
	limit := seeker(seekersLimit)
	who, done, start := GP64(), GP64(), GP64()
	XORQ(done, done)
	MOVQ(field(seekersFirst), who)
	parts, count, k, end := GP64(), GP64(), GP64(), GP64()
	self, row, beyond := l.new(), l.new(), l.new()
	at2 := func(i int, row reg.Register) Mem {
		c := GP64()
		MOVQ(Mem{Base: of, Disp: 8 * i}, c)
		return Mem{Base: c, Index: row, Scale: 8}
	}
	in := func(i int) Mem { return at2(i, k) }

	Label("seeker")
	MOVQ(at, start)
	px, py := l.all(at2(crowdX, who)), l.all(at2(crowdY, who))
	kept := map[int]vector{}
	for i, column := range []int{crowdVX, crowdVY, crowdRadius, crowdDirX, crowdDirY} {
		if at := at2(column, who); l.wide() {
			kept[seekersVX+i] = l.all(at)
		} else { // there are too few registers
			own := GP64()
			MOVQ(at, own)
			MOVQ(own, field(seekersVX+i))
		}
	}
	own := func(i int) vector {
		if l.wide() {
			return kept[i]
		}
		return seeker(i)
	}
	l.allOf(who, self)
	Load(Param("parts"), parts)
	Load(Param("count"), count)

	Label("part")
	MOVL(Mem{Base: parts}, k.As32())
	MOVL(Mem{Base: parts, Disp: 4}, end.As32())
	l.allOf(end, beyond)
	l.allOf(k, row)
	VADDPD(l.load(l.counting()), row, row)

	Label("lanes")
	dx, dy := l.sub(l.load(in(crowdX)), px), l.sub(l.load(in(crowdY)), py)
	d2 := l.add(l.mul(dx, dx), l.mul(dy, dy))
	is := l.both(l.compare(d2, lessOrEqual, limit), l.both(l.compare(row, less, beyond), l.compare(row, notEqual, self)))
	pack := l.packer(is)
	out := func(i int, v vector) {
		c := GP64()
		MOVQ(Mem{Base: to, Disp: 8 * i}, c)
		l.store(v, Mem{Base: c, Index: at, Scale: 8})
	}
	out(pairDX, pack(dx))
	out(pairDY, pack(dy))
	out(pairUX, pack(l.sub(own(seekersVX), in(crowdVX))))
	out(pairUY, pack(l.sub(own(seekersVY), in(crowdVY))))
	out(pairReach, pack(l.add(own(seekersRadius), in(crowdRadius))))
	// The rank, as in orca.rankOf.
	dirX, dirY := l.load(in(crowdDirX)), l.load(in(crowdDirY))
	alike := l.add(l.mul(own(seekersDirX), dirX), l.mul(own(seekersDirY), dirY))
	mine := l.add(l.mul(dx, own(seekersDirX)), l.mul(dy, own(seekersDirY)))
	theirs := l.sub(l.zero(), l.add(l.mul(dx, dirX), l.mul(dy, dirY)))
	rank := l.either(l.compare(mine, more, theirs), l.all(number(behind)), l.all(number(ahead)))
	rank = l.either(l.compare(mine, equal, theirs), l.all(number(level)), rank)
	out(pairOf, pack(l.add(row, l.either(l.compare(alike, more, l.all(number(against))), rank, l.zero()))))
	found := l.bits(is)
	POPCNTL(found, found)
	ADDQ(found.As64(), at)

	VADDPD(l.all(number(float64(l.n))), row, row)
	ADDQ(Imm(uint64(l.n)), k)
	CMPQ(k, end)
	JLT(LabelRef("lanes"))
	ADDQ(Imm(8), parts)
	DECQ(count)
	JNZ(LabelRef("part"))

	MOVQ(at, end)
	SUBQ(start, end)
	MOVL(end.As32(), Mem{Base: by, Index: done, Scale: 4, Disp: 8 * seekersFound})
	CMPQ(end, field(seekersMost))
	JLE(LabelRef("few"))
	l.nearest(to, start, at.(reg.GPVirtual), field(seekersMost))
	Label("few")
	MOVL(at.(reg.GP).As32(), Mem{Base: by, Index: done, Scale: 4, Disp: 8 * seekersEnds})
	INCQ(who)
	INCQ(done)
	CMPQ(done, field(seekersN))
	JLT(LabelRef("seeker"))
	Store(at, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// nearest implements orca.pairs.nearest for the pairs from start to end, the last ones so far. It sets end to
// the end of the pairs that remain.
func (l lanes) nearest(to reg.Register, start, end reg.GPVirtual, most Mem) {
	row, column, from, j := GP64(), GP64(), GP64(), GP64()
	MOVQ(start, from)
	in := func(i int, row reg.Register) Mem {
		MOVQ(Mem{Base: to, Disp: 8 * i}, column)
		return Mem{Base: column, Index: row, Scale: 8}
	}
	MOVQ(start, row)
	Label("squares")
	dx, dy := l.load(in(pairDX, row)), l.load(in(pairDY, row))
	l.store(l.add(l.mul(dx, dx), l.mul(dy, dy)), in(pairC, row))
	ADDQ(Imm(uint64(l.n)), row)
	CMPQ(row, end)
	JLT(LabelRef("squares"))

	one, many, count := l.all(number(1)), l.new(), GP64()
	MOVQ(most, count)
	l.allOf(count, many)
	MOVQ(start, row)
	at := GP64()
	MOVQ(start, at)
	Label("rows")
	d2, nearer := l.load(in(pairC, row)), l.zero()
	MOVQ(from, j)
	Label("others")
	other := l.compare(l.all(Mem{Base: column, Index: j, Scale: 8}), less, d2)
	if l.wide() {
		VADDPD(one, nearer, other, nearer)
	} else {
		VADDPD(l.and(other.(vector), one), nearer, nearer)
	}
	INCQ(j)
	CMPQ(j, end)
	JLT(LabelRef("others"))
	near := l.compare(nearer, less, many)
	pack := l.packer(near)
	for _, i := range []int{pairDX, pairDY, pairUX, pairUY, pairReach, pairOf} {
		l.store(pack(l.load(in(i, row))), in(i, at))
	}
	MOVQ(end, count)
	SUBQ(row, count)
	l.upTo(count)
	kept := l.bits(near)
	BZHIL(count.As32(), kept, kept)
	POPCNTL(kept, kept)
	ADDQ(kept.As64(), at)
	ADDQ(Imm(uint64(l.n)), row)
	CMPQ(row, end)
	JLT(LabelRef("rows"))
	MOVQ(at, end)
}

func (l lanes) upTo(number reg.GPVirtual) {
	lanes := GP64()
	MOVQ(U32(uint32(l.n)), lanes)
	CMPQ(number, lanes)
	CMOVQGT(lanes, number)
}

func (l lanes) allOf(i reg.Register, v vector) {
	x := XMM()
	VXORPD(x, x, x)
	VCVTSI2SDQ(i, x, x)
	VBROADCASTSD(x, v)
}

func (l lanes) bits(m mask) reg.GPVirtual {
	bits := GP32()
	if l.wide() {
		KMOVB(m, bits)
	} else {
		VMOVMSKPD(m, bits)
	}
	return bits
}

func (l lanes) counting() Mem {
	return table("counting"+l.name, l.n, func(i int) Constant { return F64(i) })
}

// packer returns a function that packs the lanes of a mask to the beginning of a vector. With AVX2, a table
// contains the order of half lanes for each mask.
func (l lanes) packer(m mask) func(v vector) vector {
	if l.wide() {
		return func(v vector) vector {
			packed := l.new()
			VCOMPRESSPD_Z(v, m, packed)
			return packed
		}
	}
	packing := table("packing", 16*8, func(k int) Constant {
		if lane := inSet(k/8, k%8/2); lane >= 0 {
			return U32(2*lane + k%2)
		}
		return U32(0)
	})
	bits, table, order := l.bits(m), GP64(), YMM()
	SHLL(Imm(5), bits)
	LEAQ(packing, table)
	VMOVDQU(Mem{Base: table, Index: bits.As64(), Scale: 1}, order)
	return func(v vector) vector {
		packed := l.new()
		VPERMD(v, order, packed)
		return packed
	}
}

func (l lanes) floor(v vector) vector {
	whole := l.new()
	if l.wide() {
		VRNDSCALEPD(Imm(1), v, whole)
	} else {
		VROUNDPD(Imm(1), v, whole)
	}
	return whole
}

// For NaN, notEqual is false and notMore is true.
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
	pairOf
	pairNX
	pairNY
	pairC
)

// The ranks of package kernel.
const (
	ahead   = 0.25
	behind  = 0.5
	level   = 0.75
	against = -0.5 // kernel.Against
)

// The fields of kernel.Bounds and of kernel.Preferred.
const (
	boundsHorizon = iota
	boundsStep
	boundsClosing
	boundsWider
	boundsYieldShare
	boundsSide
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

// halfPlanes implements orca.Solver.halfPlane. It also processes rows past the last pair, with undefined
// results.
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
	other, share := l.load(of(pairOf)), l.load(of(pairShare))
	rank := l.sub(other, l.floor(other))
	ranks := l.compare(share, equal, field(boundsYieldShare))
	yields := l.both(ranks, l.compare(rank, equal, l.all(number(behind))))
	l.ifAny(l.both(ranks, l.compare(rank, equal, l.all(number(level)))), "odd")
	never := l.orElse(l.both(ranks, l.compare(rank, equal, l.all(number(ahead)))), l.compare(share, notMore, none))
	l.store(l.either(never, l.all(number(math.Inf(-1))), none), of(pairC)) // both in memory: too few registers
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
	side = l.either(l.compare(side, equal, none), field(boundsSide), side)
	inRange := l.both(l.compare(w2, moreOrEqual, l.all(number(minNorm2))), l.compare(w2, lessOrEqual, l.all(number(maxNorm2))))
	l.unlessAll(l.eitherMask(leg, l.compare(side, equal, side), inRange), "odd")

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

func (l lanes) columns(pairs, row reg.Register) func(column int) Mem {
	return func(i int) Mem {
		c := GP64()
		MOVQ(Mem{Base: pairs, Disp: 8 * i}, c)
		return Mem{Base: c, Index: row, Scale: 8}
	}
}

// hindering implements kernel.Hindering.
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
	MOVQ(at(aimTo), left) // lanes past the last pair do not count
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

// worst implements orca.worstOf.
func worst(l lanes) {
	TEXT("worst"+l.name, NOSPLIT, "func(nx, ny, c *float64, n int, x, y, least float64) (at int, most float64)")
	nx, ny, c := Load(Param("nx"), GP64()), Load(Param("ny"), GP64()), Load(Param("c"), GP64())
	row, n := GP64(), Load(Param("n"), GP64())
	x, y := l.all(argument("x")), l.all(argument("y"))
	violation := func() vector {
		of := func(column reg.Register) Mem { return Mem{Base: column, Index: row, Scale: 8} }
		return l.sub(l.load(of(c)), l.add(l.mul(x, of(nx)), l.mul(y, of(ny))))
	}
	least, most, end, lane := l.all(argument("least")), l.new(), l.new(), l.new()
	VMOVUPD(least, most)
	l.allOf(n, end)
	VMOVUPD(l.load(l.counting()), lane)
	XORQ(row, row)
	Label("loop")
	inside := l.compare(lane, less, end)
	VMAXPD(most, l.either(inside, violation(), most), most) // keeps most if the violation is NaN
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

// greatest returns a vector whose first lane is the largest number of v.
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

const gapRounding = 0x1p-30

func (l lanes) and(a, b vector) vector { v := l.new(); VANDPD(b, a, v); return v }
func (l lanes) or(a, b vector) vector  { v := l.new(); VORPD(b, a, v); return v }
func (l lanes) xor(a, b vector) vector { v := l.new(); VXORPD(b, a, v); return v }

// pairs holds two float64 of each row, interleaved as in columns. Vectors with one number per row, from the
// methods first, second or numbers, have an order that suits the processor; the method each restores the
// order of pairs.
type pairs [2]vector

func (l lanes) pairs(m Mem) pairs {
	return pairs{l.load(m), l.load(m.Offset(l.bytes()))}
}

func (l lanes) storePairs(p pairs, m Mem) {
	l.store(p[0], m)
	l.store(p[1], m.Offset(l.bytes()))
}

func (l lanes) first(p pairs) vector { v := l.new(); VUNPCKLPD(p[1], p[0], v); return v }

func (l lanes) second(p pairs) vector { v := l.new(); VUNPCKHPD(p[1], p[0], v); return v }

// order returns the row of each lane in vectors from the methods first, second or numbers.
func (l lanes) order() Mem {
	return table("order"+l.name, l.n, func(i int) Constant { return U64(i/2 + i%2*(l.n/2)) })
}

func (l lanes) numbers(m Mem) vector {
	v := l.new()
	if !l.wide() {
		VPERMPD(Imm(0xd8), m, v)
		return v
	}
	index := l.load(l.order())
	VPERMPD(m, index, v)
	return v
}

func (l lanes) each(v vector) pairs {
	p := pairs{l.new(), l.new()}
	VMOVDDUP(v, p[0])
	VUNPCKHPD(v, v, p[1])
	return p
}

func (l lanes) eachMask(m mask) [2]mask {
	if !l.wide() {
		p := l.each(m.(vector))
		return [2]mask{p[0], p[1]}
	}
	v, low, high := l.new(), K(), K()
	VPMOVM2Q(m, v)
	p := l.each(v)
	VPMOVQ2M(p[0], low)
	VPMOVQ2M(p[1], high)
	return [2]mask{low, high}
}

// fours loads a component of four float64 as pairs of the first two and of the last two.
func (l lanes) fours(m Mem) (first, last pairs) {
	for i := range 2 {
		a, b := l.load(m.Offset(2*i*l.bytes())), l.load(m.Offset((2*i+1)*l.bytes()))
		first[i], last[i] = l.new(), l.new()
		if l.wide() {
			VSHUFF64X2(Imm(0x88), b, a, first[i])
			VSHUFF64X2(Imm(0xdd), b, a, last[i])
		} else {
			VPERM2F128(Imm(0x20), b, a, first[i])
			VPERM2F128(Imm(0x31), b, a, last[i])
		}
	}
	return first, last
}

func (l lanes) addPairs(p, q pairs) pairs { return pairs{l.add(p[0], q[0]), l.add(p[1], q[1])} }
func (l lanes) subPairs(p, q pairs) pairs { return pairs{l.sub(p[0], q[0]), l.sub(p[1], q[1])} }

func (l lanes) scale(f vector, p pairs) pairs {
	e := l.each(f)
	return pairs{l.mul(p[0], e[0]), l.mul(p[1], e[1])}
}

func (l lanes) norm2(p pairs) vector {
	s := pairs{l.mul(p[0], p[0]), l.mul(p[1], p[1])}
	return l.add(l.first(s), l.second(s))
}
