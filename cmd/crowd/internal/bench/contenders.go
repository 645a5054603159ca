package bench

import (
	"fmt"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// contender is one who does a case at a size, and what came out.
type contender struct {
	Result
	*subject // while a round lasts
	open     func() (*subject, error)
	place    int       // among those who do the same
	mallocs  []float64 // a step, by sample
	failed   bool
}

// contenders returns all who do a case.
func (b *session) contenders(c *benchCase, agents int) []*contender {
	var all []*contender
	enter := func(by string, workers int) {
		all = append(all, &contender{
			place:  len(all),
			Result: Result{Name: c.name, By: by, Agents: agents, Workers: workers},
			open:   func() (*subject, error) { return c.open(by, agents, workers) },
		})
	}
	for _, workers := range b.workers {
		enter("crowd", workers)
	}
	if b.baselines {
		for _, by := range c.others {
			enter(by, 1)
		}
	}
	return all
}

// prepare opens the subject of a contender, and notes why if it can't.
func (b *session) prepare(k *contender) bool {
	before := cli.MemoryInUse()
	sub, err := k.open()
	if err == nil {
		if err = sub.reset(); err == nil {
			_, _, err = b.sample(sub, 1) // buffers grow to their size
		}
		if err != nil {
			sub.close()
		}
	}
	if err != nil {
		k.failed = true
		b.note(k, err)
		return false
	}
	k.subject, k.Input = sub, sub.input()
	if k.BytesPerAgent == 0 {
		k.BytesPerAgent = max(0, float64(cli.MemoryInUse())-float64(before)) / float64(k.Agents)
	}
	return true
}

// note notes why somebody was not measured.
func (b *session) note(k *contender, err error) {
	if err != errStopped {
		b.Notes = append(b.Notes, fmt.Sprintf("not measured: %s: %v", k.Label(), err))
	}
}
