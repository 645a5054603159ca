// Package bench measures the cost of steps, and compares it with earlier results.
package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
)

const warmup = 5 // untimed steps after each reset

// Run runs the benchmark and writes the results.
func (o *Options) Run(ctx context.Context, e *cli.Console) error {
	b, err := o.plan(ctx, e)
	if err != nil {
		return cli.BadUsage(err)
	}
	defer b.files.Discard()
	b.measure(ctx, e)
	if len(b.Results) == 0 {
		if b.Interrupted {
			return errors.New("interrupted before anything was measured")
		}
		return cli.BadUsage(errors.New(strings.Join(b.Notes, "; ")))
	}
	write, to := b.writeTable, e.Out
	switch {
	case o.JSON:
		write, to = b.writeJSON, e.Machine
	case o.Go == "-":
		write, to = b.writeGo, e.Machine
	}
	// Write every output, even if one of them fails.
	err = cmp.Or(write(to), b.json.Fill(b.writeJSON), b.goLines.Fill(b.writeGo))
	if b.old != nil {
		err = cmp.Or(err, writeComparison(e.Out, o.Compare, b.old, &b.File))
	}
	return err
}

type session struct {
	File
	cases       []benchCase
	workers     []int
	steps       int           // per sample; 0 means as many as take atLeast
	atLeast     time.Duration // minimum duration of a sample
	baselines   bool
	old         *File // to compare with; may be nil
	calibration calibration
	files       output.Files
	json        *output.File // of --out; may be nil
	goLines     *output.File // of --go; may be nil

	stop atomic.Bool // set when the context is done
}

// measure measures all cases at all sizes in b.Repeats rounds, or until ctx is done. Each round takes one
// sample of each crowd, so a crowd's samples reflect variations in the machine's speed over time.
func (b *session) measure(ctx context.Context, e *cli.Console) {
	defer context.AfterFunc(ctx, func() { b.stop.Store(true) })()
	var groups [][]*contender
	for i := range b.cases {
		for _, agents := range b.cases[i].sizes {
			groups = append(groups, b.contenders(&b.cases[i], agents))
		}
	}
	bar := e.Progress("measuring", b.Repeats*len(groups), "sample", true)
	defer bar.Done()
	for round := range b.Repeats {
		for i, group := range groups {
			if ctx.Err() == nil {
				b.round(group)
			}
			bar.Set(round*len(groups) + i + 1)
		}
	}
	for _, group := range groups {
		b.conclude(group)
	}
	b.Interrupted = ctx.Err() != nil
}

// round takes a sample of each contender for a case and a size, with a new crowd. It skips contenders that
// have failed, and reverses the slice.
func (b *session) round(all []*contender) {
	var ready []*contender
	defer func() {
		for _, k := range ready {
			k.close()
			k.subject = nil
		}
	}()
	for _, k := range all {
		if !k.failed && !b.stop.Load() && b.prepare(k) {
			ready = append(ready, k)
		}
	}
	if b.stop.Load() {
		return
	}
	if len(ready) > 0 && ready[0].Steps == 0 {
		b.chooseSteps(ready, b.stepsNeeded)
	}
	for _, k := range ready {
		if !b.stop.Load() {
			b.take(k)
		}
	}
	slices.Reverse(all) // so that no contender always follows the same one
}

func (b *session) conclude(all []*contender) {
	var one []float64 // with one worker
	slices.SortStableFunc(all, func(a, b *contender) int { return a.place - b.place })
	for _, k := range all {
		if k.By == "crowd" && k.Workers == 1 {
			one = k.Samples
		}
	}
	for _, k := range all {
		if len(k.Samples) == 0 {
			continue
		}
		r := k.Result
		r.summarize()
		r.AllocsPerStep = cli.Quantile(k.mallocs, 0.5)
		if k.By == "crowd" && len(one) > 0 {
			ratios := make([]float64, min(len(one), len(k.Samples)))
			for i := range ratios {
				ratios[i] = one[i] / k.Samples[i]
			}
			speedUp := cli.Quantile(ratios, 0.5)
			r.SpeedUp = &speedUp
		}
		b.Results = append(b.Results, r)
	}
}

// chooseSteps sets the steps per sample: --steps, or else those of the results to compare with, or else the
// most that a contender needs, so that all do the same work. If a contender needs more than a cycle, each
// contender runs as many whole cycles as it needs.
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

// stepsNeeded returns the estimated number of steps that take b.atLeast, or the minimum if a sample fails.
func (b *session) stepsNeeded(s *subject) int {
	const fewest = 3
	for n := 1; ; n *= 4 {
		took, _, err := b.sample(s, n)
		if err != nil {
			return fewest // later samples will report the error
		}
		if took >= b.atLeast/5 {
			steps := int(math.Ceil(float64(n) * float64(b.atLeast) / float64(took)))
			return min(max(steps, fewest), run.MaxSteps)
		}
	}
}

