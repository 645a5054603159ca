//go:build !linux

package machine

import "math"

// addressesLeft returns that there is no limit.
func addressesLeft() uint64 { return math.MaxUint64 }
