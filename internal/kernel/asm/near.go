package main

import (
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
	crowdWayX
	crowdWayY
)
const (
	seekersFirst = iota
	seekersN
	seekersLimit
	seekersMost
	seekersVX // what is known of one of them
	seekersVY
	seekersRadius
	seekersWayX
	seekersWayY
	seekersEnds
	seekersFound = seekersEnds + mostSeekers/2
)

// mostSeekers is kernel.MostSeekers.
const mostSeekers = 64

// near is orca.Solver.near. Rows are float64, so that they are compared and packed as all
// columns are. It writes all lanes, and counts on from those that are near; and leaves the
// nearest of them, as orca.pairs.nearest, before it goes on to the next seeker.
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
	for i, column := range []int{crowdVX, crowdVY, crowdRadius, crowdWayX, crowdWayY} {
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
	out(pairOf, pack(row))

	// The rank, as of orca.rankOf.
	wayX, wayY := l.load(in(crowdWayX)), l.load(in(crowdWayY))
	alike := l.add(l.mul(own(seekersWayX), wayX), l.mul(own(seekersWayY), wayY))
	mine := l.add(l.mul(dx, own(seekersWayX)), l.mul(dy, own(seekersWayY)))
	theirs := l.sub(l.zero(), l.add(l.mul(dx, wayX), l.mul(dy, wayY)))
	rank := l.either(l.compare(mine, more, theirs), l.all(number(behind)), l.all(number(ahead)))
	rank = l.either(l.compare(mine, equal, theirs), l.all(number(level)), rank)
	out(pairRank, pack(l.either(l.compare(alike, more, l.all(number(against))), rank, l.zero())))
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

// nearest is orca.pairs.nearest, for the pairs from start up to end, where those that it
// leaves end then. Behind them there is nothing yet.
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
	for _, i := range []int{pairDX, pairDY, pairUX, pairUY, pairReach, pairRank, pairOf} {
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

// upTo makes a number no greater than that of lanes.
func (l lanes) upTo(number reg.GPVirtual) {
	lanes := GP64()
	MOVQ(U32(uint32(l.n)), lanes)
	CMPQ(number, lanes)
	CMOVQGT(lanes, number)
}

// allOf sets all lanes of a vector to an integer.
func (l lanes) allOf(i reg.Register, v vector) {
	x := XMM()
	VXORPD(x, x, x)
	VCVTSI2SDQ(i, x, x)
	VBROADCASTSD(x, v)
}

// bits returns a bit for each lane, 1 where m is so.
func (l lanes) bits(m mask) reg.GPVirtual {
	bits := GP32()
	if l.wide() {
		KMOVB(m, bits)
	} else {
		VMOVMSKPD(m, bits)
	}
	return bits
}

var countings = map[int]Mem{}

// counting is where the numbers of the lanes are, from 0.
func (l lanes) counting() Mem {
	m, seen := countings[l.n]
	if !seen {
		m = GLOBL("counting"+l.name, RODATA|NOPTR)
		for i := range l.n {
			DATA(8*i, F64(float64(i)))
		}
		countings[l.n] = m
	}
	return m
}

var packing Mem

// packer returns what moves those lanes of a vector that are so to its beginning. With AVX2
// a table says, for each mask, which halves of lanes come one after another.
func (l lanes) packer(m mask) func(v vector) vector {
	if l.wide() {
		return func(v vector) vector {
			packed := l.new()
			VCOMPRESSPD_Z(v, m, packed)
			return packed
		}
	}
	if packing.Base == nil {
		packing = GLOBL("packing", RODATA|NOPTR)
		for bits := range 16 {
			at := 32 * bits
			for lane := range 4 {
				if bits>>lane&1 != 0 {
					DATA(at, U32(2*lane))
					DATA(at+4, U32(2*lane+1))
					at += 8
				}
			}
			for ; at < 32*(bits+1); at += 4 {
				DATA(at, U32(0))
			}
		}
	}
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
