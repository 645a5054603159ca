package output

import (
	"os"

	"golang.org/x/sys/windows"
)

// taken is the error of a lock that another process has.
const taken = windows.ERROR_LOCK_VIOLATION

// try locks a file until it is closed, or fails at once. The locked byte is far behind the end, so that others can read the
// file.
func try(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
}
