package output

import (
	"hash/fnv"
	"os"
	"strconv"
	"sync"
	"syscall"
)

// system stands for the boot of the machine and the namespace in which processes have their numbers; empty if
// that is not known. Folders may be shared with other machines and containers, whose processes have
// the same numbers.
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

// gone reports whether no process has a number.
func gone(process int) bool { return syscall.Kill(process, 0) == syscall.ESRCH }
