package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets of fields of kernel.Way and kernel.Sifter, and the size of a Way, in bytes; siftPad and siftQueue
// count elements.
const (
	wayFrom, wayLength, waySize = 0, 32, 48

	siftReach, siftExtent, siftScale, siftUnits = 0, 8, 16, 24
	siftSalt, siftShift, siftStart, siftLists   = 32, 40, 48, 72
	siftSpan                                    = 96
	siftX                                       = siftSpan + 64*8
	siftDirX, siftDirY, siftNear, siftFar       = siftX + 2*256, siftX + 3*256, siftX + 4*256, siftX + 5*256
	siftBusy                                    = siftX + 6*256
	siftPiece                                   = siftBusy + 64 + 8
	siftWay                                     = siftPiece + 4*(siftQueue+siftPad)
	siftPad, siftQueue                          = 4, 512

	// See the rough test in package space.
	fixedPoint, lostUnits, radiusStep = 1.5 * (1 << 31), 1.5*(1<<20) + 1<<12, 1 << 22
)

// aim computes the ways of systems.ThreatScan, for four agents at a time. It prefetches their threats, which
// are read after all sweeps are known.
func aim(l lanes) {
	if l.wide() {
		return
	}
	TEXT("aim"+l.name, NOSPLIT, "func(n int, pos, vel, scan, radius, threat, ways, far *float64) int")
	pos, vel, scan := pairsOf("pos"), pairsOf("vel"), numbersOf("scan")
	threat := Load(Param("threat"), GP64())
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
		VMAXPD(most, reach, most) // keeps most if reach is NaN
		both := pairs{length, body}
		for k, v := range []vector{r.first(both), r.second(both)} {
			VMOVUPD(v.AsX(), Mem{Base: way, Disp: k*waySize + wayLength})
			VEXTRACTF128(Imm(1), v, Mem{Base: way, Disp: (k+2)*waySize + wayLength})
		}
		ADDQ(Imm(4*waySize), way)
		for line := 0; line < 4*threatSize; line += 64 {
			PREFETCHT0(Mem{Base: threat, Disp: line})
		}
		ADDQ(Imm(4*threatSize), threat)
		VMOVUPD(most, Mem{Base: far})
	})
}

