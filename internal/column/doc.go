// Package column gives slices over arche's component columns.
//
// All iteration over arche and all unsafe code of the module stand here. With
// the build tag safe the same interface copies the rows out by arche's own
// typed access and back again, without any unsafe conversion of ours: slow,
// and the same results.
//
// A column is contiguous within one archetype, or within one archetype and
// relation target. A Run is such a stretch of rows. Slices made from a run are
// stale as soon as the query that found it is closed.
package column
