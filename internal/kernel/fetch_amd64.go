//go:build !noasm

package kernel

// Fetch prefetches rows [lo, hi) of columns into the second-level cache. The parameter columns points to an
// array of the addresses of their first rows, nil for a missing column; sizes holds the row sizes in bytes.
func Fetch(columns **byte, sizes []uint32, lo, hi int) {
	if used != Off && len(sizes) > 0 {
		fetch(columns, &sizes[0], len(sizes), lo, hi)
	}
}

//go:noescape
func fetch(columns **byte, sizes *uint32, n, lo, hi int)

// FetchRows prefetches rows of a column into the first-level cache. The parameter column is the address of
// the first row; size is the row size in bytes. Rows out of range are harmless.
func FetchRows(column *byte, size uintptr, rows []uint32) {
	if used != Off && len(rows) > 0 {
		fetchRows(column, size, &rows[0], len(rows))
	}
}

//go:noescape
func fetchRows(column *byte, size uintptr, rows *uint32, n int)
