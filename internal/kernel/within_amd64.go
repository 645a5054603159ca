//go:build !noasm

package kernel

import (
	c "github.com/8f878440/crowd/components"
	"gonum.org/v1/gonum/spatial/r2"
)

// Stay tests rows for systems.Arrivals. It returns n such that none of the first n rows has entered or left
// the radius of its goal.
func Stay(pos []c.Position, target []c.Target, goal []c.Goal) int {
	if used == Off || len(pos) == 0 {
		return 0
	}
	return stayAVX2(len(pos), &pos[0], &target[0], &goal[0])
}

//go:noescape
func stayAVX2(n int, pos *c.Position, target *c.Target, goal *c.Goal) int

// Within tests rows for systems.Bounds. It returns n such that all of the first n rows are in the box.
func Within(pos []c.Position, box *r2.Box) int {
	if used == Off || len(pos) == 0 {
		return 0
	}
	if used == AVX2 {
		return withinAVX2(len(pos), &pos[0], box)
	}
	return withinAVX512(len(pos), &pos[0], box)
}

//go:noescape
func withinAVX2(n int, pos *c.Position, box *r2.Box) int

//go:noescape
func withinAVX512(n int, pos *c.Position, box *r2.Box) int