// sift implements first the function look of internal/space, for four ways at a time, and then the function
// rough there, for four entries of one list, or for two short lists, at a time.
func sift(l lanes) {
	if l.wide() {
		return
	}
	TEXT("sift"+l.name, NOSPLIT, "func(n int, ways, s *float64) (single bool, lists, done, found int)")
	n, way, s := Load(Param("n"), GP64()), Load(Param("ways"), GP64()), Load(Param("s"), GP64())
	at := func(offset int) Mem { return Mem{Base: s, Disp: offset} }
	index, lists, begin := GP64(), GP64(), GP64()
	MOVQ(at(siftStart), index)
	MOVQ(at(siftLists), begin)
	XORQ(lists, lists)
	single := l.new()
	VPCMPEQD(single, single, single)
	i := GP64()
	XORQ(i, i)
	row := func(offset int) Mem { return Mem{Base: s, Index: i, Scale: 4, Disp: offset} }

	Label("ways")
	var a [4]vector
	for k := range a {
		a[k] = l.load(Mem{Base: way, Disp: k * waySize})
	}
	v := l.crossed(a)
	fromX, fromY, dirX, dirY := v[0], v[1], v[2], v[3]
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
	near := l.add(l.mul(body, l.all(at(siftUnits))), l.all(number(lostUnits)))
	far := l.add(near, l.mul(half, l.all(at(siftUnits))))
	for k, v := range []vector{dirX, dirY, near, far} {
		short := XMM()
		VCVTPD2PSY(v, short)
		VMOVUPS(short, row(siftDirX+256*k))
	}
	var cell [2]vector
	for k, v := range []vector{midX, midY} {
		cell[k] = l.add(l.mul(v, l.all(at(siftScale))), l.all(number(fixedPoint)))
		low, high := XMM(), XMM()
		VEXTRACTF128(Imm(1), cell[k], high)
		VSHUFPS(Imm(0x88), high, cell[k].AsX(), low)
		VPSLLD(Imm(6), low, low)
		VMOVUPS(low, row(siftX+256*k))
		VPSRLQ(Imm(21), cell[k], cell[k])
	}
	column, line := cell[0], cell[1]
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
	span := func(i reg.Register) Mem { return Mem{Base: s, Index: i, Scale: 8, Disp: siftSpan} }
	VMOVDQU(product, span(i))
	// Slots and lists are read later, when they have arrived from memory.
	for k := range 4 {
		slot := GP64()
		MOVQ(span(i).Offset(8*k), slot)
		PREFETCHT0(Mem{Base: index, Index: slot, Scale: 4})
	}
	ADDQ(Imm(4*waySize), way)
	ADDQ(Imm(4), i)
	CMPQ(i, n)
	JL(LabelRef("ways"))

	XORQ(i, i)
	Label("slots")
	slot, first, last := GP64(), GP64(), GP64()
	MOVQ(span(i), slot)
	MOVQ(Mem{Base: index, Index: slot, Scale: 4}, first)
	MOVQ(first, span(i))
	MOVB(i.As8(), Mem{Base: s, Index: lists, Scale: 1, Disp: siftBusy})
	MOVQ(first, last)
	SHRQ(Imm(32), last)
	MOVL(first.As32(), first.As32())
	PREFETCHT0(Mem{Base: begin, Index: first, Scale: 8})
	PREFETCHT0(Mem{Base: begin, Index: last, Scale: 8, Disp: -8})
	CMPL(first.As32(), last.As32())
	ADCQ(Imm(0), lists)
	INCQ(i)
	CMPQ(i, n)
	JL(LabelRef("slots"))

	is := GP32()
	VMOVMSKPD(single, is)
	CMPL(is, Imm(15))
	SETEQ(is.As8())
	Store(is.As8(), ReturnIndex(0))

	j, found := GP64(), GP64()
	XORQ(j, j)
	XORQ(found, found)
	order := GP64()
	LEAQ(chosen(), order)
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
	SHLQ(Imm(3), e)
	ADDQ(begin, e)
	Label("entries")
	two, more, spot, piece := XMM(), XMM(), XMM(), XMM()
	VMOVUPS(Mem{Base: e}, two)
	VMOVUPS(Mem{Base: e, Disp: 16}, more)
	VSHUFPS(Imm(0x88), more, two, spot)
	VSHUFPS(Imm(0xdd), more, two, piece)
	keep, count := GP32(), GP32()
	apart := l.apart(spot, w, XMM)
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
	l.keepPieces(keep, piece, own, order, s, found)
	ADDQ(Imm(32), e)
	SUBL(Imm(4), left)
	JG(LabelRef("entries"))
	INCQ(j)
	Label("next")
	CMPQ(j, lists)
	JGE(LabelRef("full"))
	// Most lists are short: process two of up to four entries together.
	CMPQ(found, U32(siftQueue-8))
	JG(LabelRef("list"))
	second := GP64()
	LEAQ(Mem{Base: j, Disp: 2}, second)
	CMPQ(second, lists)
	JG(LabelRef("list"))
	var both, begins, lefts [2]reg.GPVirtual
	for k := range both {
		both[k], begins[k], lefts[k] = GP32(), GP32(), GP32()
		MOVBLZX(Mem{Base: s, Index: j, Scale: 1, Disp: siftBusy + k}, both[k])
		MOVL(Mem{Base: s, Index: both[k].As64(), Scale: 8, Disp: siftSpan}, begins[k])
		MOVL(Mem{Base: s, Index: both[k].As64(), Scale: 8, Disp: siftSpan + 4}, lefts[k])
		SUBL(begins[k], lefts[k])
	}
	long, longer := GP32(), GP32()
	LEAL(Mem{Base: lefts[0].As64(), Disp: -1}, long)
	LEAL(Mem{Base: lefts[1].As64(), Disp: -1}, longer)
	ORL(longer, long)
	CMPL(long, Imm(3))
	JA(LabelRef("list"))
	var ws [6]reg.VecVirtual
	for k := range ws {
		ws[k] = YMM()
		v := YMM()
		VBROADCASTSS(Mem{Base: s, Index: both[0].As64(), Scale: 4, Disp: siftX + 256*k}, ws[k])
		VBROADCASTSS(Mem{Base: s, Index: both[1].As64(), Scale: 4, Disp: siftX + 256*k}, v)
		VBLENDPS(Imm(0xf0), v, ws[k], ws[k])
	}
	var parts [2]reg.VecVirtual
	for k := range parts {
		parts[k] = YMM()
		VBROADCASTF128(Mem{Base: begin, Index: begins[0].As64(), Scale: 8, Disp: 16 * k}, parts[k])
		VINSERTF128(Imm(1), Mem{Base: begin, Index: begins[1].As64(), Scale: 8, Disp: 16 * k}, parts[k], parts[k])
	}
	spots, pieces := YMM(), YMM()
	VSHUFPS(Imm(0x88), parts[1], parts[0], spots)
	VSHUFPS(Imm(0xdd), parts[1], parts[0], pieces)
	keeps, keepsOther := GP32(), GP32()
	VMOVMSKPS(l.apart(spots, ws, YMM), keeps)
	NOTL(keeps)
	MOVL(keeps, keepsOther)
	SHRL(Imm(4), keepsOther)
	BZHIL(lefts[0], keeps, keeps)
	BZHIL(lefts[1], keepsOther, keepsOther)
	other := XMM()
	VEXTRACTF128(Imm(1), pieces, other)
	for k := range both {
		IMUL3L(U32(0x01010101), both[k], both[k])
	}
	l.keepPieces(keeps, pieces.AsX(), both[0], order, s, found)
	l.keepPieces(keepsOther, other, both[1], order, s, found)
	MOVQ(second, j)
	JMP(LabelRef("next"))
	Label("full")
	Store(lists, ReturnIndex(1))
	Store(j, ReturnIndex(2))
	Store(found, ReturnIndex(3))
	VZEROUPPER()
	RET()
}

