//go:build !linux

package cli

import "math"

// addressesLeft returns MaxUint64: only Linux reports the limit.
func addressesLeft() uint64 { return math.MaxUint64 }
