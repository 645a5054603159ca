// Package engine spreads the points of a sweep over processes and machines by NATS
// JetStream, and gathers their rows: each point once, in the order of the indexes. A
// point is an index, a row is bytes; what they mean is no business of the engine.
//
// [Serve] is the sweeping side. It runs a server of its own, whose store is in the
// folder of the sweep, or uses one that exists. [Work] is the side of the workers.
//
// The stream of rows is the truth. What is missing there, and is not a dead letter, is
// handed out again, whatever was lost, and by whom. So a sweep that was killed at any
// time goes on where it was.
package engine
