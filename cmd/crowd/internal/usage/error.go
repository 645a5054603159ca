// Package usage holds the errors of a command line: those that the user can mend.
package usage

// Error is an error that the user can mend: it ends with exit code 2.
type Error struct{ Err error }

func (e Error) Error() string { return e.Err.Error() }

func (e Error) Unwrap() error { return e.Err }

// Bad returns an error as one that the user can mend.
func Bad(err error) error { return Error{err} }
