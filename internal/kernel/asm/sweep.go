package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Where the fields of kernel.Way and kernel.Sift are, in bytes.
const (
	wayFrom, wayLength, waySize = 0, 32, 48

	siftOrigin, siftSpare, siftReach, siftExtent, siftScale = 0, 16, 24, 32, 40
	siftSalt, siftShift, siftStart, siftLists               = 48, 56, 64, 88
	siftSpan                                                = 112
	siftX                                                   = siftSpan + 64*8
	siftY, siftDirX, siftDirY, siftNear, siftFar            = siftX + 256, siftX + 2*256, siftX + 3*256, siftX + 4*256, siftX + 5*256
	siftBusy                                                = siftX + 6*256
	siftPiece                                               = siftBusy + 64 + 8
	siftWay                                                 = siftPiece + 4*(siftQueue+siftFew)
	siftFew, siftQueue                                      = 4, 512
)

// aim is the aim of systems.ThreatScan, for four agents at a time.
func aim(l lanes) {
	if l.wide() {
		return
	}
	TEXT("aim"+l.name, NOSPLIT, "func(n int, pos, vel, scan, radius, ways, far *float64) int")
	pos, vel, scan := pairsOf("pos"), pairsOf("vel"), numbersOf("scan")
	radius, way, far := Load(Param("radius"), GP64()), Load(Param("ways"), GP64()), Load(Param("far"), GP64())
	maxNorm2, minNorm2, one, half := l.all(number(maxNorm2)), l.all(number(minNorm2)), l.all(number(1)), l.all(number(0.5))
	none, most := l.zero(), l.load(Mem{Base: far})
	l.forRows(func(r rows) {
		v := r.pairs(r.of(vel))
		n2 := r.norm2(v)
		rest := r.compare(n2, equal, none)
		usual := l.new()
		VORPD(rest, r.both(r.compare(n2, moreOrEqual, minNorm2), r.compare(n2, lessOrEqual, maxNorm2)), usual)
		r.unlessAll(usual, "odd")
		dir := r.scale(r.either(rest, none, r.div(one, r.sqrt(n2))), v)
		p := r.pairs(r.of(pos))
		for k := range 4 {
			v := l.new()
			VPERM2F128(Imm(uint64(0x20+0x11*(k%2))), dir[k/2], p[k/2], v)
			l.store(v, Mem{Base: way, Disp: k*waySize + wayFrom})
		}
		length, body := l.load(r.of(scan)), l.zero()
		TESTQ(radius, radius)
		JZ(LabelRef("point"))
		VMOVUPD(Mem{Base: radius, Index: r.row, Scale: 8}, body)
		Label("point")
		reach := r.add(r.mul(length, half), body)
		VMAXPD(most, reach, most) // the one so far, if a number is NaN
		both := pairs{length, body}
		for k, v := range []vector{r.first(both), r.second(both)} {
			VMOVUPD(v.AsX(), Mem{Base: way, Disp: k*waySize + wayLength})
			VEXTRACTF128(Imm(1), v, Mem{Base: way, Disp: (k+2)*waySize + wayLength})
		}
		ADDQ(Imm(4*waySize), way)
		VMOVUPD(most, Mem{Base: far})
	})
}

