package components

import (
	"gonum.org/v1/gonum/spatial/r2"
)

// SocialForce1995 makes the agent walk to its Target as in the social force model of 1995, the
// elliptical specification. Limits.MaxSpeed is the speed that it desires.
type SocialForce1995 struct {
	RelaxationTime float64 // s, in which it takes on the velocity that it desires, above 0
	Repulsion      float64 // m²/s², of the potential of others
	Range          float64 // m, over which that falls, above 0
	StepTime       float64 // s, of the step of others that the potential stretches along
	WallRepulsion  float64 // m²/s², of the potential of walls
	WallRange      float64 // m, over which that falls, above 0
	FieldOfView    float64 // rad, width, about the direction to the target
	WeightBehind   float64 // share that those out of view count
	SpeedLimit     float64 // the greatest speed, as a multiple of the desired one
	NeighborDist   float64 // m, how far it looks for others, from center to center, and for walls; 0: it sees none
}

// SocialForce2000 makes the agent walk to its Target as in the social force model of 2000, the
// circular specification with contact between bodies. Limits.MaxSpeed is the speed that it
// desires; those that push it may make it faster.
type SocialForce2000 struct {
	RelaxationTime float64 // s, in which it takes on the velocity that it desires, above 0
	Repulsion      float64 // N, where bodies touch
	Range          float64 // m, over which that falls, above 0
	BodyForce      float64 // kg/s², against the compression of bodies
	Friction       float64 // kg/(m·s), of bodies that slide along one another
	NeighborDist   float64 // m, how far it looks for others, from center to center, and for walls; 0: it sees none
}

// CollisionFreeSpeed makes the agent walk to its Target as in the collision-free speed model.
// Limits.MaxSpeed is its free speed.
type CollisionFreeSpeed struct {
	TimeGap       float64 // s, in which it would cover the gap to those ahead, above 0
	Repulsion     float64 // of others on its direction where bodies touch, as a multiple of the pull of its target
	Range         float64 // m, over which that falls, above 0
	WallRepulsion float64 // the same of walls
	WallRange     float64 // m, above 0
	NeighborDist  float64 // m, how far it looks for others, from center to center, and for walls; 0: it sees none
}

// AnticipationVelocity makes the agent walk to its Target as in the anticipation velocity model.
// Limits.MaxSpeed is its free speed. Its Heading is the direction in which it walks.
type AnticipationVelocity struct {
	TimeGap          float64 // s, in which it would cover the gap to those ahead, above 0
	Repulsion        float64 // of others on its direction where bodies touch, as a multiple of the pull of its target
	Range            float64 // m, over which that falls, above 0
	WallRepulsion    float64 // the same of walls
	WallRange        float64 // m, above 0
	AnticipationTime float64 // s, how far ahead it sees others
	ReactionTime     float64 // s, in which it turns to the direction that it desires, above 0
	NeighborDist     float64 // m, how far it looks for others, from center to center, and for walls; 0: it sees none
}

// ORCA makes an agent avoid walls and other agents, of which each does its share: it
// takes the collision-free velocity nearest to the preferred one.
//
// It avoids only the MaxNeighbors nearest agents, by their centers; with FollowingDistance ten
// at most. If more bodies than
// that can touch it within a step, the others may overlap it: with MaxNeighbors 4 and
// bodies of different radii overlaps of 0.48 m were measured, with MaxNeighbors 10 and
// equal bodies none. Where large bodies are among small ones, choose NeighborDist and
// MaxNeighbors for the large ones. No agent is seen across wrapped edges.
//
// MaxForce has no effect, except that forces combined by priority are limited to it
// before ORCA takes them.
type ORCA struct {
	Gain            float64 // kg/s: the agent prefers Velocity + Steering/Gain; 0 pauses
	TimeHorizon     float64 // s, for how long it avoids collisions with others; at least a step
	TimeHorizonObst float64 // s, for how long it avoids collisions with obstacles; at least a step
	NeighborDist    float64 // m, how far it looks, from center to center; 0: it sees none
	MaxNeighbors    int     // how many others it avoids, the nearest ones; 0: all
	Priority        float64 // an agent with three times that of another does one quarter of the avoidance, the other one three
}

func (o ORCA) MarshalJSON() ([]byte, error)     { return marshal(o) }
func (o *ORCA) UnmarshalJSON(data []byte) error { return unmarshal(data, o) }

// PreferredVelocity is the velocity that an agent with ORCA preferred, in m/s, in the
// last step in which it chose one; while it is paused it stays. It tells others whether
// the agent is ahead of them on the same way, or comes toward them. ORCA sets it.
type PreferredVelocity struct{ r2.Vec }

// FollowingDistance makes an agent with ORCA keep a distance to those that walk ahead of it,
// as people do.
type FollowingDistance struct {
	TimeGap   float64 // s, in which it would cover the gap to them at the speed that it prefers; 0: it prefers full speed in any jam
	Variation float64 // share by which agents differ: the time gap of each is drawn between TimeGap·(1 − Variation) and TimeGap·(1 + Variation)
}

func (f FollowingDistance) MarshalJSON() ([]byte, error)     { return marshal(f) }
func (f *FollowingDistance) UnmarshalJSON(data []byte) error { return unmarshal(data, f) }

// FundamentalDiagram makes an agent with FollowingDistance walk no faster than people do at
// the density ahead of it.
type FundamentalDiagram struct {
	MaxDensity float64 // people a square meter, at which they stand; 0: density does not slow it
}

func (f FundamentalDiagram) MarshalJSON() ([]byte, error)     { return marshal(f) }
func (f *FundamentalDiagram) UnmarshalJSON(data []byte) error { return unmarshal(data, f) }

// Passing makes an agent with FollowingDistance that people slow down lean to the side where fewer are
// ahead: it overtakes, and crowds spread over the room there is. Before agents that come toward it, it
// keeps to one side.
type Passing struct {
	Overtaking float64 // sideways speed ÷ lost speed, if all others are on one side; 0: it never leaves its direction
	Right      float64 // tangent of the angle by which it turns to the right before those that come toward it; below 0: to the left
}

func (p Passing) MarshalJSON() ([]byte, error)     { return marshal(p) }
func (p *Passing) UnmarshalJSON(data []byte) error { return unmarshal(data, p) }

// Inertia limits how fast an agent with ORCA changes the velocity that it aims at. To avoid
// a collision it brakes and turns as fast as it must.
type Inertia struct {
	MaxAcceleration float64 // m/s²; 0: no limit
}

func (i Inertia) MarshalJSON() ([]byte, error)     { return marshal(i) }
func (i *Inertia) UnmarshalJSON(data []byte) error { return unmarshal(data, i) }
