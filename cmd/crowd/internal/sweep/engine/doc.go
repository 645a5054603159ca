// Package engine spreads the points of a sweep over processes and machines, and gathers
// their rows: each point once, in the order of the indexes. A point is an index, a row is
// bytes; what they mean is no business of the engine.
//
// [Serve] is the sweeping side: an HTTP server, and a journal in the folder of the sweep.
// [Work] is the side of the workers, which ask for points and bring rows.
//
// The journal is the truth. A point that has neither a row nor a dead letter there is
// handed out again, whatever was lost. So a sweep that was killed at any time goes on
// where it was.
package engine
