//go:build !linux

package cli

import "math"

// addressesLeft returns MaxUint64: the limit is read only on Linux.
func addressesLeft() uint64 { return math.MaxUint64 }
