// Package house tests the project as a whole: which packages may import which, what components may contain,
// and whether the programs in the pages run. A room is a group of packages with common import rules.
package house
