package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// flock implements flock of internal/space. Like apart, it sums in eight lanes, in one vector or two, and
// reduces the lanes pairwise, the upper half onto the lower.
func flock(l lanes) {
	TEXT("flock"+l.name, NOSPLIT, "func(x, y, vx, vy *float64, stretches *uint32, first, end int, limit, least float64, room *float64, stride int, sums *float64)")
	limit, least := l.constant("limit"), l.constant("least")
	one := l.constantOf(number(1))
	var columns [4]reg.Register
	for k, name := range []string{"x", "y", "vx", "vy"} {
		columns[k] = Load(Param(name), GP64())
	}
	room, own, n := l.together(columns)
	to, left := Load(Param("sums"), GP64()), Load(Param("end"), GP64())
	SUBQ(argument("first"), left)
	px, py := l.keep(), l.keep()
	i, near, far := GP64(), GP64(), GP64()
	Label("agents")
	l.set(px, l.all(Mem{Base: room[0], Index: own, Scale: 8}))
	l.set(py, l.all(Mem{Base: room[1], Index: own, Scale: 8}))
	nowhere := GP64()
	MOVQ(U64(infinity), nowhere) // excludes the agent itself
	MOVQ(nowhere, Mem{Base: room[0], Index: own, Scale: 8})
	XORQ(i, i)
	XORQ(near, near)
	XORQ(far, far)
	sums := l.sums(6)
	Label("candidates")
	for half := range 8 / l.n {
		at := func(k int) Mem { return Mem{Base: room[k], Index: i, Scale: 8, Disp: half * 32} }
		repelX, repelY, awayX, awayY, velocityX, velocityY := sums[0][half], sums[1][half], sums[2][half], sums[3][half], sums[4][half], sums[5][half]
		if l.wide() {
			dx, dy := l.sub(px.(vector), at(0)), l.sub(py.(vector), at(1))
			d2 := l.add(l.mul(dx, dx), l.mul(dy, dy))
			in, out := K(), K()
			VCMPPD(lessOrEqual, limit, d2, in)
			VCMPPD(more, least, d2, in, out)
			count(near, in)
			count(far, out)
			VADDPD(dx, awayX, in, awayX)
			VADDPD(dy, awayY, in, awayY)
			VADDPD(at(2), velocityX, in, velocityX)
			VADDPD(at(3), velocityY, in, velocityY)
			t := l.new()
			VDIVPD_Z(d2, one, out, t)
			VADDPD(l.mul(dx, t), repelX, out, repelX)
			VADDPD(l.mul(dy, t), repelY, out, repelY)
			continue
		}
		// Twelve sums leave four registers: excluded values become zero, and masks and constants are in
		// memory.
		in := AllocLocal(32)
		dx, dy, d2, t := l.new(), l.new(), l.new(), l.new()
		bits, outside := GP32(), GP32()
		VMOVUPD(px, dx)
		VSUBPD(at(0), dx, dx)
		VMOVUPD(py, dy)
		VSUBPD(at(1), dy, dy)
		VMULPD(dx, dx, d2)
		VMULPD(dy, dy, t)
		VADDPD(t, d2, d2)
		VCMPPD(lessOrEqual, limit, d2, t)
		VMOVUPD(t, in)
		VMOVMSKPD(t, bits)
		VANDPD(t, dx, dx)
		VANDPD(t, dy, dy)
		VADDPD(dx, awayX, awayX)
		VADDPD(dy, awayY, awayY)
		VCMPPD(more, least, d2, t)
		VMOVMSKPD(t, outside)
		VANDPD(one, t, t)
		VMAXPD(least, d2, d2)
		VDIVPD(d2, t, t)
		VMULPD(t, dx, dx)
		VMULPD(t, dy, dy)
		VADDPD(dx, repelX, repelX)
		VADDPD(dy, repelY, repelY)
		VMOVUPD(in, t)
		VANDPD(at(2), t, dx)
		VANDPD(at(3), t, dy)
		VADDPD(dx, velocityX, velocityX)
		VADDPD(dy, velocityY, velocityY)
		ANDL(bits, outside)
		POPCNTL(bits, bits)
		POPCNTL(outside, outside)
		ADDQ(bits.As64(), near)
		ADDQ(outside.As64(), far)
	}
	ADDQ(Imm(8), i)
	CMPQ(i, n)
	JLT(LabelRef("candidates"))
	l.reduce(sums, to)
	MOVQ(near, Mem{Base: to, Disp: 48})
	MOVQ(far, Mem{Base: to, Disp: 56})
	mean, share := XMM(), XMM()
	TESTQ(near, near)
	JZ(LabelRef("alone"))
	VXORPD(share, share, share)
	VCVTSI2SDQ(near, share, share)
	VMOVSD(number(1), mean)
	VDIVSD(share, mean, share)
	VMOVDDUP(share, share)
	VMULPD(Mem{Base: to, Disp: 32}, share, mean)
	VMOVUPD(mean, Mem{Base: to, Disp: 32})
	Label("alone")
	self := XMM()
	if l.wide() {
		self = px.(vector).AsX().(reg.VecVirtual)
	} else {
		VMOVSD(px.(Mem), self)
	}
	VMOVSD(self, Mem{Base: room[0], Index: own, Scale: 8})
	ADDQ(Imm(64), to)
	INCQ(own)
	DECQ(left)
	JNZ(LabelRef("agents"))
	VZEROUPPER()
	RET()
}

