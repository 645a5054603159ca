package components

import (
	"gonum.org/v1/gonum/spatial/r2"
)

// SocialForce1995 makes the agent walk to its Target according to the social force model of 1995, with
// elliptical repulsion. Limits.MaxSpeed is the desired speed.
type SocialForce1995 struct {
	RelaxationTime float64 // s, time constant of the approach to the desired velocity, above 0
	Repulsion      float64 // m²/s², potential of other agents
	Range          float64 // m, over which that potential falls to 1/e, above 0
	StepTime       float64 // s, duration of the other agents' step, along which the potential is stretched
	WallRepulsion  float64 // m²/s², potential of walls
	WallRange      float64 // m, over which that potential falls to 1/e, above 0
	FieldOfView    float64 // rad, around the direction to the target; 0 or at least 2π means all around
	WeightBehind   float64 // weight of agents out of view, relative to those in view
	SpeedLimit     float64 // maximum speed, as a multiple of the desired speed
	NeighborDist   float64 // m, range of other agents (between centers) and walls; 0 means only walls, within 2 m
}

// SocialForce2000 makes the agent walk to its Target according to the social force model of 2000, with
// circular repulsion and bodies that touch. Limits.MaxSpeed is the desired speed; when agents push one
// another, speeds may exceed it.
type SocialForce2000 struct {
	RelaxationTime float64 // s, time constant of the approach to the desired velocity, above 0
	Repulsion      float64 // N, repulsion at contact
	Range          float64 // m, over which the repulsion falls to 1/e, above 0
	BodyForce      float64 // kg/s², resistance to the compression of bodies
	Friction       float64 // kg/(m·s), of bodies that slide along each other
	NeighborDist   float64 // m, range of other agents (between centers) and walls; 0 means only walls, within 2 m
}

// CollisionFreeSpeed makes the agent walk to its Target according to the collision-free speed model.
// Limits.MaxSpeed is the free speed.
type CollisionFreeSpeed struct {
	TimeGap       float64 // s, time to cover the gap to agents ahead, above 0
	Repulsion     float64 // repulsion by other agents at contact, relative to the pull of the target
	Range         float64 // m, over which the repulsion falls to 1/e, above 0
	WallRepulsion float64 // repulsion by walls at contact, relative to the pull of the target
	WallRange     float64 // m, over which the repulsion of walls falls to 1/e, above 0
	NeighborDist  float64 // m, range of other agents (between centers) and walls; 0 means only walls, within 2 m
}

// AnticipationVelocity makes the agent walk to its Target according to the anticipation velocity model.
// Limits.MaxSpeed is the free speed, and Heading the direction in which the agent walks.
type AnticipationVelocity struct {
	TimeGap          float64 // s, time to cover the gap to agents ahead, above 0
	Repulsion        float64 // repulsion at contact by agents that go the same way, relative to the pull of the target
	Range            float64 // m, over which the repulsion falls to 1/e, above 0
	WallRepulsion    float64 // repulsion by walls at contact, relative to the pull of the target
	WallRange        float64 // m, over which the repulsion of walls falls to 1/e, above 0
	AnticipationTime float64 // s, how far ahead the agent predicts other agents
	ReactionTime     float64 // s, time constant of turns, above 0
	NeighborDist     float64 // m, range of other agents (between centers) and walls; 0 means only walls, within 2 m
}

// ORCA makes an agent avoid walls and share with other agents the work of avoiding collisions: the agent
// takes the collision-free velocity nearest to its preferred velocity.
//
// The agent avoids only the MaxNeighbors agents with the nearest centers; with FollowingDistance, it avoids
// at most ten. If more bodies can touch it within a step, it may overlap some: measured overlaps reach 0.48 m
// with MaxNeighbors 4 and bodies of different sizes, and are 0 with MaxNeighbors 10 and bodies of the same
// size. If large and small bodies mix, choose NeighborDist and MaxNeighbors for the large ones.
type ORCA struct {
	Gain            float64 // kg/s; the agent prefers Velocity + Steering/Gain; 0 pauses
	TimeHorizon     float64 // s, how far ahead the agent avoids other agents; less than one step counts as one step
	TimeHorizonObst float64 // s, how far ahead the agent avoids obstacles; less than one step counts as one step
	NeighborDist    float64 // m, range, between centers; 0 means that the agent sees no other agents
	MaxNeighbors    int     // how many of the nearest agents to avoid; 0 means all
	Priority        float64 // an agent with three times the priority of another does a quarter of the avoidance
}

func (o ORCA) MarshalJSON() ([]byte, error)     { return marshal(o) }
func (o *ORCA) UnmarshalJSON(data []byte) error { return unmarshal(data, o) }

// PreferredVelocity is the velocity, in m/s, that an agent preferred when ORCA last chose its velocity. From
// it, other agents see whether the agent walks ahead of them or toward them. ORCA sets it.
type PreferredVelocity struct{ r2.Vec }

// FollowingDistance makes an agent with ORCA keep its distance from agents that walk ahead of it, as people
// do.
type FollowingDistance struct {
	TimeGap   float64 // s, time to cover the gap, for a preferred speed of 1.34 m/s; 0 means full speed even in a jam
	Variation float64 // time gaps are drawn between TimeGap·(1 − Variation) and TimeGap·(1 + Variation)
}

func (f FollowingDistance) MarshalJSON() ([]byte, error)     { return marshal(f) }
func (f *FollowingDistance) UnmarshalJSON(data []byte) error { return unmarshal(data, f) }

// FundamentalDiagram makes an agent with FollowingDistance walk no faster than people do at the density
// ahead.
type FundamentalDiagram struct {
	MaxDensity float64 // people/m² at which the agent barely moves; 0 means that density has no effect
}

func (f FundamentalDiagram) MarshalJSON() ([]byte, error)     { return marshal(f) }
func (f *FundamentalDiagram) UnmarshalJSON(data []byte) error { return unmarshal(data, f) }

// Passing makes an agent with FollowingDistance veer to the side with fewer agents ahead while other agents
// slow it down: it overtakes, and crowds spread out. If agents come toward it, it keeps to one side.
type Passing struct {
	Overtaking float64 // sideways speed ÷ lost speed, if all agents ahead are on one side; 0 means straight on
	Right      float64 // tangent of the angle by which the agent turns right when it meets oncoming agents; negative means left
}

func (p Passing) MarshalJSON() ([]byte, error)     { return marshal(p) }
func (p *Passing) UnmarshalJSON(data []byte) error { return unmarshal(data, p) }

// Inertia limits how fast an agent with ORCA accelerates toward its preferred velocity. To avoid a collision,
// the agent still brakes and turns as fast as it must.
type Inertia struct {
	MaxAcceleration float64 // m/s²; 0 means no limit
}

func (i Inertia) MarshalJSON() ([]byte, error)     { return marshal(i) }
func (i *Inertia) UnmarshalJSON(data []byte) error { return unmarshal(data, i) }
