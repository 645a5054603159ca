package benchmarks

import "time"

// startTakes returns how long it roughly takes to make the crowd of an entry, and its
// first step.
func (e *entry) startTakes() time.Duration {
	const agent, archetype = 1200 * time.Nanosecond, 400 * time.Microsecond
	takes := time.Duration(e.agents) * agent
	if w, err := ByName(e.workload); err == nil && w.Archetypes > 1 {
		takes += time.Duration(w.Archetypes) * archetype
	}
	return takes
}

// takes returns how long the contest roughly takes.
func (c *contest) takes() time.Duration {
	all := c.lasts
	for _, e := range c.entries {
		all += e.startTakes()
	}
	return all
}