// sift is space.Sweeps.sift, for four ways at a time, and then four entries of the list of
// one way.
func sift(l lanes) {
	if l.wide() {
		return
	}
	TEXT("sift"+l.name, NOSPLIT, "func(n int, ways, s *float64) (single bool, lists, done, found int)")
	n, way, s := Load(Param("n"), GP64()), Load(Param("ways"), GP64()), Load(Param("s"), GP64())
	at := func(offset int) Mem { return Mem{Base: s, Disp: offset} }
	index, lists := GP64(), GP64()
	MOVQ(at(siftStart), index)
	begin := GP64()
	MOVQ(at(siftLists), begin)
	XORQ(lists, lists)
	single := l.new()
	VPCMPEQD(single, single, single)
	i, each := GP64(), GP32()
	XORQ(i, i)
	XORL(each, each)
	row := func(offset int) Mem { return Mem{Base: s, Index: i, Scale: 4, Disp: offset} }

	Label("ways")
	var a [4]vector
	for k := range a {
		a[k] = l.load(Mem{Base: way, Disp: k * waySize})
	}
	x, y := pairs{a[0], a[1]}, pairs{a[2], a[3]}
	low, high := pairs{l.first(x), l.first(y)}, pairs{l.second(x), l.second(y)}
	half128 := func(p pairs, which uint64) vector { v := l.new(); VPERM2F128(Imm(which), p[1], p[0], v); return v }
	fromX, dirX, fromY, dirY := half128(low, 0x20), half128(low, 0x31), half128(high, 0x20), half128(high, 0x31)
	var lb pairs
	for k := range lb {
		lb[k] = l.new()
		VMOVUPD(Mem{Base: way, Disp: k*waySize + wayLength}, lb[k].AsX())
		VINSERTF128(Imm(1), Mem{Base: way, Disp: (k+2)*waySize + wayLength}, lb[k], lb[k])
	}
	length, body := l.first(lb), l.second(lb)
	half := l.mul(length, l.all(number(0.5)))
	reach := l.add(half, body)
	midX, midY := l.add(fromX, l.mul(half, dirX)), l.add(fromY, l.mul(half, dirY))
	abs := func(v vector) vector { w := l.new(); VANDPD(l.all(bits(1<<63-1)), v, w); return w }
	extent := l.all(at(siftExtent))
	for _, m := range []mask{
		l.compare(length, moreOrEqual, l.zero()), l.compare(body, moreOrEqual, l.zero()), l.compare(reach, lessOrEqual, l.all(at(siftReach))),
		l.compare(abs(midX), less, extent), l.compare(abs(midY), less, extent),
	} {
		VANDPD(m, single, single)
	}
	toX, toY := l.sub(midX, l.all(at(siftOrigin))), l.sub(midY, l.all(at(siftOrigin+8)))
	off := l.add(abs(toX), abs(toY))
	near := l.add(l.add(l.add(body, l.mul(reach, l.all(number(0x1p-20)))), l.mul(off, l.all(number(0x1p-22)))), l.all(at(siftSpare)))
	for _, to := range []struct {
		v  vector
		at int
	}{{toX, siftX}, {toY, siftY}, {dirX, siftDirX}, {dirY, siftDirY}, {near, siftNear}, {l.add(near, half), siftFar}} {
		short := XMM()
		VCVTPD2PSY(to.v, short)
		VMOVUPS(short, row(to.at))
	}
	cell := func(v vector) vector {
		short, long := XMM(), YMM()
		VCVTTPD2DQY(l.add(l.mul(v, l.all(at(siftScale))), l.all(number(1<<30))), short)
		VPMOVZXDQ(short, long)
		return long
	}
	column, line := cell(midX), cell(midY)
	product, upper := YMM(), YMM()
	VPMULUDQ(l.all(bits(0x7f4a7c15)), line, product)
	VPMULUDQ(l.all(bits(0x9e3779b9)), line, upper)
	VPSLLQ(Imm(32), upper, upper)
	VPADDQ(upper, product, product)
	VPADDQ(l.all(at(siftSalt)), product, product)
	shift := XMM()
	VMOVQ(at(siftShift), shift)
	VPSLLQ(shift, column, column)
	VPADDQ(column, product, product)
	VPSRLQ(shift, product, product)
	span, all := YMM(), YMM()
	VPXOR(span, span, span) // a register of its own, as the instruction demands
	VPCMPEQD(all, all, all)
	VPGATHERQQ(all, Mem{Base: index, Index: product, Scale: 4}, span)
	VMOVDQU(span, Mem{Base: s, Index: i, Scale: 8, Disp: siftSpan})
	// The lists are read later, when they have come from memory.
	for k := range 4 {
		list := GP64()
		MOVL(Mem{Base: s, Index: i, Scale: 8, Disp: siftSpan + 8*k}, list.As32())
		SHLQ(Imm(4), list)
		PREFETCHT0(Mem{Base: begin, Index: list, Scale: 1})
	}
	turned := YMM()
	VPSHUFD(Imm(0xb1), span, turned)
	VPCMPEQD(turned, span, turned)
	kept, which := GP32(), GP32()
	VMOVMSKPD(turned, kept)
	XORL(Imm(15), kept)
	table := GP64()
	LEAQ(chosen(1), table)
	MOVL(Mem{Base: table, Index: kept.As64(), Scale: 4}, which)
	ADDL(each, which)
	MOVL(which, Mem{Base: s, Index: lists, Scale: 1, Disp: siftBusy})
	POPCNTL(kept, kept)
	ADDQ(kept.As64(), lists)
	ADDL(Imm(0x04040404), each)
	ADDQ(Imm(4*waySize), way)
	ADDQ(Imm(4), i)
	CMPQ(i, n)
	JL(LabelRef("ways"))

	is := GP32()
	VMOVMSKPD(single, is)
	CMPL(is, Imm(15))
	SETEQ(is.As8())
	Store(is.As8(), ReturnIndex(0))

	j, found := GP64(), GP64()
	XORQ(j, j)
	XORQ(found, found)
	order := GP64()
	LEAQ(chosen(4), order)
	JMP(LabelRef("next"))
	Label("list")
	b := GP32()
	MOVBLZX(Mem{Base: s, Index: j, Scale: 1, Disp: siftBusy}, b)
	from, left := GP32(), GP32()
	MOVL(Mem{Base: s, Index: b.As64(), Scale: 8, Disp: siftSpan}, from)
	MOVL(Mem{Base: s, Index: b.As64(), Scale: 8, Disp: siftSpan + 4}, left)
	SUBL(from, left)
	end := GP64()
	LEAQ(Mem{Base: found, Index: left.As64(), Scale: 1}, end)
	CMPQ(end, U32(siftQueue))
	JG(LabelRef("full"))
	var w [6]reg.VecVirtual
	for k := range w {
		w[k] = XMM()
		VBROADCASTSS(Mem{Base: s, Index: b.As64(), Scale: 4, Disp: siftX + 256*k}, w[k])
	}
	own := GP32()
	IMUL3L(U32(0x01010101), b, own)
	e := GP64()
	MOVL(from, e.As32())
	SHLQ(Imm(4), e)
	ADDQ(begin, e)
	short := func(op func(Op, Op, Op), a, b Op) reg.VecVirtual { v := XMM(); op(b, a, v); return v }
	mul, add, sub := wrap(VMULPS), wrap(VADDPS), wrap(VSUBPS)
	lowPS, highPS, lowPD, highPD := wrap(VUNPCKLPS), wrap(VUNPCKHPS), wrap(VUNPCKLPD), wrap(VUNPCKHPD)
	sign := XMM()
	VBROADCASTSS(bits(1<<31-1), sign)
	Label("entries")
	var q [4]reg.VecVirtual
	for k := range q {
		q[k] = XMM()
		VMOVUPS(Mem{Base: e, Disp: 16 * k}, q[k])
	}
	xy01, xy23, rp01, rp23 := short(lowPS, q[0], q[1]), short(lowPS, q[2], q[3]), short(highPS, q[0], q[1]), short(highPS, q[2], q[3])
	ex, ey, r, piece := short(lowPD, xy01, xy23), short(highPD, xy01, xy23), short(lowPD, rp01, rp23), short(highPD, rp01, rp23)
	dx, dy := short(sub, ex, w[0]), short(sub, ey, w[1])
	aside := short(sub, short(mul, dx, w[3]), short(mul, dy, w[2]))
	ahead := short(add, short(mul, dx, w[2]), short(mul, dy, w[3]))
	VANDPS(sign, aside, aside)
	VANDPS(sign, ahead, ahead)
	apart := short(sub, short(add, r, w[4]), aside)
	VORPS(short(sub, short(add, r, w[5]), ahead), apart, apart)
	keep, count := GP32(), GP32()
	VMOVMSKPS(apart, keep)
	XORL(Imm(15), keep)
	four := GP32()
	MOVL(U32(4), four)
	MOVL(left, count)
	CMPL(left, Imm(4))
	CMOVLGT(four, count)
	ends := GP64()
	LEAQ(begins(), ends)
	ANDL(Mem{Base: ends, Index: count.As64(), Scale: 4}, keep)
	at16 := GP64()
	MOVL(keep, at16.As32())
	SHLQ(Imm(4), at16)
	VPERMILPS(Mem{Base: order, Index: at16, Scale: 1}, piece, piece)
	VMOVUPS(piece, Mem{Base: s, Index: found, Scale: 4, Disp: siftPiece})
	MOVL(own, Mem{Base: s, Index: found, Scale: 1, Disp: siftWay})
	POPCNTL(keep, keep)
	ADDQ(keep.As64(), found)
	ADDQ(Imm(64), e)
	SUBL(Imm(4), left)
	JG(LabelRef("entries"))
	INCQ(j)
	Label("next")
	CMPQ(j, lists)
	JL(LabelRef("list"))
	Label("full")
	Store(lists, ReturnIndex(1))
	Store(j, ReturnIndex(2))
	Store(found, ReturnIndex(3))
	VZEROUPPER()
	RET()
}

