//go:build !noasm

package kernel

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"golang.org/x/sys/cpu"
)

func available() Width {
	switch x := &cpu.X86; {
	case x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512BW:
		return AVX512
	case x.HasAVX2 && x.HasBMI2:
		return AVX2
	}
	return Off
}

// Seek implements systems.Seek.
func Seek(pos []c.Position, vel []c.Velocity, target []c.Target, limits []c.Limits, par []c.Seek, steer []c.Steering) int {
	if used == Off || len(pos) == 0 {
		return 0
	}
	if used == AVX2 {
		return seekAVX2(len(pos), &pos[0], &vel[0], &target[0], &limits[0], &par[0], &steer[0])
	}
	return seekAVX512(len(pos), &pos[0], &vel[0], &target[0], &limits[0], &par[0], &steer[0])
}

//go:noescape
func seekAVX2(n int, pos *c.Position, vel *c.Velocity, target *c.Target, limits *c.Limits, gain *c.Seek, steer *c.Steering) int

//go:noescape
func seekAVX512(n int, pos *c.Position, vel *c.Velocity, target *c.Target, limits *c.Limits, gain *c.Seek, steer *c.Steering) int

// Arrive implements systems.Arrival.
func Arrive(pos []c.Position, vel []c.Velocity, target []c.Target, limits []c.Limits, par []c.Arrival, steer []c.Steering) int {
	if used == Off || len(pos) == 0 {
		return 0
	}
	if used == AVX2 {
		return arriveAVX2(len(pos), &pos[0], &vel[0], &target[0], &limits[0], &par[0], &steer[0])
	}
	return arriveAVX512(len(pos), &pos[0], &vel[0], &target[0], &limits[0], &par[0], &steer[0])
}

//go:noescape
func arriveAVX2(n int, pos *c.Position, vel *c.Velocity, target *c.Target, limits *c.Limits, par *c.Arrival, steer *c.Steering) int

//go:noescape
func arriveAVX512(n int, pos *c.Position, vel *c.Velocity, target *c.Target, limits *c.Limits, par *c.Arrival, steer *c.Steering) int

// Flee implements systems.Flee.
func Flee(pos []c.Position, vel []c.Velocity, limits []c.Limits, par []c.Flee, steer []c.Steering) int {
	if used == Off || len(pos) == 0 {
		return 0
	}
	if used == AVX2 {
		return fleeAVX2(len(pos), &pos[0], &vel[0], &limits[0], &par[0], &steer[0])
	}
	return fleeAVX512(len(pos), &pos[0], &vel[0], &limits[0], &par[0], &steer[0])
}

//go:noescape
func fleeAVX2(n int, pos *c.Position, vel *c.Velocity, limits *c.Limits, par *c.Flee, steer *c.Steering) int

//go:noescape
func fleeAVX512(n int, pos *c.Position, vel *c.Velocity, limits *c.Limits, par *c.Flee, steer *c.Steering) int

// Integrate implements systems.Integration for rows with Steering. If limits is empty, speed and force are
// unlimited; if mass is empty, every agent has a mass of 1 kg.
func Integrate(pos []c.Position, vel []c.Velocity, steer []c.Steering, limits []c.Limits, mass []c.Mass, dt float64) int {
	if used == Off || len(pos) == 0 {
		return 0
	}
	lanes := 4 * int(used)
	eachLimits, eachMass := 16*lanes, 8*lanes
	if len(limits) == 0 {
		limits, eachLimits = unlimited[:], 0
	}
	if len(mass) == 0 {
		mass, eachMass = kilograms[:], 0
	}
	if used == AVX2 {
		return integrateAVX2(len(pos), &pos[0], &vel[0], &steer[0], &limits[0], &mass[0], eachLimits, eachMass, dt)
	}
	return integrateAVX512(len(pos), &pos[0], &vel[0], &steer[0], &limits[0], &mass[0], eachLimits, eachMass, dt)
}

var (
	unlimited [Lanes]c.Limits
	kilograms [Lanes]c.Mass
)

func init() {
	for i := range Lanes {
		unlimited[i] = c.Limits{MaxSpeed: math.Inf(1), MaxForce: math.Inf(1)}
		kilograms[i].Kilograms = 1
	}
}

//go:noescape
func integrateAVX2(n int, pos *c.Position, vel *c.Velocity, steer *c.Steering, limits *c.Limits, mass *c.Mass, eachLimits, eachMass int, dt float64) int

//go:noescape
func integrateAVX512(n int, pos *c.Position, vel *c.Velocity, steer *c.Steering, limits *c.Limits, mass *c.Mass, eachLimits, eachMass int, dt float64) int
