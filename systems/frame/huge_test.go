//go:build linux && !safe

package frame_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// advised reports whether huge pages have been requested for the memory at an address.
func advised(t *testing.T, at unsafe.Pointer) bool {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/smaps")
	modes, errModes := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	if err != nil || errModes != nil || strings.Contains(string(modes), "[never]") {
		t.Skip("skipped: this system has no huge pages")
	}
	within := false
	for line := range strings.Lines(string(maps)) {
		var lo, hi uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &lo, &hi); n == 2 {
			within = lo <= uintptr(at) && uintptr(at) < hi
		} else if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && within {
			return strings.Contains(flags, " hg")
		}
	}
	t.Fatal("no mapping contains the address")
	return false
}

func TestHugePages(t *testing.T) {
	const rows = 1 << 20
	w := ecs.NewWorld(rows)
	ecs.AddResource(&w, &frame.Clock{Dt: 1})
	id := ecs.ComponentID[late](&w)
	ecs.NewBuilder(&w, id).NewBatch(rows)
	q := w.Query(ecs.All(id))
	q.Next()
	middle := unsafe.Add(q.Get(id), rows/2*unsafe.Sizeof(late{}))
	q.Close()
	f := frame.New(&counts{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	for range 20 {
		f.Update(&w)
	}
	testkit.Equal(t, advised(t, middle), true, "huge pages for a column that stays in its place")

	numbers := column.Huge(make([]float64, rows))
	testkit.Equal(t, advised(t, unsafe.Pointer(&numbers[rows/2])), true, "huge pages for a new slice")
	numbers = column.Resize(numbers, 2*rows)
	testkit.Equal(t, advised(t, unsafe.Pointer(&numbers[rows])), true, "huge pages for a larger slice")
}
