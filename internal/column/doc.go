// Package column provides slices over arche's component columns.
//
// It contains all iteration over arche and all unsafe code of the module. With the build tag safe,
// the same interface copies rows through arche's typed access and back, without unsafe conversions:
// slower, with the same results.
//
// A column is contiguous within one archetype, or within one archetype and relation target. A Run
// is such a range of rows. Slices of a run are valid until the query that found it is closed.
package column