// take takes a sample of a contender and of the calibration, or neither if the contender fails.
func (b *session) take(k *contender) {
	calibration := b.calibration.measure()
	took, mallocs, err := b.sample(k.subject, k.Steps)
	if err != nil {
		if err != errStopped {
			k.failed = true
			b.note(k, err)
		}
		return
	}
	k.Samples = append(k.Samples, float64(took.Nanoseconds())/float64(k.Steps)/float64(k.Agents))
	k.Calibration = append(k.Calibration, calibration)
	k.mallocs = append(k.mallocs, float64(mallocs)/float64(k.Steps))
}

// sample returns the duration of a number of steps, and how many objects they allocated. It resets the state
// before each cycle. Resets and warmup steps do not count.
func (b *session) sample(s *subject, steps int) (took time.Duration, mallocs uint64, err error) {
	runtime.GC()
	for left := steps; left > 0; {
		n := min(left, s.cycle)
		if err := s.reset(); err != nil {
			return 0, 0, err
		}
		if err := b.run(s, b.Warmup); err != nil {
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

// plan returns the session for a valid command line. It opens the output files, which the caller must
// discard.
func (o *Options) plan(ctx context.Context, e *cli.Console) (*session, error) {
	b := &session{File: newFile(e), baselines: o.Baselines, atLeast: 50 * time.Millisecond}
	b.Warmup, b.Repeats = warmup, 10
	sizes := []int{1e3, 1e4, 1e5}
	if o.Quick {
		b.Repeats, b.atLeast, sizes = 5, 10*time.Millisecond, sizes[:2]
	}
	if o.Repeats != nil {
		b.Repeats = *o.Repeats
	}
	if o.Steps != nil {
		b.steps = *o.Steps
	}
	switch {
	case o.Steps != nil && (*o.Steps < 1 || *o.Steps > run.MaxSteps):
		return nil, fmt.Errorf("--steps is %d, want 1 to %d", *o.Steps, run.MaxSteps)
	case b.Repeats < 1 || b.Repeats > maxRepeats:
		return nil, fmt.Errorf("--repeats is %d, want 1 to %d", b.Repeats, maxRepeats)
	case o.Out == "-":
		return nil, errors.New("--out is -, want a file; --json writes to standard output")
	case o.JSON && o.Go == "-":
		return nil, errors.New("--json and --go - both write to standard output, want a file for --go, or --out instead of --json")
	case o.Compare != "" && (o.JSON || o.Go == "-"):
		return nil, errors.New("--compare writes to standard output, want a file for --go, or --out instead of --json")
	}
	asked, err := parseSizes(o.Agents)
	if err != nil {
		return nil, err
	}
	if b.workers, err = workerCounts(o.Workers); err != nil {
		return nil, err
	}
	if o.Compare != "" {
		if b.old, err = ReadFile(o.Compare); err != nil {
			return nil, err
		}
	}
	names := o.Names
	if len(names) == 0 {
		names = []string{"plaza"}
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		found, err := findCase(ctx, name, asked, sizes, e)
		if err != nil {
			return nil, err
		}
		crowds := len(b.workers) // in memory at the same time
		if o.Baselines {
			crowds += len(found.others)
		}
		for _, agents := range found.sizes {
			what := fmt.Sprintf("%s with %s, %s at a time,", name, cli.Plural(agents, "agent"), cli.Plural(crowds, "crowd"))
			if err := o.AdmitBytes(what, uint64(crowds)*found.memory(agents)); err != nil {
				return nil, err
			}
		}
		b.cases = append(b.cases, found)
	}
	alone := !slices.ContainsFunc(b.cases, func(c benchCase) bool { return len(c.others) > 0 })
	if err := e.Given.Refuse(cli.IdleFlag{Name: "baselines", Idle: alone, Why: "needs a workload such as W2, but no workload is measured"}); err != nil {
		return nil, err
	}
	for i := range b.cases {
		b.files.Reads(b.cases[i].files...)
	}
	if o.Compare != "" {
		b.files.Reads(o.Compare)
	}
	b.json = b.files.Add("--out", o.Out)
	if o.Go != "-" { // not standard output
		b.goLines = b.files.Add("--go", o.Go)
	}
	return b, b.files.Open()
}

// maxRepeats bounds the duration of the significance test.
const maxRepeats = 1000

type contender struct {
	Result
	*subject // set during a round
	open     func() (*subject, error)
	place    int       // among the contenders for the case and size
	mallocs  []float64 // allocated objects per step
	failed   bool
}

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

// prepare opens the subject of a contender and, the first time, measures its memory. After an error, prepare
// notes the error and returns false.
func (b *session) prepare(k *contender) bool {
	before := cli.MemoryInUse()
	sub, err := k.open()
	if err == nil {
		if err = sub.reset(); err == nil {
			k.Input = sub.input()
			_, _, err = b.sample(sub, 1) // lets buffers grow
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
	k.subject = sub
	if k.BytesPerAgent == 0 {
		k.BytesPerAgent = max(0, float64(cli.MemoryInUse())-float64(before)) / float64(k.Agents)
	}
	return true
}

func (b *session) note(k *contender, err error) {
	if err != errStopped {
		b.Notes = append(b.Notes, fmt.Sprintf("not measured: %s: %v", k.Label(), err))
	}
}
