package kernel

import (
	"fmt"
	"os"
	"strings"
)

// Width is how wide the vectors of kernels are.
type Width int

const (
	Off    Width = iota // no kernels
	AVX2                // 4 float64
	AVX512              // 8 float64
)

// Lanes is how many rows the widest kernel does at a time.
const Lanes = 8

var names = [...]string{Off: "off", AVX2: "avx2", AVX512: "avx512"}

// String returns the name of the width, as CROWD_SIMD has it.
func (w Width) String() string { return names[w] }

var (
	used   Width // by all kernels
	wanted = os.Getenv("CROWD_SIMD")
)

func init() { Use(most(wanted)) }

// most returns the greatest width that a value of CROWD_SIMD allows. One that is wrong, which
// Check tells, allows all.
func most(value string) Width {
	for w, name := range names {
		if strings.EqualFold(value, name) {
			return Width(w)
		}
	}
	return AVX512
}

// Check returns an error if the variable CROWD_SIMD has a value that it cannot have.
func Check() error {
	if w := most(wanted); wanted == "" || strings.EqualFold(wanted, w.String()) {
		return nil
	}
	return fmt.Errorf("CROWD_SIMD is %q: it may be %s", wanted, strings.Join(names[:], ", "))
}

// Used returns the width of the kernels that run.
func Used() Width { return used }

// Use makes kernels run with vectors of at most a width, as far as the processor has it, and
// returns the width that was used before. It is for tests and benchmarks, when no frame runs.
func Use(w Width) (before Width) {
	before, used = used, min(w, available())
	return before
}

// Until returns up to which of n rows the Go text goes on at row i, where a kernel stopped,
// before it asks the kernel again: all of them, if there are no kernels.
func Until(i, n int) int {
	if used == Off || n-i < Lanes {
		return n
	}
	return i + Lanes
}
