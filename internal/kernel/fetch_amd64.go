//go:build !noasm

package kernel

// Fetch has the rows lo to hi of columns brought into the second-level cache, which is not
// waited for. It takes where the first of the columns is said to begin, nil for one that
// is not there, and the sizes of their rows.
func Fetch(columns **byte, sizes []uint32, lo, hi int) {
	if used != Off && len(sizes) > 0 {
		fetch(columns, &sizes[0], len(sizes), lo, hi)
	}
}

//go:noescape
func fetch(columns **byte, sizes *uint32, n, lo, hi int)

// FetchRows has rows of a column, which are of a size in bytes, brought into the first-level
// cache, which is not waited for. They need not be there.
func FetchRows(column *byte, size uintptr, rows []uint32) {
	if used != Off && len(rows) > 0 {
		fetchRows(column, size, &rows[0], len(rows))
	}
}

//go:noescape
func fetchRows(column *byte, size uintptr, rows *uint32, n int)
