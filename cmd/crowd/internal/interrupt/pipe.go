package interrupt

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// BrokenPipe tells whether standard output was a pipe whose reader has seen enough, as
// head has: there is nobody to tell.
func BrokenPipe(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && path.Path == os.Stdout.Name() && errors.Is(err, syscall.EPIPE)
}
