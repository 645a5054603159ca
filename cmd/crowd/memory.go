package main

import (
	"fmt"

	"github.com/8f878440/crowd/internal/machine"
	"github.com/8f878440/crowd/world/scene"
)

// freeMemory returns the memory that is left. Tests set another one.
var freeMemory = machine.Free

// memoryFlag lets a command try what may take more memory than there is.
type memoryFlag struct {
	Force bool `help:"Try it, even if it is likely to need more memory than there is."`
}

// drawn returns about how many bytes the agents of a scene take in a picture, if
// there is one.
func drawn(s *scene.Scene, picture bool) uint64 {
	if !picture {
		return 0
	}
	return 300 * uint64(s.Agents())
}

// admit refuses a scene that needs more memory than there is, where it is to have
// some bytes more to be shown.
func (f *memoryFlag) admit(s *scene.Scene, o scene.Options, more uint64) error {
	return f.admitBytes(fmt.Sprintf("%s with %s", s.Name, plural(s.Agents(), "agent")), s.Memory(o)+more)
}

// admitBytes refuses what needs more memory than there is.
func (f *memoryFlag) admitBytes(what string, need uint64) error {
	free := freeMemory()
	if need > free.Bytes && !f.Force {
		machine.GiveBack()
		free = freeMemory()
	}
	if need <= free.Bytes {
		free.Respect()
		return nil
	}
	if f.Force {
		return nil
	}
	return fmt.Errorf("%s needs about %s of memory, and %s %s are left: want fewer agents, or --force to try it anyway",
		what, gigabytes(need), gigabytes(free.Bytes), free.Of)
}

// gigabytes writes a number of bytes for people to compare.
func gigabytes(n uint64) string {
	if n < 1e9 {
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
