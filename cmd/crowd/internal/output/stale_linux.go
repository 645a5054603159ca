package output

import (
	"hash/fnv"
	"os"
	"strconv"
	"sync"
	"syscall"
)

// system returns a name for the boot and the PID namespace, or "" if unknown. The name distinguishes equal
// process IDs on machines or in containers that share a folder.
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

func gone(process int) bool { return syscall.Kill(process, 0) == syscall.ESRCH }
