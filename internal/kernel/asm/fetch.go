package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// fetch asks for the lines of rows of columns, in which no vector takes part.
func fetch(l lanes) {
	if l.wide() {
		return
	}
	TEXT("fetch", NOSPLIT, "func(columns **byte, sizes *uint32, n, lo, hi int)")
	column, size := Load(Param("columns"), GP64()), Load(Param("sizes"), GP64())
	n, lo, hi := Load(Param("n"), GP64()), Load(Param("lo"), GP64()), Load(Param("hi"), GP64())
	Label("columns")
	first, each, at, end := GP64(), GP64(), GP64(), GP64()
	MOVQ(Mem{Base: column}, first)
	MOVL(Mem{Base: size}, each.As32())
	TESTQ(first, first)
	JZ(LabelRef("next"))
	MOVQ(lo, at)
	IMULQ(each, at)
	ADDQ(first, at)
	MOVQ(hi, end)
	IMULQ(each, end)
	ADDQ(first, end)
	Label("lines")
	PREFETCHT1(Mem{Base: at})
	ADDQ(Imm(64), at)
	CMPQ(at, end)
	JB(LabelRef("lines"))
	Label("next")
	ADDQ(Imm(8), column)
	ADDQ(Imm(4), size)
	DECQ(n)
	JNZ(LabelRef("columns"))
	RET()
}

// fetchRows asks for the lines of some rows of a column.
func fetchRows(l lanes) {
	if l.wide() {
		return
	}
	TEXT("fetchRows", NOSPLIT, "func(column *byte, size uintptr, rows *uint32, n int)")
	column, size := Load(Param("column"), GP64()), Load(Param("size"), GP64())
	row, n := Load(Param("rows"), GP64()), Load(Param("n"), GP64())
	Label("rows")
	at := GP64()
	MOVL(Mem{Base: row}, at.As32())
	IMULQ(size, at)
	PREFETCHT0(Mem{Base: column, Index: at, Scale: 1})
	ADDQ(Imm(4), row)
	DECQ(n)
	JNZ(LabelRef("rows"))
	RET()
}
