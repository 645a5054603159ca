package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Sizes of components.Threat and of bound, contact and Hit of package space, and offsets of their fields, in
// bytes.
const (
	threatNormal, threatObstacle, threatSize = 16, 40, 48

	boundSize = 32

	contactPiece, contactSize = 8, 16
	hitSize                   = 56
)

// scattered holds the doubled indexes of four rows, in any order.
type scattered [4]reg.Register

func scatteredRows(bytes int, m Mem) (f scattered) {
	for k := range f {
		r := GP32()
		if at := m.Offset(k * bytes); bytes == 1 {
			MOVBLZX(at, r)
		} else {
			MOVL(at, r)
		}
		f[k] = r.As64()
		ADDQ(f[k], f[k])
	}
	return f
}

// of returns the operand of the k-th row in the column that begins at first; bytes is the row size: 8,
// 16, 32 or 48.
func (f scattered) of(k int, first reg.Register, bytes int) Mem {
	multiple, scale := f[k], uint8(8)
	switch bytes {
	case 8:
		scale = 4
	case 32:
		multiple = GP64()
		LEAQ(Mem{Base: f[k], Index: f[k], Scale: 1}, multiple)
	case 48:
		multiple = GP64()
		LEAQ(Mem{Base: f[k], Index: f[k], Scale: 2}, multiple)
	}
	return Mem{Base: first, Index: multiple, Scale: scale}
}

func (f scattered) pairs(l lanes, first reg.Register, bytes, disp int) (p pairs) {
	for k := range p {
		p[k] = l.new()
		VBROADCASTF128(f.of(k, first, bytes).Offset(disp), p[k]) // sets the whole register, as avo assumes
		VINSERTF128(Imm(1), f.of(k+2, first, bytes).Offset(disp), p[k], p[k])
	}
	return p
}

func (f scattered) storePairs(p pairs, first reg.Register) {
	for k := range p {
		VMOVUPD(p[k].AsX(), f.of(k, first, 16))
		VEXTRACTF128(Imm(1), p[k], f.of(k+2, first, 16))
	}
}

func (f scattered) numbers(l lanes, first reg.Register) vector {
	var half [2]reg.VecVirtual
	for k := range half {
		half[k] = XMM()
		VMOVSD(f.of(2*k, first, 8), half[k])
		VMOVHPD(f.of(2*k+1, first, 8), half[k], half[k])
	}
	v := l.new()
	VINSERTF128(Imm(1), half[1], half[0].AsY(), v)
	return v
}

// fours loads four numbers of each row, transposed.
func (f scattered) fours(l lanes, first reg.Register, bytes int) [4]vector {
	var a [4]vector
	for k := range a {
		a[k] = l.load(f.of(k, first, bytes))
	}
	return l.crossed(a)
}

func (l lanes) crossed(a [4]vector) (v [4]vector) {
	x, y := pairs{a[0], a[1]}, pairs{a[2], a[3]}
	for k, p := range []pairs{{l.first(x), l.first(y)}, {l.second(x), l.second(y)}} {
		v[k], v[k+2] = l.new(), l.new()
		VPERM2F128(Imm(0x20), p[1], p[0], v[k])
		VPERM2F128(Imm(0x31), p[1], p[0], v[k+2])
	}
	return v
}