const infinity = 0x7ff << 52

// together copies the stretches of columns to room, one after another, followed by padding at infinity. The
// result own is the index of the first agent in the copies.
func (l lanes) together(columns [4]reg.Register) (room [4]reg.Register, own, n reg.GPVirtual) {
	own = GP64()
	MOVQ(argument("stride"), own)
	room[0] = Load(Param("room"), GP64())
	for k := range room[1:] {
		room[k+1] = GP64()
		LEAQ(Mem{Base: room[k], Index: own, Scale: 8}, room[k+1])
	}
	n = GP64()
	XORQ(n, n)
	XORQ(own, own)
	from, behind, to := GP64(), GP64(), GP64()
	for s := range stretches {
		label := func(name string) string { return fmt.Sprint(name, s) }
		MOVQ(argument("stretches"), from)
		MOVL(Mem{Base: from, Disp: 8*s + 4}, behind.As32())
		MOVL(Mem{Base: from, Disp: 8 * s}, from.As32())
		CMPQ(from, behind)
		JGE(LabelRef(label("next")))
		MOVQ(argument("first"), to)
		CMPQ(to, from)
		JLT(LabelRef(label("elsewhere")))
		CMPQ(to, behind)
		JGE(LabelRef(label("elsewhere")))
		MOVQ(to, own)
		SUBQ(from, own)
		ADDQ(n, own)
		Label(label("elsewhere"))
		MOVQ(n, to)
		ADDQ(behind, n)
		SUBQ(from, n)
		Label(label("copy"))
		for half := range 8 / l.n {
			for k, column := range columns {
				l.store(l.load(Mem{Base: column, Index: from, Scale: 8, Disp: half * 32}), Mem{Base: room[k], Index: to, Scale: 8, Disp: half * 32})
			}
		}
		ADDQ(Imm(8), from)
		ADDQ(Imm(8), to)
		CMPQ(from, behind)
		JLT(LabelRef(label("copy")))
		Label(label("next"))
	}
	for half := range 8 / l.n {
		l.store(l.all(number(math.Inf(1))), Mem{Base: room[0], Index: n, Scale: 8, Disp: half * 32})
	}
	return room, own, n
}

