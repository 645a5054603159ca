package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// pairs holds two float64 of each of as many rows as there are lanes, as columns do: x and
// y, or two limits. Vectors that are made of one number of each row, by first, second or
// numbers, have the rows in an order that suits the processor; each turns them back.
type pairs [2]vector

// pairs loads those of the rows from m on.
func (l lanes) pairs(m Mem) pairs {
	return pairs{l.load(m), l.load(m.Offset(l.bytes()))}
}

func (l lanes) storePairs(p pairs, m Mem) {
	l.store(p[0], m)
	l.store(p[1], m.Offset(l.bytes()))
}

// first returns the first number of each pair.
func (l lanes) first(p pairs) vector { v := l.new(); VUNPCKLPD(p[1], p[0], v); return v }

// second returns the second number of each pair.
func (l lanes) second(p pairs) vector { v := l.new(); VUNPCKHPD(p[1], p[0], v); return v }

var orders = map[string]Mem{}

// order is where the rows of numbers go that are loaded one after another.
func (l lanes) order() Mem {
	name := "order" + l.name
	m, seen := orders[name]
	if !seen {
		m = GLOBL(name, RODATA|NOPTR)
		for i := range uint64(l.n) {
			DATA(8*int(i), U64(i/2+i%2*uint64(l.n/2)))
		}
		orders[name] = m
	}
	return m
}

// numbers loads one number of each row.
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

// each returns each number of a row twice, for both numbers of its pair.
func (l lanes) each(v vector) pairs {
	p := pairs{l.new(), l.new()}
	VMOVDDUP(v, p[0])
	VUNPCKHPD(v, v, p[1])
	return p
}

// eachMask is each for a mask.
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

// fours loads the rows of a component of four float64 from m on, as the pairs of the first
// two and of the last two.
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

// scale returns f·p, with one f for each row.
func (l lanes) scale(f vector, p pairs) pairs {
	e := l.each(f)
	return pairs{l.mul(p[0], e[0]), l.mul(p[1], e[1])}
}

// norm2 returns x² + y² of each pair.
func (l lanes) norm2(p pairs) vector {
	s := pairs{l.mul(p[0], p[0]), l.mul(p[1], p[1])}
	return l.add(l.first(s), l.second(s))
}
