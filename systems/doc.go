// Package systems contains the rules that steer agents in an arche world. Package frame runs them.
//
//	f := frame.New(
//		&sense.Obstacles{}, // sense
//		&systems.Arrival{}, &systems.ThreatScan{}, &systems.Avoidance{}, // steer
//		&systems.Integration{}, // move
//	)
//	f.Initialize(&world)
//	defer f.Finalize(&world)
//	for {
//		f.Step(&world, 1./60)
//	}
//
// Systems communicate through components. A steering behavior adds a force to Steering, usually its
// gain times the velocity error of its rule: the desired velocity minus the velocity. Integration
// applies the sum. In formulas, x^ is the unit vector along x.
//
// A step is deterministic: its result is the same, bit for bit, whatever the number of workers, the batch
// size, the order of rows and the processor. It does not allocate once the frame has seen all archetypes.
//
// A faithful mode follows the rule as published, faults included; the default mode corrects them.
package systems
