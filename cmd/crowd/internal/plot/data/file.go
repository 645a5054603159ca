// Package data reads the files that are drawn, and finds out from their content what they
// hold.
package data

import "github.com/8f878440/crowd/cmd/crowd/internal/bench"

// File is what was read from a file: a table of its figures or, of
// trajectories, how the agents moved.
type File struct {
	Name   string // as it was given
	Label  string // in pictures
	Kind   Kind
	Table  *Table
	Runs   []Parts // of reports of runs, one a row of the table
	Bench  *bench.File
	Motion *Motion
}

// Kind is what a file holds.
type Kind string

const (
	RunKind    Kind = "the report of a run"
	ScoreKind  Kind = "the rows of a score"
	BenchKind  Kind = "the results of a bench"
	MotionKind Kind = "trajectories"
	TableKind  Kind = "a table"
)
