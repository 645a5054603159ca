package crowdtest

import (
	"fmt"

	"github.com/8f878440/crowd/internal/column"
)

// state holds that what a behavior does next is told by the components of the world and the
// clock, but for a behavior whose entry names what else it keeps.
func (k *kit) state() string {
	if k.entry == nil {
		return ""
	}
	fault := ""
	for seed := range uint64(seeds) {
		one, copied := k.track(seed).crowd, k.crowd(plain(seed))
		copied.become(one)
		for step := range steps {
			one.step()
			copied.step()
			for i, got := range copied.states() {
				if want := one.states()[i]; got != want && fault == "" {
					fault = fmt.Sprintf("seed %d, %d steps after a copy of the clock and all components: agent %d has %s, want %s; Entry.State is to name what else is kept",
						seed, step+1, i+1, stateText(got), stateText(want))
				}
			}
		}
	}
	switch {
	case fault != "" && k.entry.State == "":
		return fault
	case fault == "" && k.entry.State != "":
		return fmt.Sprintf("the clock and all components tell what it does next, and Entry.State names %q", k.entry.State)
	}
	return ""
}

// become copies the clock and all components from a crowd with the same entities.
func (cr *crowd) become(from *crowd) {
	*cr.Clock = *from.Clock
	for _, r := range from.snapshot().rows {
		for _, value := range r.values {
			column.Set(cr.ECS, r.entity, value.Interface())
		}
	}
}
