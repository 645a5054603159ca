//go:build !unix

package cli

// CatchBrokenPipe does nothing: there are no such signals.
func CatchBrokenPipe() {}
