// Package benchmarks measures the systems and scenes of crowd, beside the
// fastest loops over plain slices that one would write by hand.
//
//	go test -bench . ./benchmarks
//
// The workloads: agents uniformly random in a square of 1000 × 1000, static
// targets, top speed 10, force limit 5, mass 1, slowing radius 50, dt 1/60.
// Every step steers, applies force and speed limits, and moves. With -short
// there are 10,000 agents at most.
package benchmarks
