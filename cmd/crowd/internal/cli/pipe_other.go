//go:build !unix

package cli

// CatchBrokenPipe does nothing: there is no SIGPIPE.
func CatchBrokenPipe() {}
