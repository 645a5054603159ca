// Package view serves a crowd to browsers: one simulation, any number of
// viewers, each of which sees the part of the plane and the colors that it asks
// for, and may steer the simulation.
//
// The simulation goroutine owns the world. After a step that somebody waits for
// it copies what there is to see into a snapshot, which no one writes again until
// all have let go of it. Each viewer's own goroutine makes its frames of the
// newest snapshot, and waits for its own network. So a slow viewer slows neither
// the simulation nor the others, and holds one frame in memory.
//
// docs/view.md describes the protocol.
package view
