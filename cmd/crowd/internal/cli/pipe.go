package cli

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// BrokenPipe reports whether standard output was a pipe whose reader has seen enough, as
// head has: no message is of use then.
func BrokenPipe(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && path.Path == os.Stdout.Name() && errors.Is(err, syscall.EPIPE)
}
