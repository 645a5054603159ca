package components

import (
	"gonum.org/v1/gonum/spatial/r2"
)

// SocialForce1995 makes the agent walk to its Target according to the elliptical specification of the social
// force model of 1995. Limits.MaxSpeed is the desired speed.
type SocialForce1995 struct {
	RelaxationTime float64 // s, time constant of the approach to the desired velocity, above 0
	Repulsion      float64 // m²/s², strength of the potential of other agents
	Range          float64 // m, distance over which the potential of other agents falls to 1/e, above 0
	StepTime       float64 // s, duration of the other agents' step, along which the potential is stretched
	WallRepulsion  float64 // m²/s², strength of the potential of walls
	WallRange      float64 // m, distance over which the potential of walls falls to 1/e, above 0
	FieldOfView    float64 // rad, width of the field of view around the direction to the target
	WeightBehind   float64 // weight of agents out of view, as a share of that of agents in view
	SpeedLimit     float64 // maximum speed, as a multiple of the desired speed
	NeighborDist   float64 // m, range of the search for other agents (from center to center) and walls; 0 means that the agent sees none
}

// SocialForce2000 makes the agent walk to its Target according to the circular specification of the social
// force model of 2000, in which bodies touch. Limits.MaxSpeed is the desired speed; agents that
// push may make the agent faster.
type SocialForce2000 struct {
	RelaxationTime float64 // s, time constant of the approach to the desired velocity, above 0
	Repulsion      float64 // N, repulsion of bodies that touch
	Range          float64 // m, distance over which the repulsion falls to 1/e, above 0
	BodyForce      float64 // kg/s², force against the compression of bodies
	Friction       float64 // kg/(m·s), friction of bodies that slide along each other
	NeighborDist   float64 // m, range of the search for other agents (from center to center) and walls; 0 means that the agent sees none
}

// CollisionFreeSpeed makes the agent walk to its Target according to the collision-free speed model.
// Limits.MaxSpeed is the free speed.
type CollisionFreeSpeed struct {
	TimeGap       float64 // s, time in which the agent would cover the gap to the agents ahead, above 0
	Repulsion     float64 // repulsion by other agents at contact, as a multiple of the pull of the target
	Range         float64 // m, distance over which the repulsion falls to 1/e, above 0
	WallRepulsion float64 // repulsion by walls at contact, as a multiple of the pull of the target
	WallRange     float64 // m, distance over which the repulsion of walls falls to 1/e, above 0
	NeighborDist  float64 // m, range of the search for other agents (from center to center) and walls; 0 means that the agent sees none
}

// AnticipationVelocity makes the agent walk to its Target according to the anticipation velocity model.
// Limits.MaxSpeed is the free speed. Heading is the direction in which the agent walks.
type AnticipationVelocity struct {
	TimeGap          float64 // s, time in which the agent would cover the gap to the agents ahead, above 0
	Repulsion        float64 // repulsion by other agents at contact, as a multiple of the pull of the target
	Range            float64 // m, distance over which the repulsion falls to 1/e, above 0
	WallRepulsion    float64 // repulsion by walls at contact, as a multiple of the pull of the target
	WallRange        float64 // m, distance over which the repulsion of walls falls to 1/e, above 0
	AnticipationTime float64 // s, time ahead for which the agent predicts other agents
	ReactionTime     float64 // s, time constant of the turn to the desired direction, above 0
	NeighborDist     float64 // m, range of the search for other agents (from center to center) and walls; 0 means that the agent sees none
}

// ORCA makes an agent avoid walls, and share the avoidance of collisions with other agents: the agent
// chooses the collision-free velocity nearest to its preferred velocity.
//
// ORCA avoids only the MaxNeighbors agents whose centers are nearest, and with FollowingDistance at
// most ten. If more bodies than that can touch the agent within a step, it may overlap some of them:
// measured overlaps reach 0.48 m with MaxNeighbors 4 and bodies of different radii, and 0 with
// MaxNeighbors 10 and equal bodies. If large and small bodies mix, choose NeighborDist and
// MaxNeighbors for the large ones. In a world that wraps, agents are also seen across the edges.
//
// Limits.MaxForce has no effect, except that forces combined by priority are limited to it before
// ORCA takes them.
type ORCA struct {
	Gain            float64 // kg/s: the agent prefers Velocity + Steering/Gain; 0 pauses
	TimeHorizon     float64 // s, time ahead in which the agent avoids other agents; at least a step
	TimeHorizonObst float64 // s, time ahead in which the agent avoids obstacles; at least a step
	NeighborDist    float64 // m, range of the search, from center to center; 0 means that the agent sees none
	MaxNeighbors    int     // maximum number of nearest agents to avoid; 0 means all
	Priority        float64 // with three times the priority of another agent, an agent takes a quarter of the avoidance
}

func (o ORCA) MarshalJSON() ([]byte, error)     { return marshal(o) }
func (o *ORCA) UnmarshalJSON(data []byte) error { return unmarshal(data, o) }

// PreferredVelocity is the velocity, in m/s, that an agent with ORCA preferred when it last chose a
// velocity; it does not change while the agent is paused. It shows other agents whether the agent walks ahead of
// them or toward them. ORCA sets it.
type PreferredVelocity struct{ r2.Vec }

// FollowingDistance makes an agent with ORCA keep a distance from the agents that walk ahead of it,
// as people do.
type FollowingDistance struct {
	TimeGap   float64 // s, time in which the agent would cover the gap at the preferred speed; 0 means full speed in any jam
	Variation float64 // the time gap of each agent is drawn from TimeGap·(1 − Variation) to TimeGap·(1 + Variation)
}

func (f FollowingDistance) MarshalJSON() ([]byte, error)     { return marshal(f) }
func (f *FollowingDistance) UnmarshalJSON(data []byte) error { return unmarshal(data, f) }

// FundamentalDiagram makes an agent with FollowingDistance walk no faster than people do at the
// density ahead of it.
type FundamentalDiagram struct {
	MaxDensity float64 // density, in people per square meter, at which the agent stops; 0 means that density does not slow the agent
}

func (f FundamentalDiagram) MarshalJSON() ([]byte, error)     { return marshal(f) }
func (f *FundamentalDiagram) UnmarshalJSON(data []byte) error { return unmarshal(data, f) }

// Passing affects an agent with FollowingDistance while other agents slow it down. The agent veers to
// the side with fewer agents ahead, so it overtakes, and crowds spread over the free space. If other
// agents come toward the agent, it keeps to one side.
type Passing struct {
	Overtaking float64 // sideways speed ÷ lost speed, if all other agents are on one side; 0 means straight on
	Right      float64 // tangent of the angle by which the agent turns right if others come toward it; below 0 means left
}

func (p Passing) MarshalJSON() ([]byte, error)     { return marshal(p) }
func (p *Passing) UnmarshalJSON(data []byte) error { return unmarshal(data, p) }

// Inertia limits how fast an agent with ORCA changes the velocity that it aims at. To avoid a
// collision, the agent brakes and turns as fast as it must.
type Inertia struct {
	MaxAcceleration float64 // m/s²; 0 means no limit
}

func (i Inertia) MarshalJSON() ([]byte, error)     { return marshal(i) }
func (i *Inertia) UnmarshalJSON(data []byte) error { return unmarshal(data, i) }