// apart returns a vector whose sign bits mark the entries of spot that the way w cannot touch. The parameter
// of is a function that allocates registers.
func (l lanes) apart(spot reg.VecVirtual, w [6]reg.VecVirtual, of func() reg.VecVirtual) reg.VecVirtual {
	short := func(op func(Op, Op, Op), a, b Op) reg.VecVirtual { v := of(); op(b, a, v); return v }
	mul, add, sub := wrap(VMULPS), wrap(VADDPS), wrap(VSUBPS)
	sign, unit, eight, dx, dy, r := of(), of(), of(), of(), of(), of()
	VBROADCASTSS(bits(1<<31-1), sign)
	VBROADCASTSS(single32(radiusStep), unit)
	VBROADCASTSS(bits(0xff), eight)
	VPSUBD(w[0], spot, dx)
	VCVTDQ2PS(dx, dx)
	VPSLLD(Imm(12), spot, dy)
	VPSUBD(w[1], dy, dy)
	VCVTDQ2PS(dy, dy)
	VPAND(eight, spot, r)
	VCVTDQ2PS(r, r)
	VMULPS(unit, r, r)
	aside := short(sub, short(mul, dx, w[3]), short(mul, dy, w[2]))
	ahead := short(add, short(mul, dx, w[2]), short(mul, dy, w[3]))
	VANDPS(sign, aside, aside)
	VANDPS(sign, ahead, ahead)
	apart := short(sub, short(add, r, w[4]), aside)
	VORPS(short(sub, short(add, r, w[5]), ahead), apart, apart)
	return apart
}

// keepPieces appends to the pieces in s those of four pieces whose bits are 1 in set, each with its way, and
// adds their number to found. The parameter order is the address of chosen(). keepPieces overwrites set.
func (l lanes) keepPieces(set reg.GPVirtual, pieces, way Op, order, s, found reg.Register) {
	at16, chosen := GP64(), XMM()
	MOVL(set, at16.As32())
	SHLQ(Imm(4), at16)
	VPERMILPS(Mem{Base: order, Index: at16, Scale: 1}, pieces, chosen)
	VMOVUPS(chosen, Mem{Base: s, Index: found, Scale: 4, Disp: siftPiece})
	MOVL(way, Mem{Base: s, Index: found, Scale: 1, Disp: siftWay})
	POPCNTL(set, set)
	ADDQ(set.As64(), found)
}

func wrap(op func(...Op)) func(a, b, c Op) { return func(a, b, c Op) { op(a, b, c) } }

func bits(u uint64) Mem {
	return table(fmt.Sprintf("u%016x", u), 1, func(int) Constant { return U64(u) })
}

// chosen returns a table of the lanes in each of the sixteen subsets of four lanes.
func chosen() Mem {
	return table("chosen", 16*4, func(k int) Constant { return U32(max(inSet(k/4, k%4), 0)) })
}

func single32(f float32) Mem { return bits(uint64(math.Float32bits(f))) }

func begins() Mem { return table("begins", 5, func(n int) Constant { return U32(1<<n - 1) }) }
