// Package frame runs systems over the rows of an arche world in steps: in batches, on
// several workers, with the same bits whatever their number.
//
// A step senses, runs and observes. First every Sensor takes its read-only snapshot
// of the world. Then batches of rows, each of one archetype, go through every System
// that wants them, in the order of the list. At the end every Observer looks at the
// result. An Exclusive has the world to itself in between, and a TwoPhase needs all
// agents at once in the middle.
//
//	f := frame.New(
//		&sense.Obstacles{},                                             // sense
//		&systems.Arrival{}, &systems.ThreatScan{}, &systems.Avoidance{}, // steer
//		&systems.Integration{},                                         // move
//	)
//	f.Initialize(&world)
//	defer f.Finalize(&world)
//	for {
//		f.Step(&world, 1./60)
//	}
//
// A System says in its Needs which columns it reads and writes, and what it comes
// after. The rules of package systems use nothing but what this package exports, so
// that a host's own systems can do all that they do.
package frame
