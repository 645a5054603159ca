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
}

// numbers is the column of a component of one float64, pairs of one of two.
func numbersOf(argument string) column { return column{Load(Param(argument), GP64()), 8} }
func pairsOf(argument string) column   { return column{Load(Param(argument), GP64()), 16} }

// forRows writes a loop over the rows, whose number is the argument n, as far as there are
// enough of them for a vector, and the return of how many it did. The body may jump to "odd"
// before it stores anything, where a row needs what only the Go text does.
func (l lanes) forRows(body func(r rows)) {
	r := rows{l, GP64(), GP64()}
	last := Load(Param("n"), GP64())
	XORQ(r.row, r.row)
	SUBQ(Imm(uint64(l.n)), last)
	JL(LabelRef("odd"))
	Label("loop")
	LEAQ(Mem{Base: r.row, Index: r.row, Scale: 1}, r.twice)
	body(r)
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
	if c.size == 8 {
		return Mem{Base: c.first, Index: r.row, Scale: 8}
	}
	return Mem{Base: c.first, Index: r.twice, Scale: 8}
}
