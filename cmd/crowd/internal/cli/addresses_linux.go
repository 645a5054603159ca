package cli

import (
	"math"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// addressesLeft returns how many more bytes the process may map, or MaxUint64 if no limit is known.
func addressesLeft() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil || limit.Cur == math.MaxUint64 {
		return math.MaxUint64
	}
	text, _ := os.ReadFile("/proc/self/statm")
	first, _, _ := strings.Cut(string(text), " ")
	pages, _ := strconv.ParseUint(first, 10, 64)
	used := pages * uint64(os.Getpagesize())
	return uint64(limit.Cur) - min(uint64(limit.Cur), used)
}
