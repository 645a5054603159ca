//go:build !linux

package cli

import "math"

// addressesLeft returns MaxUint64: the limit is known only on Linux.
func addressesLeft() uint64 { return math.MaxUint64 }
