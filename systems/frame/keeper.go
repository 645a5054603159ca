package frame

import "github.com/8f878440/crowd/internal/archive"

// Archive writes what a system keeps, or reads it: see [Keeper]. Its methods for that:
//
//	Keep(values ...any)               // by pointers: bools, numbers, strings, entities, and arrays, slices and structs of these
//	Reading() bool                    // whether it reads
//	Fail(format string, args ...any)  // refuses what it read
//	Err() error                       // the first error
type Archive = archive.Archive

// Keeper is a system that keeps something from one step to the next outside of components
// and resources. Keep names it, in the same order for both directions; after reading it
// brings up to date what follows from it. A world calls it between two steps, with the frame
// initialized: World.Save to write, World.Restore to read. What it keeps must not depend on
// Workers.
type Keeper interface{ Keep(*Archive) }

// Keep writes what the frame has counted and what its systems keep, or reads it: a block for
// the frame, and one for each Keeper. Times are left out, and what each worker did.
func (f *Frame) Keep(a *Archive) {
	a.Block("frame.Frame", func() { a.Keep(&f.stats.Steps, &f.stats.Rows, &f.stats.Skipped) })
	for _, s := range f.systems {
		if k, ok := s.(Keeper); ok {
			a.Block(NameOf(s), func() { k.Keep(a) })
		}
	}
}
