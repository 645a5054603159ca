// Package measure counts what a crowd does: trips, collisions of agents with one
// another and with obstacles, flow through lines, density in areas, and a hash of the
// state. It changes nothing that agents do, and what it counts does not depend on the
// order of rows or the number of workers, to the last bit.
package measure
