package bench

import (
	"errors"
	"fmt"
	"hash"
)

// subject is one crowd that is measured.
type subject struct {
	cycle int           // steps after which the state is set back
	reset func() error  // sets the state back to the start; the first time, makes it
	step  func() error  // does one step
	input func() string // a sum over what the crowd is at the start; after reset
	close func()        // ends it, whether or not it was made
}

func hex(sum hash.Hash64) string { return fmt.Sprintf("%016x", sum.Sum64()) }

// errStopped ends a sample that nobody waits for any more.
var errStopped = errors.New("interrupted")
