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
