package components

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
	NeighborDist   float64 // m, how far it looks for others, from center to center, and for walls; 0: it sees nobody
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
	NeighborDist   float64 // m, how far it looks for others, from center to center, and for walls; 0: it sees nobody
}

// CollisionFreeSpeed makes the agent walk to its Target as in the collision-free speed model.
// Limits.MaxSpeed is its free speed.
type CollisionFreeSpeed struct {
	TimeGap       float64 // s, in which it would cover the gap to those ahead, above 0
	Repulsion     float64 // of others on its direction where bodies touch, as a multiple of the pull of its target
	Range         float64 // m, over which that falls, above 0
	WallRepulsion float64 // the same of walls
	WallRange     float64 // m, above 0
	NeighborDist  float64 // m, how far it looks for others, from center to center, and for walls; 0: it sees nobody
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
	NeighborDist     float64 // m, how far it looks for others, from center to center, and for walls; 0: it sees nobody
}
