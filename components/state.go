package components

// State returns the zero value of every component that says how an entity is, and not
// what it does. Those of behaviors are in the catalog; systems.Components has both.
func State() []any {
	return []any{
		Agent{}, Position{}, Velocity{}, Heading{}, Mass{}, Radius{}, Limits{}, Target{}, Destination{}, Steering{}, Layers{},
		Obstacle{}, Door{}, Threat{}, PreferredVelocity{}, PreviousPosition{}, ForceCombination{},
	}
}
