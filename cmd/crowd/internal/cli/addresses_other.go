//go:build !linux

package cli

import "math"

// addressesLeft returns MaxUint64: there is no limit.
func addressesLeft() uint64 { return math.MaxUint64 }