// apart implements apart of internal/space.
func apart(l lanes) {
	TEXT("apart"+l.name, NOSPLIT, "func(x, y *float64, stretches *uint32, first int, limit, least float64, sums *float64) (odd int)")
	a := l.around()
	least := a.constant("least")
	one := l.constantOf(number(1))
	odd := GP64()
	XORQ(odd, odd)
	sums := l.sums(2)
	a.each(func(half int, valid mask, at func(reg.Register) Mem) {
		sumX, sumY := sums[0][half], sums[1][half]
		dx, dy, d2, t := a.offset(at)
		if l.wide() {
			in, below := K(), K()
			VCMPPD(less, least, d2, valid, below)
			count(odd, below)
			VCMPPD(lessOrEqual, a.limit, d2, valid, in)
			VCMPPD(moreOrEqual, least, d2, in, in)
			l.ifNone(in, "none")
			VSQRTPD(d2, t)
			VDIVPD(t, one, t)
			VMULPD(t, dx, dx)
			VMULPD(t, dy, dy)
			VSUBPD(dx, sumX, in, sumX)
			VSUBPD(dy, sumY, in, sumY)
			Label("none")
			return
		}
		in, below, ones := YMM(), YMM(), YMM()
		bits := GP32()
		VCMPPD(less, least, d2, below)
		VANDPD(valid, below, below)
		VMOVMSKPD(below, bits)
		POPCNTL(bits, bits)
		ADDQ(bits.As64(), odd)
		VCMPPD(lessOrEqual, a.limit, d2, in)
		VANDPD(valid, in, in)
		VANDNPD(in, below, in)
		none := fmt.Sprintf("none%d", half)
		l.ifNone(in, none)
		VSQRTPD(d2, t)
		VMOVUPD(one, ones)
		VDIVPD(t, ones, t)
		VMULPD(t, dx, dx)
		VMULPD(t, dy, dy)
		VANDPD(in, dx, dx)
		VANDPD(in, dy, dy)
		VSUBPD(dx, sumX, sumX)
		VSUBPD(dy, sumY, sumY)
		Label(none)
	})
	l.reduce(sums, Load(Param("sums"), GP64()))
	Store(odd, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func count(sum reg.GPVirtual, m reg.Register) {
	bits := GP32()
	KMOVB(m, bits)
	POPCNTL(bits, bits)
	ADDQ(bits.As64(), sum)
}

// around is a loop over the candidates of an agent, eight at a time.
type around struct {
	lanes
	x, y, stretches, place reg.Register
	limit                  Op
	px, py                 Op     // position of the agent
	self, end              vector // index of the agent, and end of the stretch, if there are enough registers
}

func (l lanes) around() around {
	a := around{lanes: l}
	a.x, a.y = Load(Param("x"), GP64()), Load(Param("y"), GP64())
	a.stretches, a.place = Load(Param("stretches"), GP64()), Load(Param("first"), GP64())
	a.limit = a.constant("limit")
	a.px, a.py = a.keep(), a.keep()
	return a
}

// keep returns an operand for a number in all lanes, in memory if there are few registers.
func (l lanes) keep() Op {
	if l.wide() {
		return l.new()
	}
	return AllocLocal(32)
}

func (l lanes) set(kept Op, v vector) { VMOVUPD(v, kept) }

func (l lanes) constant(name string) Op { return l.constantOf(argument(name)) }

func (l lanes) constantOf(m Mem) Op {
	v := l.all(m)
	if l.wide() {
		return v
	}
	local := AllocLocal(32)
	VMOVUPD(v, local)
	return local
}

func (l lanes) sums(n int) (sums [][]vector) {
	for range n {
		var halves []vector
		for range 8 / l.n {
			halves = append(halves, l.zero())
		}
		sums = append(sums, halves)
	}
	return sums
}

// each emits the loop. In body, the function at returns the operand for the current candidates in a column,
// and valid is the mask of those in the stretch, without the agent itself.
func (a around) each(body func(half int, valid mask, at func(reg.Register) Mem)) {
	a.set(a.px, a.all(Mem{Base: a.x, Index: a.place, Scale: 8}))
	a.set(a.py, a.all(Mem{Base: a.y, Index: a.place, Scale: 8}))
	s, i, end := GP64(), GP64(), GP64()
	if a.wide() {
		a.self, a.end = a.whole(a.place), a.new()
	}
	XORQ(s, s)
	Label("stretch")
	MOVL(Mem{Base: a.stretches, Index: s, Scale: 8}, i.As32())
	MOVL(Mem{Base: a.stretches, Index: s, Scale: 8, Disp: 4}, end.As32())
	if a.wide() {
		VPBROADCASTQ(end, a.end)
	}
	JMP(LabelRef("while"))
	Label("loop")
	for half := range 8 / a.lanes.n {
		body(half, a.valid(i, end, half), func(column reg.Register) Mem { return Mem{Base: column, Index: i, Scale: 8, Disp: half * 32} })
	}
	ADDQ(Imm(8), i)
	Label("while")
	CMPQ(i, end)
	JLT(LabelRef("loop"))
	INCQ(s)
	CMPQ(s, Imm(stretches))
	JLT(LabelRef("stretch"))
}

// stretches is the length of kernel.Stretches.
const stretches = 6

func (a around) valid(i, end reg.GPVirtual, half int) mask {
	numbers := a.whole(i)
	VPADDQ(counting(), numbers, numbers)
	if half > 0 {
		VPADDQ(four(), numbers, numbers)
	}
	if a.wide() {
		before, valid := K(), K()
		VPCMPQ(Imm(1), a.end, numbers, before)
		VPCMPQ(Imm(4), a.self, numbers, before, valid)
		return valid
	}
	valid := a.whole(end)
	VPCMPGTQ(numbers, valid, valid)
	self := a.whole(a.place)
	VPCMPEQQ(self, numbers, numbers)
	VPANDN(valid, numbers, numbers)
	return numbers
}

func (l lanes) whole(r reg.Register) vector {
	v := l.new()
	if l.wide() {
		VPBROADCASTQ(r, v)
		return v
	}
	VMOVQ(r, v.AsX())
	VPBROADCASTQ(v.AsX(), v)
	return v
}

func counting() Mem { return table("counting", 8, func(k int) Constant { return U64(k) }) }

func four() Mem { return table("four", 4, func(int) Constant { return U64(4) }) }

func (a around) offset(at func(reg.Register) Mem) (dx, dy, d2, t vector) {
	dx, dy, d2, t = a.new(), a.new(), a.new(), a.new()
	VMOVUPD(at(a.x), dx)
	VSUBPD(a.px, dx, dx)
	VMOVUPD(at(a.y), dy)
	VSUBPD(a.py, dy, dy)
	VMULPD(dx, dx, d2)
	VMULPD(dy, dy, t)
	VADDPD(t, d2, d2)
	return dx, dy, d2, t
}

// reduce stores sums two at a time: a later load of two would stall if they had been stored one by one.
func (l lanes) reduce(sums [][]vector, to reg.Register) {
	for k := 0; k < len(sums); k += 2 {
		x, y := l.fold(sums[k]), l.fold(sums[k+1])
		VHADDPD(y, x, x)
		VMOVUPD(x, Mem{Base: to, Disp: 8 * k})
	}
}

func (l lanes) fold(halves []vector) reg.VecVirtual {
	sum, high := halves[0].AsX(), XMM()
	if l.wide() {
		above := YMM()
		VEXTRACTF64X4(Imm(1), halves[0], above)
		VADDPD(above, halves[0].AsY(), halves[0].AsY())
	} else {
		VADDPD(halves[1], halves[0], halves[0])
	}
	VEXTRACTF128(Imm(1), halves[0].AsY(), high)
	VADDPD(high, sum, sum)
	return sum.(reg.VecVirtual)
}

// separate implements systems.Separation.
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

// cohere implements systems.Cohesion.
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

// align implements systems.Alignment.
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

func (r rows) gainAndRadius(par column) (gain, radius vector) {
	p, _ := r.fours(r.of(par))
	return r.first(p), r.second(p)
}

// driveBy adds gain·maxSpeed·drive to the steering. It first shortens drive to a length of at most 1, or to
// zero for agents without neighbors.
func (r rows) driveBy(drive pairs, one, gain vector, near, limits, steer column) {
	alone, n2 := r.compare(r.numbers(r.of(near)), equal, r.zero()), r.norm2(drive)
	r.unlessAll(r.orElse(r.compare(n2, lessOrEqual, r.all(number(maxNorm2))), alone), "odd")
	drive = r.scale(r.shrink(n2, one, one, "drive"), drive)
	both, none := r.eachMask(alone), r.zero()
	drive = pairs{r.either(both[0], none, drive[0]), r.either(both[1], none, drive[1])}
	force := r.scale(r.first(r.pairs(r.of(limits))), drive)
	r.storePairs(r.addPairs(r.pairs(r.of(steer)), r.scale(gain, force)), r.of(steer))
}
