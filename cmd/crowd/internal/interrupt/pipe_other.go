//go:build !unix

package interrupt

// CatchBrokenPipe does nothing: there are no such signals.
func CatchBrokenPipe() {}
