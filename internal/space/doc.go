// Package space holds the spatial index of obstacles: what a moving disc
// touches first, what is near a point, and what a point is inside of.
//
// Every answer is the same, bit for bit, as that of a loop over all shapes with
// the contact functions of this package: it depends neither on the order of the
// shapes nor on how the index is laid out.
package space
