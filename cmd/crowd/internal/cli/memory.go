package cli

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"github.com/shirou/gopsutil/v4/mem"
)

// Memory is how many bytes of memory this process can still get, and what keeps it
// from getting more.
type Memory struct {
	Bytes uint64
	Of    string // such as "of the machine"
}

// ReadMemory returns the memory that is left: of the machine, of the control group of this
// process and those that it is in, of its address space (ulimit -v), or of
// GOMEMLIMIT, whichever is the least. Where the system does not tell it is without
// limit.
func ReadMemory() Memory {
	free := Memory{math.MaxUint64, "of the machine"}
	limit := func(bytes uint64, of string) {
		if bytes < free.Bytes {
			free = Memory{bytes, of}
		}
	}
	if m, err := mem.VirtualMemory(); err == nil && m.Available > 0 {
		limit(m.Available, free.Of)
	}
	if groups, err := os.ReadFile("/proc/self/cgroup"); err == nil {
		limit(groupLeft(os.DirFS("/sys/fs/cgroup"), string(groups)), "of the control group (cgroup)")
	}
	limit(addressesLeft(), "of the address space (ulimit -v)")
	if asked < math.MaxInt64 {
		limit(uint64(max(0, asked-mapped())), "of GOMEMLIMIT")
	}
	reusable := idle()
	if free.Bytes < math.MaxUint64-reusable {
		free.Bytes += reusable
	}
	return free
}

// asked is GOMEMLIMIT, or no limit.
var asked = debug.SetMemoryLimit(-1)

// Respect makes the process collect garbage before it takes more than nine tenths
// of the memory that is free.
func (m Memory) Respect() {
	if share := float64(m.Bytes) * 0.9; share < math.MaxInt64/2 {
		debug.SetMemoryLimit(min(asked, mapped()+int64(share)))
	}
}

// GiveBackMemory gives what the process does not use any more to others, and so to
// itself.
func GiveBackMemory() { debug.FreeOSMemory() }

// mapped returns the bytes that count for GOMEMLIMIT.
func mapped() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// idle returns the bytes that the process has got and does not use.
func idle() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapIdle - m.HeapReleased
}
