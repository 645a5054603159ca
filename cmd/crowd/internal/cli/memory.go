package cli

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/8f878440/crowd/world/scene"
	"github.com/shirou/gopsutil/v4/mem"
)

// Memory is the memory that the process can still get.
type Memory struct {
	Bytes uint64
	Of    string // where the limit applies, such as "on the machine"
}

// readMemory returns the idle heap plus the minimum of the memory left on the machine, in control groups, in
// the address space (ulimit -v) and under GOMEMLIMIT.
func readMemory() Memory {
	free := Memory{math.MaxUint64, "on the machine"}
	limit := func(bytes uint64, of string) {
		if bytes < free.Bytes {
			free = Memory{bytes, of}
		}
	}
	if m, err := mem.VirtualMemory(); err == nil && m.Available > 0 {
		limit(m.Available, free.Of)
	}
	if groups, err := os.ReadFile("/proc/self/cgroup"); err == nil {
		limit(groupLeft(os.DirFS("/sys/fs/cgroup"), string(groups)), "in the control group (cgroup)")
	}
	limit(addressesLeft(), "in the address space (ulimit -v)")
	if asked < math.MaxInt64 {
		limit(uint64(max(0, asked-mapped())), "under GOMEMLIMIT")
	}
	reusable := idle()
	if free.Bytes < math.MaxUint64-reusable {
		free.Bytes += reusable
	}
	return free
}

// asked is GOMEMLIMIT in bytes, or MaxInt64 if unset.
var asked = debug.SetMemoryLimit(-1)

// Respect limits the memory of the Go runtime to the current use plus 90% of m, and to GOMEMLIMIT, so garbage
// is collected in time.
func (m Memory) Respect() {
	if share := float64(m.Bytes) * 0.9; share < math.MaxInt64/2 {
		debug.SetMemoryLimit(min(asked, mapped()-int64(idle())+int64(share)))
	}
}

func mapped() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

func idle() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapIdle - m.HeapReleased
}

// FreeMemory returns the memory left. Tests replace it.
var FreeMemory = readMemory

// MemoryFlag is the flag --force, which disables the memory check.
type MemoryFlag struct {
	Force bool `help:"Run even if there is probably not enough memory."`
}

// MemoryOfPicture returns the approximate number of bytes for a picture of the agents.
func MemoryOfPicture(s *scene.Scene) uint64 { return 300 * uint64(s.Agents()) }

// Admit calls AdmitBytes for the memory of a scene with options o, plus the given number of bytes.
func (f *MemoryFlag) Admit(s *scene.Scene, o scene.Options, more uint64) error {
	return f.AdmitBytes(fmt.Sprintf("%s with %s", s.Name, Plural(s.Agents(), "agent")), s.Memory(o)+more)
}

// AdmitBytes returns an error, which begins with the text what, if fewer than need bytes are left and --force
// is not set. If enough bytes are left, AdmitBytes calls [Memory.Respect].
func (f *MemoryFlag) AdmitBytes(what string, need uint64) error {
	free := FreeMemory()
	if need > free.Bytes && !f.Force {
		debug.FreeOSMemory()
		free = FreeMemory()
	}
	if need <= free.Bytes {
		free.Respect()
		return nil
	}
	if f.Force {
		return nil
	}
	return fmt.Errorf("%s needs about %s of memory, but only %s is left %s: want fewer agents, or --force to try anyway",
		what, gigabytes(need), gigabytes(free.Bytes), free.Of)
}

func gigabytes(n uint64) string {
	if n < 1e9 {
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// MemoryRoom is memory for concurrent scenes. A scene that does not fit waits.
type MemoryRoom struct {
	mu    sync.Mutex
	taken uint64    // bytes of running scenes
	freed sync.Cond // a scene finished, or the context of a waiting one is done
}

// Take reserves need bytes. It calls admit with the bytes that other scenes hold. While admit fails and other
// scenes hold bytes, Take waits. The error is the last one from admit, or ctx.Err() if ctx is done. Call
// release once to free the bytes.
func (r *MemoryRoom) Take(ctx context.Context, admit func(taken uint64) error, need uint64) (release func(), err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.freed.L = &r.mu
	defer context.AfterFunc(ctx, func() { r.give(0) })()
	for {
		err := admit(r.taken)
		switch {
		case err == nil:
			r.taken += need
			return func() { r.give(need) }, nil
		case r.taken == 0:
			return nil, err
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
		r.freed.Wait()
	}
}

func (r *MemoryRoom) give(need uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken -= need
	r.freed.Broadcast()
}

// MemoryInUse returns the bytes in use on the heap after garbage collection.
func MemoryInUse() uint64 {
	runtime.GC()
	runtime.GC() // the first only moves a sync.Pool to its victim cache
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Mallocs returns the number of heap objects allocated so far.
func Mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

// Processor returns the model name of the processor, or "" if unknown.
var Processor = sync.OnceValue(func() string {
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

// groupFiles names the memory files of a control group, and the key of inactive file pages in stat.
type groupFiles struct{ max, used, stat, cache string }

var (
	version1 = groupFiles{"memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat", "total_inactive_file"}
	version2 = groupFiles{"memory.max", "memory.current", "memory.stat", "inactive_file"}
)

// groupLeft returns the fewest bytes left in the control groups of a process and their ancestors, or
// MaxUint64 without a limit. The string groups is the content of /proc/self/cgroup.
func groupLeft(root fs.FS, groups string) uint64 {
	least := uint64(math.MaxUint64)
	for line := range strings.Lines(groups) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		folder, files := "", version2
		if slices.Contains(strings.Split(parts[1], ","), "memory") {
			folder, files = "memory", version1
		} else if parts[1] != "" {
			continue // a version 1 group of another resource
		}
		// In a container, names may be from outside it. Then only the root exists.
		for group := path.Join("/", parts[2]); ; group = path.Dir(group) {
			least = min(least, files.left(root, path.Join(folder, group[1:])))
			if group == "/" {
				break
			}
		}
	}
	return least
}

// left returns the bytes left in a group, or MaxUint64 if unknown. Inactive file pages count as left, because
// the kernel can reclaim them.
func (f groupFiles) left(root fs.FS, folder string) uint64 {
	most, limited := readNumber(root, path.Join(folder, f.max))
	used, known := readNumber(root, path.Join(folder, f.used))
	if !limited || !known {
		return math.MaxUint64
	}
	used -= min(used, f.files(root, folder))
	return most - min(most, used)
}

func (f groupFiles) files(root fs.FS, folder string) uint64 {
	text, err := fs.ReadFile(root, path.Join(folder, f.stat))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if value, is := strings.CutPrefix(line, f.cache+" "); is {
			n, _ := strconv.ParseUint(strings.TrimSpace(value), 10, 64)
			return n
		}
	}
	return 0
}

func readNumber(root fs.FS, name string) (uint64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}
