// Package house tests the project as a whole: which package may import which, what components may
// contain, and that the programs in the pages run. A room is a group of packages with common import
// rules.
package house
