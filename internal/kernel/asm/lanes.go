package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanes emits instructions for vectors of one width. Methods that compute a value take operands in the
// order of the formula, and return a new register.
type lanes struct {
	n    int    // float64 in a vector: 4 for AVX2, 8 for AVX-512
	name string // suffix of kernel names
}

var widths = []lanes{{4, "AVX2"}, {8, "AVX512"}}

type vector = reg.VecVirtual

// mask is the result of a comparison: a vector with AVX2, a mask register with AVX-512.
type mask = reg.Register

func (l lanes) bytes() int { return 8 * l.n }

func (l lanes) wide() bool { return l.n == 8 }

func (l lanes) new() vector {
	if l.wide() {
		return ZMM()
	}
	return YMM()
}

func (l lanes) newMask() mask {
	if l.wide() {
		return K()
	}
	return YMM()
}

func (l lanes) load(m Mem) vector {
	v := l.new()
	VMOVUPD(m, v)
	return v
}

func (l lanes) store(v vector, m Mem) { VMOVUPD(v, m) }

func (l lanes) all(m Mem) vector {
	v := l.new()
	VBROADCASTSD(m, v)
	return v
}

func (l lanes) zero() vector {
	v := l.new()
	if l.wide() {
		VPXORQ(v, v, v)
	} else {
		VXORPD(v, v, v)
	}
	return v
}

func (l lanes) add(a vector, b Op) vector { v := l.new(); VADDPD(b, a, v); return v }
func (l lanes) sub(a vector, b Op) vector { v := l.new(); VSUBPD(b, a, v); return v }
func (l lanes) mul(a vector, b Op) vector { v := l.new(); VMULPD(b, a, v); return v }
func (l lanes) div(a vector, b Op) vector { v := l.new(); VDIVPD(b, a, v); return v }
func (l lanes) sqrt(a Op) vector          { v := l.new(); VSQRTPD(a, v); return v }

// Predicates of comparisons. They are false for NaN.
var (
	equal       = Imm(0x00)
	less        = Imm(0x11)
	lessOrEqual = Imm(0x12)
	more        = Imm(0x1e)
	moreOrEqual = Imm(0x1d)
)

func (l lanes) compare(a vector, so Constant, b Op) mask {
	m := l.newMask()
	VCMPPD(so, b, a, m)
	return m
}

func (l lanes) both(a, b mask) mask {
	m := l.newMask()
	if l.wide() {
		KANDB(a, b, m)
	} else {
		VANDPD(a, b, m)
	}
	return m
}

func (l lanes) either(choice mask, a, b vector) vector {
	v := l.new()
	if l.wide() {
		VBLENDMPD(a, b, choice, v)
	} else {
		VBLENDVPD(choice, a, b, v)
	}
	return v
}

func (l lanes) eitherMask(choice, a, b mask) mask {
	m := l.newMask()
	if l.wide() {
		without := K()
		KANDNB(b, choice, without)
		KANDB(a, choice, m)
		KORB(without, m, m)
	} else {
		VBLENDVPD(choice, a, b, m)
	}
	return m
}

// butNot returns the lanes of a that are not in b.
func (l lanes) butNot(a, b mask) mask {
	m := l.newMask()
	if l.wide() {
		KANDNB(a, b, m)
	} else {
		VANDNPD(a, b, m)
	}
	return m
}

func (l lanes) orElse(a, b mask) mask {
	m := l.newMask()
	if l.wide() {
		KORB(a, b, m)
	} else {
		VORPD(a, b, m)
	}
	return m
}

func (l lanes) ifAny(m mask, label string) {
	if l.wide() {
		KORTESTB(m, m)
	} else {
		VTESTPD(m, m)
	}
	JNZ(LabelRef(label))
}

func (l lanes) unlessAll(m mask, label string) {
	if l.wide() {
		KORTESTB(m, m)
		JCC(LabelRef(label))
		return
	}
	bits := GP32()
	VMOVMSKPD(m, bits)
	CMPL(bits, Imm(0xf))
	JNE(LabelRef(label))
}

func (l lanes) ifNone(m mask, label string) {
	if l.wide() {
		KORTESTB(m, m)
	} else {
		VTESTPD(m, m)
	}
	JZ(LabelRef(label))
}

var tables = map[string]Mem{}

func table(name string, n int, value func(k int) Constant) Mem {
	m, seen := tables[name]
	if !seen {
		m = GLOBL(name, RODATA|NOPTR)
		for k := range n {
			v := value(k)
			DATA(k*v.Bytes(), v)
		}
		tables[name] = m
	}
	return m
}

func inSet(set, n int) int {
	for lane := range 4 {
		if set>>lane&1 == 0 {
			continue
		}
		if n == 0 {
			return lane
		}
		n--
	}
	return -1
}

func number(f float64) Mem {
	return table(fmt.Sprintf("f%016x", math.Float64bits(f)), 1, func(int) Constant { return U64(math.Float64bits(f)) })
}

type rows struct {
	lanes
	row   reg.Register
	twice reg.Register // 2·row
}

func argument(name string) Mem {
	at, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return at.Addr
}

type column struct {
	first reg.Register
	size  int // of a row, in bytes
	each  Mem // argument with the stride per vector; the zero Mem means that rows are consecutive
}

func numbersOf(argument string) column { return column{first: Load(Param(argument), GP64()), size: 8} }
func pairsOf(argument string) column   { return column{first: Load(Param(argument), GP64()), size: 16} }
func foursOf(argument string) column   { return column{first: Load(Param(argument), GP64()), size: 32} }

// or returns the column with a stride per vector, in bytes, from the argument with the given name. If the
// stride is 0, all vectors are the first one.
func (c column) or(each string) column {
	c.each = argument(each)
	return c
}

// forRows emits a loop over the rows, whose number is the argument n, in full vectors. The kernel returns
// the number of rows done. The body may jump to "next" or, before it stores anything, to "odd" for a row
// that needs the Go code. The parameter or lists the columns with a stride per vector.
func (l lanes) forRows(body func(r rows), or ...column) {
	r := rows{l, GP64(), GP64()}
	last := Load(Param("n"), GP64())
	XORQ(r.row, r.row)
	SUBQ(Imm(uint64(l.n)), last)
	JL(LabelRef("odd"))
	Label("loop")
	LEAQ(Mem{Base: r.row, Index: r.row, Scale: 1}, r.twice)
	body(r)
	Label("next")
	for _, c := range or {
		ADDQ(c.each, c.first)
	}
	ADDQ(Imm(uint64(l.n)), r.row)
	CMPQ(r.row, last)
	JLE(LabelRef("loop"))
	Label("odd")
	Store(r.row, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func (r rows) of(c column) Mem {
	if c.each.Base != nil {
		return Mem{Base: c.first}
	}
	switch c.size {
	case 8:
		return Mem{Base: c.first, Index: r.row, Scale: 8}
	case 24:
		threefold := GP64()
		LEAQ(Mem{Base: r.row, Index: r.twice, Scale: 1}, threefold)
		return Mem{Base: c.first, Index: threefold, Scale: 8}
	case 32:
		fourfold := GP64()
		LEAQ(Mem{Base: c.first, Index: r.twice, Scale: 8}, fourfold)
		return Mem{Base: fourfold, Index: r.twice, Scale: 8}
	}
	return Mem{Base: c.first, Index: r.twice, Scale: 8}
}
