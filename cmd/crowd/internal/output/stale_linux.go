package output

import (
	"hash/fnv"
	"os"
	"strconv"
	"sync"
	"syscall"
)

// system identifies the boot of the machine and the PID namespace. It returns "" if either is unknown.
// It distinguishes processes with the same ID on different machines or in different containers that
// share a folder.
var system = sync.OnceValue(func() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil || len(boot) == 0 {
		return ""
	}
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil || space == "" {
		return ""
	}
	h := fnv.New64a()
	_, _ = h.Write(append(boot, space...))
	return strconv.FormatUint(h.Sum64(), 36)
})

// gone reports whether no process has the given ID.
func gone(process int) bool { return syscall.Kill(process, 0) == syscall.ESRCH }
