// Package space has the spatial indexes of obstacles and, with Crowd, of agents:
// snapshots that are built once and then answer exact queries.
//
// An answer is the same, bit for bit, as that of a loop over all obstacles. It
// does not depend on their order, nor on how the index is laid out. Obstacles
// at the same distance are told apart by their ID, the lowest first.
//
// Queries are defined for every argument: NaN, infinite and negative lengths
// find nothing, and so do coordinates beyond 1e100 meters, whose squares would
// not be numbers. They allocate nothing and may run concurrently; Build may not
// run beside them.
package space
