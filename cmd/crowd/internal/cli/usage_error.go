package cli

// UsageError is an error that the user can mend: it ends with exit code 2.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }

func (e UsageError) Unwrap() error { return e.Err }

// BadUsage returns an error as one that the user can mend.
func BadUsage(err error) error { return UsageError{err} }
