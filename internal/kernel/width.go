package kernel

import (
	"fmt"
	"os"
	"strings"
)

// Width is the vector width of kernels.
type Width int

const (
	Off    Width = iota // no kernels
	AVX2                // 4 float64
	AVX512              // 8 float64
)

// Lanes is the number of rows that the widest kernel processes at a time.
const Lanes = 8

var names = [...]string{Off: "off", AVX2: "avx2", AVX512: "avx512"}

// String returns the name of the width, as in CROWD_SIMD.
func (w Width) String() string { return names[w] }

var (
	used   Width // greatest width of kernels; some have only AVX2
	wanted = os.Getenv("CROWD_SIMD")
)

func init() { Use(most(wanted)) }

// most returns the greatest width that a value of CROWD_SIMD allows. An empty or invalid value allows all.
func most(value string) Width {
	for w, name := range names {
		if strings.EqualFold(value, name) {
			return Width(w)
		}
	}
	return AVX512
}

// Check returns an error if the environment variable CROWD_SIMD has an invalid value. An empty value is
// valid.
func Check() error {
	if w := most(wanted); wanted == "" || strings.EqualFold(wanted, w.String()) {
		return nil
	}
	return fmt.Errorf("CROWD_SIMD is %q, want one of %s", wanted, strings.Join(names[:], ", "))
}

// Used returns the greatest width of the kernels in use.
func Used() Width { return used }

// Use sets the greatest width of kernels to w, or to what the processor supports if that is less, and
// returns the previous one. It must not be called while a frame runs.
func Use(w Width) (before Width) {
	before, used = used, min(w, available())
	return before
}

// Until returns the row at which to call a kernel again after it stopped at row i of n: i+Lanes, or n if
// there are no kernels or fewer than Lanes rows are left.
func Until(i, n int) int {
	if used == Off || n-i < Lanes {
		return n
	}
	return i + Lanes
}
