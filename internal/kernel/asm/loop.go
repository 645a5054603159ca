package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows is a loop over the rows of columns, as many at a time as there are lanes.
type rows struct {
	lanes
	row   reg.Register // the first of those at a time
	twice reg.Register // 2·row
}

// column is an argument of a kernel that points to the first row of a component.
type column struct {
	first reg.Register
	size  int // of a row, in bytes
	each  Mem // the argument that tells how far to move on; zero: as far as the others
}

// numbersOf is the column of a component of one float64, pairsOf of one of two, foursOf of
// one of four.
func numbersOf(argument string) column { return column{first: Load(Param(argument), GP64()), size: 8} }
func pairsOf(argument string) column   { return column{first: Load(Param(argument), GP64()), size: 16} }
func foursOf(argument string) column   { return column{first: Load(Param(argument), GP64()), size: 32} }

// or makes the first rows of a column those of all, if the argument each is zero; otherwise
// that is the number of bytes of as many rows as there are lanes.
func (c column) or(each string) column {
	at, err := Param(each).Resolve()
	if err != nil {
		panic(err)
	}
	c.each = at.Addr
	return c
}

// forRows writes a loop over the rows, whose number is the argument n, as far as there are
// enough of them for a vector, and the return of how many it did. The body may jump to "odd"
// before it stores anything, where a row needs what only the Go text does, and to "next". Columns with an
// or have to be named.
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

// of returns where the rows of a column are.
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
