package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// flock is the sums over the neighbors of an agent, and apart those over the very near ones:
// see internal/space. Both sum in eight lanes, in one vector or two, and return the sum of
// these: the half above is added to the half below until one is left.
func flock(l lanes) {
	TEXT("flock"+l.name, NOSPLIT, "func(n int, x, y, vx, vy *float64, px, py, limit, least float64, sums *float64) (near, far int)")
	a := l.around()
	least := a.constant("least")
	one := l.constantOf(number(1))
	vx, vy := Load(Param("vx"), GP64()), Load(Param("vy"), GP64())
	near, far := GP64(), GP64()
	XORQ(near, near)
	XORQ(far, far)
	sums := l.sums(6)
	a.each(func(half int, at func(reg.Register) Mem) {
		repelX, repelY, awayX, awayY, velocityX, velocityY := sums[0][half], sums[1][half], sums[2][half], sums[3][half], sums[4][half], sums[5][half]
		dx, dy, d2, t := a.offset(at)
		if l.wide() {
			in, out := K(), K()
			VCMPPD(lessOrEqual, a.limit, d2, in)
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
		// Twelve sums leave four registers: what is left out becomes zero, the mask waits in
		// memory, and the numbers that do not change are there.
		in := AllocLocal(32)
		bits, outside := GP32(), GP32()
		VCMPPD(lessOrEqual, a.limit, d2, t)
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
	l.reduce(sums, Load(Param("sums"), GP64()))
	Store(near, ReturnIndex(0))
	Store(far, ReturnIndex(1))
	VZEROUPPER()
	RET()
}

// apart sums the unit vectors away from those no farther than the root of limit, and counts
// those that are too near for that.
func apart(l lanes) {
	TEXT("apart"+l.name, NOSPLIT, "func(n int, x, y *float64, px, py, limit, least float64, sums *float64) (odd int)")
	a := l.around()
	least := a.constant("least")
	one := l.constantOf(number(1))
	odd := GP64()
	XORQ(odd, odd)
	sums := l.sums(2)
	a.each(func(half int, at func(reg.Register) Mem) {
		sumX, sumY := sums[0][half], sums[1][half]
		dx, dy, d2, t := a.offset(at)
		if l.wide() {
			in, below := K(), K()
			VCMPPD(less, least, d2, below)
			count(odd, below)
			VCMPPD(lessOrEqual, a.limit, d2, in)
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
		VMOVMSKPD(below, bits)
		POPCNTL(bits, bits)
		ADDQ(bits.As64(), odd)
		VCMPPD(lessOrEqual, a.limit, d2, in)
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

// around is a loop over candidates around a point, eight at a time.
type around struct {
	lanes
	n, i, x, y    reg.Register
	px, py, limit Op
}

func (l lanes) around() around {
	a := around{lanes: l, n: Load(Param("n"), GP64()), i: GP64()}
	a.x, a.y = Load(Param("x"), GP64()), Load(Param("y"), GP64())
	a.px, a.py, a.limit = a.constant("px"), a.constant("py"), a.constant("limit")
	return a
}

// constant returns where an argument is in all lanes: in memory, if registers are few.
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

// each writes the loop; at returns where the candidates of a column are.
func (a around) each(body func(half int, at func(reg.Register) Mem)) {
	XORQ(a.i, a.i)
	JMP(LabelRef("while"))
	Label("loop")
	for half := range 8 / a.lanes.n {
		body(half, func(column reg.Register) Mem { return Mem{Base: column, Index: a.i, Scale: 8, Disp: half * 32} })
	}
	ADDQ(Imm(8), a.i)
	Label("while")
	CMPQ(a.i, a.n)
	JLT(LabelRef("loop"))
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

// reduce stores the sum of the lanes of each of the sums.
func (l lanes) reduce(sums [][]vector, to reg.Register) {
	for k, halves := range sums {
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
		VPERMILPD(Imm(1), sum, high)
		VADDSD(high, sum, sum)
		VMOVSD(sum, Mem{Base: to, Disp: 8 * k})
	}
}
