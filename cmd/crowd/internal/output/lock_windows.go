package output

import (
	"os"

	"golang.org/x/sys/windows"
)

// taken is the error that try returns for a held lock.
const taken = windows.ERROR_LOCK_VIOLATION

// try locks a file without waiting. It locks a byte far beyond the end, so other processes can read the
// content.
func try(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
}
