package cli

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"

	"github.com/8f878440/crowd/world/scene"
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

// FreeMemory returns the memory that is left. Tests replace it.
var FreeMemory = ReadMemory

// MemoryFlag is --force: it lets a command try what may take more memory than there is.
type MemoryFlag struct {
	Force bool `help:"Try it, even if it is likely to need more memory than there is."`
}

// MemoryOfPicture returns about how many bytes the agents of a scene take in a picture; 0 if
// there is none.
func MemoryOfPicture(s *scene.Scene, picture bool) uint64 {
	if !picture {
		return 0
	}
	return 300 * uint64(s.Agents())
}

// Admit refuses a scene that needs more memory than there is, where it is to have
// some bytes more to be shown.
func (f *MemoryFlag) Admit(s *scene.Scene, o scene.Options, more uint64) error {
	return f.AdmitBytes(fmt.Sprintf("%s with %s", s.Name, Plural(s.Agents(), "agent")), s.Memory(o)+more)
}

// AdmitBytes refuses what needs more memory than there is.
func (f *MemoryFlag) AdmitBytes(what string, need uint64) error {
	free := FreeMemory()
	if need > free.Bytes && !f.Force {
		GiveBackMemory()
		free = FreeMemory()
	}
	if need <= free.Bytes {
		free.Respect()
		return nil
	}
	if f.Force {
		return nil
	}
	return fmt.Errorf("%s needs about %s of memory, and %s %s are left: want fewer agents, or --force to try it anyway",
		what, gigabytes(need), gigabytes(free.Bytes), free.Of)
}

// gigabytes writes a number of bytes for people to compare.
func gigabytes(n uint64) string {
	if n < 1e9 {
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// MemoryRoom is the memory that scenes share which run at the same time: one for which
// there is too little beside the others waits until they are done.
type MemoryRoom struct {
	mu    sync.Mutex
	taken uint64        // bytes that running work needs
	freed chan struct{} // closed when one of them is done
}

// Take waits until admit, which is told how many bytes others need, has nothing
// against it, or nothing else runs. The error is that of admit or the context's.
// Call Release when the memory is free again.
func (r *MemoryRoom) Take(ctx context.Context, admit func(taken uint64) error, need uint64) (release func(), err error) {
	for {
		r.mu.Lock()
		err := admit(r.taken)
		if err == nil {
			r.taken += need
			r.mu.Unlock()
			return func() { r.give(need) }, nil
		}
		alone, freed := r.taken == 0, r.wait()
		r.mu.Unlock()
		if alone {
			return nil, err
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// wait returns what is closed when the next one is done.
func (r *MemoryRoom) wait() chan struct{} {
	if r.freed == nil {
		r.freed = make(chan struct{})
	}
	return r.freed
}

func (r *MemoryRoom) give(need uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken -= need
	if r.freed != nil {
		close(r.freed)
		r.freed = nil
	}
}

// MemoryInUse returns the bytes in use on the heap.
func MemoryInUse() uint64 {
	runtime.GC()
	runtime.GC() // pools keep what they hold over the first
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Mallocs returns how many objects were ever allocated.
func Mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

// Processor returns the name of the processor, empty where the system does not
// tell.
func Processor() string { return processor() }

// processor asks once: a sweep wants the name for every run.
var processor = sync.OnceValue(func() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		if strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
})
