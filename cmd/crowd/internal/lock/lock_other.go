//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package lock

import "os"

// try does nothing where no locks are known.
func try(*os.File) error { return nil }
