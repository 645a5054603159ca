//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package output

import (
	"os"

	"golang.org/x/sys/unix"
)

// taken is the error that try returns for a held lock.
const taken = unix.EWOULDBLOCK

// try locks a file without waiting.
func try(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
