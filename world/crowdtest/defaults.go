package crowdtest

import (
	"fmt"

	"github.com/8f878440/crowd/world"
)

// defaults holds that what holds where a scene file leaves keys out is allowed: each value, and
// all together for an agent of one kilogram in steps of usual length.
func (k *kit) defaults() string {
	if k.entry == nil {
		return ""
	}
	component := k.entry.New()
	params := k.entry.Params(component)
	missing := false
	for i := range params {
		p := &params[i]
		if p.Default == nil {
			missing = true
		} else if problem := p.Problem(); problem != "" {
			return fmt.Sprintf("%s %s", p.Key, problem)
		}
	}
	if key, problem := k.entry.Problem(component, params, 1, world.Default().Dt); problem != "" && !missing {
		return fmt.Sprintf("%s %s", key, problem)
	}
	return ""
}
