// Package house holds tests of the project as a whole: which package may import
// which, what components may hold, and that the programs in the pages compile
// and run.
package house