// wrap makes the three operands of an instruction one type.
func wrap(op func(...Op)) func(a, b, c Op) { return func(a, b, c Op) { op(a, b, c) } }

// bits returns where an integer is.
func bits(u uint64) Mem {
	name := fmt.Sprintf("u%016x", u)
	m, seen := tables[name]
	if !seen {
		m = ConstData(name, U64(u))
		tables[name] = m
	}
	return m
}

var tables = map[string]Mem{}

// chosen returns a table that has for each of sixteen sets of four lanes the lanes of the
// set, one after another, each in so many bytes.
func chosen(size int) Mem {
	name := fmt.Sprintf("chosen%d", size)
	m, seen := tables[name]
	if seen {
		return m
	}
	m = GLOBL(name, RODATA|NOPTR)
	for set := range 16 {
		n := 0
		for lane := range 4 {
			if set>>lane&1 == 1 {
				put(m, 4*size*set+n*size, size, lane)
				n++
			}
		}
		for ; n < 4; n++ {
			put(m, 4*size*set+n*size, size, 0)
		}
	}
	tables[name] = m
	return m
}

func put(_ Mem, at, size, v int) {
	if size == 1 {
		DATA(at, U8(v))
	} else {
		DATA(at, U32(v))
	}
}

// begins returns a table of the sets of the first lanes, none to four.
func begins() Mem {
	m, seen := tables["begins"]
	if !seen {
		m = GLOBL("begins", RODATA|NOPTR)
		for n := range 5 {
			DATA(4*n, U32(1<<n-1))
		}
		tables["begins"] = m
	}
	return m
}
