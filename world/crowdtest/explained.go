package crowdtest

import (
	"fmt"

	"github.com/8f878440/crowd/world"
)

// explained holds that Explain foretells each step, to the last bit.
func (k *kit) explained() string {
	if k.entry == nil {
		return ""
	}
	crowd := k.crowd(plain(3))
	for step := range 6 {
		var want []world.State
		for _, agent := range crowd.agents {
			x, err := crowd.Explain(agent)
			k.must(err)
			want = append(want, x.After)
		}
		crowd.step()
		for i, got := range crowd.states() {
			if got != want[i] {
				return fmt.Sprintf("after step %d: agent %d has %s; World.Explain foretold %s", step+1, i+1, stateText(got), stateText(want[i]))
			}
		}
	}
	return ""
}
