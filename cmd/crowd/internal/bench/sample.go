package bench

import (
	"cmp"
	"math"
	"runtime"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
)

// chooseSteps sets how many steps a sample has, where needed returns how many take
// long enough. All contenders do the same work: the same number of steps, or where
// that is more than a cycle, whole cycles, as many as each needs. What the command
// line says comes first, then what the run had that this one is compared with.
func (b *session) chooseSteps(all []*contender, needed func(*subject) int) {
	enough, most := make([]int, len(all)), 0
	for i, k := range all {
		k.Steps = b.steps
		if b.old != nil && k.Steps == 0 {
			if o := b.old.find(&k.Result); o != nil {
				k.Steps = o.Steps
			}
		}
		if k.Steps == 0 {
			enough[i] = needed(k.subject)
			most = max(most, enough[i])
		}
	}
	for i, k := range all {
		switch {
		case k.Steps > 0:
		case most > k.cycle:
			k.Steps = (enough[i] + k.cycle - 1) / k.cycle * k.cycle
		default:
			k.Steps = most
		}
	}
}

// stepsNeeded returns how many steps take as long as a sample should.
func (b *session) stepsNeeded(s *subject) int {
	const fewest = 3
	for n := 1; ; n *= 4 {
		took, _, err := b.sample(s, n)
		if err != nil {
			return fewest // the samples will fail as well, and say why
		}
		if took >= b.atLeast/5 {
			steps := int(math.Ceil(float64(n) * float64(b.atLeast) / float64(took)))
			return min(max(steps, fewest), run.MaxSteps)
		}
	}
}

// take takes a sample of a contender, and one of the yardstick.
func (b *session) take(k *contender) {
	yard := b.yardstick.measure()
	took, mallocs, err := b.sample(k.subject, k.Steps)
	if err != nil {
		if err != errStopped {
			k.failed = true
			b.note(k, err)
		}
		return
	}
	k.Samples = append(k.Samples, float64(took.Nanoseconds())/float64(k.Steps)/float64(k.Agents))
	k.Yardstick = append(k.Yardstick, yard)
	k.mallocs = append(k.mallocs, float64(mallocs)/float64(k.Steps))
}

// sample does a number of steps, and returns how long they took and how many
// objects they allocated. The state is set back first, and each time that a cycle
// is over; neither that nor the steps to warm up are counted.
func (b *session) sample(s *subject, steps int) (took time.Duration, mallocs uint64, err error) {
	runtime.GC()
	for left := steps; left > 0; {
		n := min(left, s.cycle)
		if err := cmp.Or(s.reset(), b.run(s, b.Warmup)); err != nil {
			return 0, 0, err
		}
		before, start := cli.Mallocs(), time.Now()
		err := b.run(s, n)
		took += time.Since(start)
		mallocs += cli.Mallocs() - before
		if err != nil {
			return 0, 0, err
		}
		left -= n
	}
	return took, mallocs, nil
}

// run does steps.
func (b *session) run(s *subject, steps int) error {
	for range steps {
		if b.stop.Load() {
			return errStopped
		}
		if err := s.step(); err != nil {
			return err
		}
	}
	return nil
}
