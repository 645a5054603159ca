//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package output

import (
	"os"

	"golang.org/x/sys/unix"
)

// taken is the error of a lock that another process has.
const taken = unix.EWOULDBLOCK

// try locks a file until it is closed, or fails at once.
func try(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
