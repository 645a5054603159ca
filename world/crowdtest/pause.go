package crowdtest

import "fmt"

// pause verifies that steps of length 0 change nothing, neither at once nor in the steps after.
func (k *kit) pause() string {
	one, other := k.crowd(plain(1)), k.crowd(plain(1))
	for step := range steps {
		before, dt := other.snapshot(), other.Clock.Dt
		other.Clock.Dt = 0
		other.step()
		if fault := other.snapshot().difference(before, nil); fault != "" {
			return fmt.Sprintf("a step of length 0 after %d steps changes the state: %s", step, fault)
		}
		other.Clock.Dt = dt
		other.step()
		one.step()
		if fault := other.snapshot().difference(one.snapshot(), nil); fault != "" {
			return fmt.Sprintf("with steps of length 0 between, after step %d: %s", step+1, fault)
		}
	}
	return ""
}
