package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// flock is the sums over the neighbors of each of some agents, and apart those over the very
// near ones of one agent: see internal/space. Both sum in eight lanes, in one vector or two,
// and the sum of these is that of the half above added to the half below, until one is left.
func flock(l lanes) {
	TEXT("flock"+l.name, NOSPLIT, "func(x, y, vx, vy *float64, stretches *uint32, first, end int, limit, least float64, sums *float64)")
	a := l.around()
	least := a.constant("least")
	one := l.constantOf(number(1))
	vx, vy := Load(Param("vx"), GP64()), Load(Param("vy"), GP64())
	to := Load(Param("sums"), GP64())
	near, far := GP64(), GP64()
	end, err := Param("end").Resolve()
	if err != nil {
		panic(err)
	}
	JMP(LabelRef("whileAgents"))
	Label("agents")
	XORQ(near, near)
	XORQ(far, far)
	sums := l.sums(6)
	a.each(func(half int, valid mask, at func(reg.Register) Mem) {
		repelX, repelY, awayX, awayY, velocityX, velocityY := sums[0][half], sums[1][half], sums[2][half], sums[3][half], sums[4][half], sums[5][half]
		if l.wide() {
			dx, dy, d2, t := a.offset(at)
			in, out := K(), K()
			VCMPPD(lessOrEqual, a.limit, d2, valid, in)
			VCMPPD(more, least, d2, in, out)
			count(near, in)
			count(far, out)
			VSUBPD(dx, awayX, in, awayX)
			VSUBPD(dy, awayY, in, awayY)
			VADDPD(at(vx), velocityX, in, velocityX)
			VADDPD(at(vy), velocityY, in, velocityY)
			l.ifNone(out, "allVeryNear") // as in a heap
			VDIVPD_Z(d2, one, out, t)
			VMULPD(t, dx, dx)
			VMULPD(t, dy, dy)
			VSUBPD(dx, repelX, out, repelX)
			VSUBPD(dy, repelY, out, repelY)
			Label("allVeryNear")
			return
		}
		// Twelve sums leave four registers: what is left out becomes zero, masks wait in
		// memory, and the numbers that do not change are there.
		in := AllocLocal(32)
		VMOVUPD(valid, in)
		dx, dy, d2, t := a.offset(at)
		bits, outside := GP32(), GP32()
		VCMPPD(lessOrEqual, a.limit, d2, t)
		VANDPD(in, t, t)
		VMOVUPD(t, in)
		VMOVMSKPD(t, bits)
		VANDPD(t, dx, dx)
		VANDPD(t, dy, dy)
		VSUBPD(dx, awayX, awayX)
		VSUBPD(dy, awayY, awayY)
		VCMPPD(more, least, d2, t)
		VMOVMSKPD(t, outside)
		VANDPD(one, t, t)
		VMAXPD(least, d2, d2)
		VDIVPD(d2, t, t)
		VMULPD(t, dx, dx)
		VMULPD(t, dy, dy)
		VSUBPD(dx, repelX, repelX)
		VSUBPD(dy, repelY, repelY)
		VMOVUPD(in, t)
		VANDPD(at(vx), t, dx)
		VANDPD(at(vy), t, dy)
		VADDPD(dx, velocityX, velocityX)
		VADDPD(dy, velocityY, velocityY)
		ANDL(bits, outside)
		POPCNTL(bits, bits)
		POPCNTL(outside, outside)
		ADDQ(bits.As64(), near)
		ADDQ(outside.As64(), far)
	})
	l.reduce(sums, to)
	MOVQ(near, Mem{Base: to, Disp: 48})
	MOVQ(far, Mem{Base: to, Disp: 56})
	ADDQ(Imm(64), to)
	INCQ(a.place)
	Label("whileAgents")
	CMPQ(a.place, end.Addr)
	JLT(LabelRef("agents"))
	VZEROUPPER()
	RET()
}

// apart sums the unit vectors away from those no farther than the root of limit, and counts
// those that are too near for that.
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

// count adds how many bits of a mask are set.
func count(sum reg.GPVirtual, m reg.Register) {
	bits := GP32()
	KMOVB(m, bits)
	POPCNTL(bits, bits)
	ADDQ(bits.As64(), sum)
}

// around is a loop over the stretches of candidates around the agent in a place, eight at a
// time.
type around struct {
	lanes
	x, y, stretches, place reg.Register
	limit                  Op
	px, py                 Op     // of the agent
	self, end              vector // its place, and where the stretch ends, if registers are many
}

func (l lanes) around() around {
	a := around{lanes: l}
	a.x, a.y = Load(Param("x"), GP64()), Load(Param("y"), GP64())
	a.stretches, a.place = Load(Param("stretches"), GP64()), Load(Param("first"), GP64())
	a.limit = a.constant("limit")
	a.px, a.py = a.keep(), a.keep()
	return a
}

// keep returns where a number is kept in all lanes: in memory, if registers are few.
func (l lanes) keep() Op {
	if l.wide() {
		return l.new()
	}
	return AllocLocal(32)
}

// set sets what is kept.
func (l lanes) set(kept Op, v vector) { VMOVUPD(v, kept) }

// constant returns where an argument is in all lanes.
func (l lanes) constant(argument string) Op {
	at, err := Param(argument).Resolve()
	if err != nil {
		panic(err)
	}
	return l.constantOf(at.Addr)
}

func (l lanes) constantOf(m Mem) Op {
	v := l.all(m)
	if l.wide() {
		return v
	}
	local := AllocLocal(32)
	VMOVUPD(v, local)
	return local
}

// sums returns sums of zero, each in the registers of eight lanes.
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

// each writes the loop over the candidates; at returns where these are in a column, and
// valid which of them are in the stretch and not the agent itself.
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

// stretches is how many stretches of candidates there are, some of which may be empty.
const stretches = 6

// valid returns which of the candidates from i on are before the end, and not the agent.
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

// whole returns a vector of a whole number in each lane.
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

var countingAt, fourAt *Mem

// counting returns where the whole numbers from 0 on are, one in each lane.
func counting() Mem {
	if countingAt == nil {
		m := GLOBL("counting", RODATA|NOPTR)
		for k := range 8 {
			DATA(8*k, U64(k))
		}
		countingAt = &m
	}
	return *countingAt
}

// four returns where a four is in each lane.
func four() Mem {
	if fourAt == nil {
		m := GLOBL("four", RODATA|NOPTR)
		for k := range 4 {
			DATA(8*k, U64(4))
		}
		fourAt = &m
	}
	return *fourAt
}

// offset returns how far candidates are from the point, the square of that, and a register.
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

// reduce stores the sum of the lanes of each of the sums, two at a time: who reads a vector
// of two waits for stores of one.
func (l lanes) reduce(sums [][]vector, to reg.Register) {
	for k := 0; k < len(sums); k += 2 {
		x, y := l.fold(sums[k]), l.fold(sums[k+1])
		VHADDPD(y, x, x)
		VMOVUPD(x, Mem{Base: to, Disp: 8 * k})
	}
}

// fold adds the lanes of a sum above to those below, until two are left.
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
