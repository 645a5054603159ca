//go:build !noasm

package kernel

import (
	c "github.com/8f878440/crowd/components"
	"gonum.org/v1/gonum/spatial/r2"
)

// Flock implements flock of internal/space. It sets sums to the sums of consecutive agents, which begin at
// row first and must lie in one of the stretches. It reports whether it ran.
func Flock(x, y, vx, vy []float64, among *Stretches, first uint32, limit, least float64, room *FlockRoom, sums []FlockSums) bool {
	if used == Off || len(sums) == 0 {
		return false
	}
	candidates, last := among.Len()
	_, _, _, _ = x[:last+Lanes], y[:last+Lanes], vx[:last+Lanes], vy[:last+Lanes]
	stride, place := room.hold(candidates+len(sums)), int(first)
	end, numbers := place+len(sums), &room.numbers[0]
	if used == AVX2 {
		flockAVX2(&x[0], &y[0], &vx[0], &vy[0], &among[0][0], place, end, limit, least, numbers, stride, &sums[0].Repel.X)
	} else {
		flockAVX512(&x[0], &y[0], &vx[0], &vy[0], &among[0][0], place, end, limit, least, numbers, stride, &sums[0].Repel.X)
	}
	return true
}

//go:noescape
func flockAVX2(x, y, vx, vy *float64, stretches *uint32, first, end int, limit, least float64, room *float64, stride int, sums *float64)

//go:noescape
func flockAVX512(x, y, vx, vy *float64, stretches *uint32, first, end int, limit, least float64, room *float64, stride int, sums *float64)

// Apart implements apart of internal/space. It sets sums to the sum of unit vectors, and returns the number
// of agents that it excludes because their squared distance is below least. ok reports whether it ran.
func Apart(x, y []float64, among *Stretches, place uint32, limit, least float64, sums *[2]float64) (odd int, ok bool) {
	if used == Off {
		return 0, false
	}
	_, last := among.Len()
	_, _, _, _ = x[:last+Lanes], y[:last+Lanes], x[place], y[place]
	if used == AVX2 {
		return apartAVX2(&x[0], &y[0], &among[0][0], int(place), limit, least, &sums[0]), true
	}
	return apartAVX512(&x[0], &y[0], &among[0][0], int(place), limit, least, &sums[0]), true
}

//go:noescape
func apartAVX2(x, y *float64, stretches *uint32, first int, limit, least float64, sums *float64) (odd int)

//go:noescape
func apartAVX512(x, y *float64, stretches *uint32, first int, limit, least float64, sums *float64) (odd int)

// Separate implements systems.Separation.
func Separate(near []float64, repel, away []r2.Vec, limits []c.Limits, par []c.Separation, steer []c.Steering) int {
	if used == Off || len(near) == 0 {
		return 0
	}
	if used == AVX2 {
		return separateAVX2(len(near), &near[0], &repel[0], &away[0], &limits[0], &par[0], &steer[0])
	}
	return separateAVX512(len(near), &near[0], &repel[0], &away[0], &limits[0], &par[0], &steer[0])
}

//go:noescape
func separateAVX2(n int, near *float64, repel, away *r2.Vec, limits *c.Limits, par *c.Separation, steer *c.Steering) int

//go:noescape
func separateAVX512(n int, near *float64, repel, away *r2.Vec, limits *c.Limits, par *c.Separation, steer *c.Steering) int

// Align implements systems.Alignment.
func Align(near []float64, mean []r2.Vec, vel []c.Velocity, limits []c.Limits, par []c.Alignment, steer []c.Steering) int {
	if used == Off || len(near) == 0 {
		return 0
	}
	if used == AVX2 {
		return alignAVX2(len(near), &near[0], &mean[0], &vel[0], &limits[0], &par[0], &steer[0])
	}
	return alignAVX512(len(near), &near[0], &mean[0], &vel[0], &limits[0], &par[0], &steer[0])
}

//go:noescape
func alignAVX2(n int, near *float64, mean *r2.Vec, vel *c.Velocity, limits *c.Limits, par *c.Alignment, steer *c.Steering) int

//go:noescape
func alignAVX512(n int, near *float64, mean *r2.Vec, vel *c.Velocity, limits *c.Limits, par *c.Alignment, steer *c.Steering) int

// Cohere implements systems.Cohesion.
func Cohere(near []float64, away []r2.Vec, limits []c.Limits, par []c.Cohesion, steer []c.Steering) int {
	if used == Off || len(near) == 0 {
		return 0
	}
	if used == AVX2 {
		return cohereAVX2(len(near), &near[0], &away[0], &limits[0], &par[0], &steer[0])
	}
	return cohereAVX512(len(near), &near[0], &away[0], &limits[0], &par[0], &steer[0])
}

//go:noescape
func cohereAVX2(n int, near *float64, away *r2.Vec, limits *c.Limits, par *c.Cohesion, steer *c.Steering) int

//go:noescape
func cohereAVX512(n int, near *float64, away *r2.Vec, limits *c.Limits, par *c.Cohesion, steer *c.Steering) int
