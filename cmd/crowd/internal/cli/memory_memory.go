package cli

import (
	"fmt"

	"github.com/8f878440/crowd/world/scene"
)

// FreeMemory returns the memory that is left. Tests replace it.
var FreeMemory = ReadMemory

// MemoryFlag is --force: it lets a command try what may take more memory than there is.
type MemoryFlag struct {
	Force bool `help:"Try it, even if it is likely to need more memory than there is."`
}

// MemoryOfPicture returns about how many bytes the agents of a scene take in a picture; 0 if
// there is none.
func MemoryOfPicture(s *scene.Scene, picture bool) uint64 {
	if !picture {
		return 0
	}
	return 300 * uint64(s.Agents())
}

// Admit refuses a scene that needs more memory than there is, where it is to have
// some bytes more to be shown.
func (f *MemoryFlag) Admit(s *scene.Scene, o scene.Options, more uint64) error {
	return f.AdmitBytes(fmt.Sprintf("%s with %s", s.Name, Plural(s.Agents(), "agent")), s.Memory(o)+more)
}

// AdmitBytes refuses what needs more memory than there is.
func (f *MemoryFlag) AdmitBytes(what string, need uint64) error {
	free := FreeMemory()
	if need > free.Bytes && !f.Force {
		GiveBackMemory()
		free = FreeMemory()
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
