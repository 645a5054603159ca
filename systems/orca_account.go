package systems

import (
	"cmp"
	"slices"

	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/internal/walking"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// Reciprocal is how ORCA chose the velocity of an agent: of all velocities up to
// MaxSpeed that lie in all half-planes the one nearest to Aim; if there is none, the
// one that violates those of other bodies least.
type Reciprocal struct {
	Preferred  r2.Vec  // m/s, what it would choose alone
	Aim        r2.Vec  // m/s, the same within MaxSpeed, turned to the side if somebody is in the way
	Chosen     r2.Vec  // m/s
	Feasible   bool    // whether it lies in all half-planes
	MaxSpeed   float64 // m/s
	Horizon    float64 // s, within which others shall not be hit
	HalfPlanes []HalfPlane
	Others     []Heeded // those that the agent heeds, the nearest first
	Walking    *Walking // what FollowingDistance, FundamentalDiagram, Passing and Inertia make of Preferred; nil: the agent has none of them
}

// Walking is how fast an agent prefers to walk among others, and why.
type Walking struct {
	Free    float64 // m/s, the speed that it prefers alone, within MaxSpeed
	Speed   float64 // m/s, the speed that it prefers among others
	Why     string  // free: nobody slows it; gap: to the one ahead; density: ahead; oncoming: it passes one who comes toward it; overtaking left, overtaking right: it walks by the one ahead on that side
	Other   uint64  // id of the one ahead, if Gap is finite, or of who comes
	Gap     float64 // m, how far it may walk before it touches the one ahead; +Inf: it follows nobody
	Density float64 // people a square meter, ahead; 0 if anybody comes: it does not look
	Inertia bool    // whether its MaxAcceleration keeps it from aiming at that at once
}

// HalfPlane holds the velocities v with Normal·v ≥ Least.
type HalfPlane struct {
	Normal r2.Vec  // unit vector
	Least  float64 // m/s
	Of     string  // wall: what the agent could run into; gap: the own share of what is between it and another; touching: a wall that it is in; body: another agent. Those of walls and gaps are never violated
}

// Heeded is another agent, as one that avoids it sees it.
type Heeded struct {
	ID       uint64
	Offset   r2.Vec  // m, from the center of the one to that of the other
	Velocity r2.Vec  // m/s
	Reach    float64 // m, the sum of both radii
	Share    float64 // the part of the avoidance that the agent takes
}

// planeKinds are the names of what half-planes are about.
var planeKinds = [...]string{orca.OfWall: "wall", orca.OfGap: "gap", orca.OfTouching: "touching", orca.OfBody: "body"}

// reasons are the names of why agents prefer a speed.
var reasons = [...]string{
	walking.Free: "free", walking.ByGap: "gap", walking.ByDensity: "density", walking.Oncoming: "oncoming",
	walking.OvertakingLeft: "overtaking left", walking.OvertakingRight: "overtaking right",
}

// heeds returns those that the agent of a mind heeds, the i-th of its block, the nearest first.
func (m *mind) heeds(i int, agents *sense.Agents) (list []Heeded) {
	a := &m.who
	for k := range m.solver.Neighbors(i).DX {
		of, share := m.solver.Share(i, k)
		list = append(list, Heeded{agents.ID[of], vec.Sub(agents.Position(of), a.Position), agents.Velocity(of), a.Radius + agents.Radius[of], share})
	}
	slices.SortFunc(list, func(x, y Heeded) int {
		return cmp.Or(cmp.Compare(vec.Norm2(x.Offset), vec.Norm2(y.Offset)), cmp.Compare(x.ID, y.ID))
	})
	return list
}

// account returns how the agent of a mind chose a velocity just now.
func (m *mind) account(v r2.Vec, feasible bool) Reciprocal {
	a, s := &m.who, &m.solver
	r := Reciprocal{
		Preferred: a.Preferred, Aim: s.Aim(), Chosen: v, Feasible: feasible, MaxSpeed: a.MaxSpeed, Horizon: a.Horizon, Others: m.heeded,
	}
	if m.rules != (walking.Rules{}) {
		x := &m.walked
		r.Walking = &Walking{x.Free, x.Speed, reasons[x.Why], x.Other, x.Gap, x.Density, x.Inert}
	}
	for _, p := range s.Planes() {
		r.HalfPlanes = append(r.HalfPlanes, HalfPlane{p.Normal, p.Least, planeKinds[p.Kind]})
	}
	return r
}
