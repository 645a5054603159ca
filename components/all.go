package components

// All returns the zero value of every component of the package, for whoever
// registers, binds or saves all of them.
func All() []any {
	return []any{
		Agent{}, Position{}, Velocity{}, Heading{}, Mass{}, Radius{}, Limits{}, Target{}, Steering{}, Layers{},
		Seek{}, KinematicSeek{}, Flee{}, Arrival{}, OpposingArrival{}, DampedArrival{}, SmoothArrival{},
		Facing{}, TurnTowards{}, TurnAway{}, Drive{},
		Path{}, Itinerary{}, Follow{}, FleeFrom{}, Goal{},
		Quarry{}, Pursuer{}, Pursuit{}, Evasion{}, OffsetPursuit{},
		Wander{}, Containment{}, WallFollowing{},
		Separation{}, Alignment{}, Cohesion{}, UnalignedCollisionAvoidance{},
		Obstacle{}, ThreatScan{}, Threat{}, Avoidance{}, Contact{},
		ORCA{}, PreferredVelocity{}, Solid{}, PreviousPosition{}, ForceCombination{},
	}
}