// avoid implements systems.Avoidance.
func avoid(l lanes) {
	if l.wide() {
		return
	}
	TEXT("avoid"+l.name, NOSPLIT, "func(n int, rows *uint8, vel, threat, par, steer *float64) int")
	n, list := Load(Param("n"), GP64()), Load(Param("rows"), GP64())
	vel, threat, par, steer := Load(Param("vel"), GP64()), Load(Param("threat"), GP64()), Load(Param("par"), GP64()), Load(Param("steer"), GP64())
	one, minus := l.all(number(1)), l.all(number(-1))
	maxNorm2, minNorm2 := l.all(number(maxNorm2)), l.all(number(minNorm2))
	k := GP64()
	XORQ(k, k)
	SUBQ(Imm(4), n)
	JL(LabelRef("odd"))
	Label("loop")
	row := scatteredRows(1, Mem{Base: list, Index: k, Scale: 1})
	p := row.pairs(l, vel, 16, 0)
	vx, vy := l.first(p), l.second(p)
	n2 := l.add(l.mul(vx, vx), l.mul(vy, vy))
	l.unlessAll(l.both(l.compare(n2, moreOrEqual, minNorm2), l.compare(n2, lessOrEqual, maxNorm2)), "odd")
	f := l.div(one, l.sqrt(n2))
	x, y := l.mul(f, vy), l.negate(l.mul(f, vx)) // to the right
	normal := row.pairs(l, threat, threatSize, threatNormal)
	outward := l.add(l.mul(l.first(normal), x), l.mul(l.second(normal), y))
	turn := l.either(l.compare(outward, less, l.zero()), minus, one)
	force := row.numbers(l, par)
	away := pairs{l.mul(force, l.mul(turn, x)), l.mul(force, l.mul(turn, y))}
	before := row.pairs(l, steer, 16, 0)
	row.storePairs(l.addPairs(before, pairs{l.first(away), l.second(away)}), steer)
	ADDQ(Imm(4), k)
	CMPQ(k, n)
	JLE(LabelRef("loop"))
	Label("odd")
	Store(k, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

func (l lanes) negate(v vector) vector {
	w := l.new()
	VXORPD(l.all(bits(1<<63)), v, w)
	return w
}

// touch implements sweepCircle of internal/space, but the distance is NaN if there is no contact.
func touch(l lanes) {
	if l.wide() {
		return
	}
	TEXT("touch"+l.name, NOSPLIT, "func(n int, pieces *uint32, which *uint8, bounds, ways, distances *float64)")
	n, piece, which := Load(Param("n"), GP64()), Load(Param("pieces"), GP64()), Load(Param("which"), GP64())
	bounds, ways, to := Load(Param("bounds"), GP64()), Load(Param("ways"), GP64()), Load(Param("distances"), GP64())
	none, nan, sign := l.zero(), l.all(bits(math.Float64bits(math.NaN()))), l.all(bits(1<<63-1))
	k := GP64()
	XORQ(k, k)
	Label("loop")
	b := scatteredRows(4, Mem{Base: piece, Index: k, Scale: 4}).fours(l, bounds, boundSize)
	way := scatteredRows(1, Mem{Base: which, Index: k, Scale: 1})
	w := way.fours(l, ways, waySize)
	lb := way.pairs(l, ways, waySize, wayLength)
	length, radius := l.first(lb), l.add(b[2], l.second(lb))
	x, y := l.sub(b[0], w[0]), l.sub(b[1], w[1])
	gap := l.sub(l.add(l.mul(x, x), l.mul(y, y)), l.mul(radius, radius))
	ahead := l.add(l.mul(x, w[2]), l.mul(y, w[3]))
	aside := l.new()
	VANDPD(sign, l.sub(l.mul(x, w[3]), l.mul(y, w[2])), aside)
	meets := l.both(l.compare(ahead, more, none), l.compare(aside, lessOrEqual, radius))
	apart := l.either(l.compare(gap, less, none), none, gap)
	t := l.div(apart, l.add(ahead, l.sqrt(l.mul(l.sub(radius, aside), l.add(radius, aside)))))
	t = l.either(l.compare(t, lessOrEqual, length), t, nan)
	now := l.either(l.compare(gap, lessOrEqual, none), none, nan)
	l.store(l.either(meets, t, now), Mem{Base: to, Index: k, Scale: 8})
	ADDQ(Imm(4), k)
	CMPQ(k, n)
	JL(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// meet implements Index.hit of internal/space for circles.
func meet(l lanes) {
	if l.wide() {
		return
	}
	TEXT("meet"+l.name, NOSPLIT, "func(n int, which *uint8, contacts, bounds, ways, hits *float64) int")
	n, which, contacts := Load(Param("n"), GP64()), Load(Param("which"), GP64()), Load(Param("contacts"), GP64())
	bounds, ways, hit := Load(Param("bounds"), GP64()), Load(Param("ways"), GP64()), Load(Param("hits"), GP64())
	none, one, maxNorm2, minNorm2 := l.zero(), l.all(number(1)), l.all(number(maxNorm2)), l.all(number(minNorm2))
	k := GP64()
	XORQ(k, k)
	SUBQ(Imm(4), n)
	JL(LabelRef("odd"))
	Label("loop")
	way := scatteredRows(1, Mem{Base: which, Index: k, Scale: 1})
	w := way.fours(l, ways, waySize)
	body := l.second(way.pairs(l, ways, waySize, wayLength))
	contact := way.pairs(l, contacts, contactSize, 0)
	t := l.first(contact)
	var piece scattered
	for i := range piece {
		r := GP32()
		MOVL(way.of(i, contacts, contactSize).Offset(contactPiece), r)
		piece[i] = r.As64()
		ADDQ(piece[i], piece[i])
	}
	b := piece.fours(l, bounds, boundSize)
	x, y := l.add(l.sub(w[0], b[0]), l.mul(t, w[2])), l.add(l.sub(w[1], b[1]), l.mul(t, w[3]))
	n2 := l.add(l.mul(x, x), l.mul(y, y))
	usual := l.both(l.compare(n2, moreOrEqual, minNorm2), l.compare(n2, lessOrEqual, maxNorm2))
	l.unlessAll(l.both(usual, l.compare(l.add(b[2], body), more, none)), "odd")
	f := l.div(one, l.sqrt(n2))
	x, y = l.mul(f, x), l.mul(f, y)
	at := pairs{l.add(b[0], l.mul(b[2], x)), l.add(b[1], l.mul(b[2], y))}
	for i, p := range []pairs{{l.first(at), l.second(at)}, {l.first(pairs{x, y}), l.second(pairs{x, y})}} {
		for k, v := range p {
			VMOVUPD(v.AsX(), Mem{Base: hit, Disp: k*hitSize + 16*i})
			VEXTRACTF128(Imm(1), v, Mem{Base: hit, Disp: (k+2)*hitSize + 16*i})
		}
	}
	ADDQ(Imm(4*hitSize), hit)
	ADDQ(Imm(4), k)
	CMPQ(k, n)
	JLE(LabelRef("loop"))
	Label("odd")
	Store(k, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// threatened implements threatened of systems.
func threatened(l lanes) {
	if l.wide() {
		return
	}
	TEXT("listThreatened", NOSPLIT, "func(n int, threat *float64, rows *uint8) int")
	n, threat, rows := Load(Param("n"), GP64()), Load(Param("threat"), GP64()), Load(Param("rows"), GP64())
	row, found := GP64(), GP64()
	XORQ(row, row)
	XORQ(found, found)
	Label("loop")
	for k := range 4 {
		MOVB(row.As8(), Mem{Base: rows, Index: found, Scale: 1})
		CMPL(Mem{Base: threat, Disp: k*threatSize + threatObstacle}, Imm(1)) // sets the carry flag if the obstacle is 0
		SBBQ(I8(-1), found)
		INCQ(row)
	}
	ADDQ(Imm(4*threatSize), threat)
	CMPQ(row, n)
	JL(LabelRef("loop"))
	Store(found, ReturnIndex(0))
	RET()
}
