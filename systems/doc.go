// Package systems has the rules that steer agents in an arche world: a file for each family,
// in which each rule has its entry in the catalog. Package frame runs them.
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
// Systems never call one another; they communicate through components. A steering
// behavior adds a force to Steering: its gain times the velocity error of its rule,
// desired velocity minus velocity. Integration applies the sum.
//
// A step is deterministic: the same bits with any number of workers, any size of
// batches, any order of rows, and on any processor. It allocates nothing.
//
// Each rule is a pure function below its system. A faithful mode is the rule as its
// source wrote it, with its faults; the default is the rule without them.
package systems
