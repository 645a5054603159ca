// Package systems steers agents in an arche world: one behavior a file, and the
// Frame that runs them in batches.
//
// A step goes from sense over steer and move to observe. First every Sensor
// makes its read-only snapshot, such as the index of Obstacles. Then batches of
// rows, each of one archetype, go through all behaviors and movers that want
// them, in the order of the frame's list, on as many workers as the frame has.
// At the end every Observer looks at the result.
//
//	frame := systems.NewFrame(
//		&systems.Obstacles{}, // sense
//		&systems.Arrival{}, &systems.ThreatScan{}, &systems.Avoidance{}, // steer
//		&systems.Integration{}, // move
//	)
//	frame.Initialize(&world)
//	defer frame.Finalize(&world)
//	for {
//		frame.Update(&world)
//	}
//
// Systems never call one another; they meet in components. A steering behavior
// adds a force to Steering: its gain times the velocity error that its rule
// gives, desired velocity minus velocity. Integration applies the sum.
//
// A step is deterministic: the same bits with any number of workers, any size of
// batches, any order of rows, and on any processor. It allocates nothing.
//
// Every rule stands in its file as a pure function below its system, with the id
// of the behavior that it carries out (A1 to A38) and its source. Faithful modes
// are the rules as their sources wrote them, faults included; the default is the
// rule with the faults mended.
package systems
