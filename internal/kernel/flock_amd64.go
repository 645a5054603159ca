//go:build !noasm

package kernel

// Flock is the sums over neighbors of space.Crowd.Sum but for Apart: Repel, Away and
// Velocity. It returns how many are near, and how many of them not very near.
func Flock(x, y, vx, vy []float64, px, py, limit, least float64, sums *[6]float64) (near, far int, ok bool) {
	if used == Off || len(x) == 0 || len(x)%Lanes != 0 {
		return 0, 0, false
	}
	_, _, _ = y[len(x)-1], vx[len(x)-1], vy[len(x)-1]
	if used == AVX2 {
		near, far = flockAVX2(len(x), &x[0], &y[0], &vx[0], &vy[0], px, py, limit, least, &sums[0])
	} else {
		near, far = flockAVX512(len(x), &x[0], &y[0], &vx[0], &vy[0], px, py, limit, least, &sums[0])
	}
	return near, far, true
}

//go:noescape
func flockAVX2(n int, x, y, vx, vy *float64, px, py, limit, least float64, sums *float64) (near, far int)

//go:noescape
func flockAVX512(n int, x, y, vx, vy *float64, px, py, limit, least float64, sums *float64) (near, far int)

// Apart is the sum of unit vectors of space.Crowd.Sum. It returns how many are nearer than
// the root of least, which are not in it.
func Apart(x, y []float64, px, py, limit, least float64, sums *[2]float64) (odd int, ok bool) {
	if used == Off || len(x) == 0 || len(x)%Lanes != 0 {
		return 0, false
	}
	_ = y[len(x)-1]
	if used == AVX2 {
		return apartAVX2(len(x), &x[0], &y[0], px, py, limit, least, &sums[0]), true
	}
	return apartAVX512(len(x), &x[0], &y[0], px, py, limit, least, &sums[0]), true
}

//go:noescape
func apartAVX2(n int, x, y *float64, px, py, limit, least float64, sums *float64) (odd int)

//go:noescape
func apartAVX512(n int, x, y *float64, px, py, limit, least float64, sums *float64) (odd int)
