package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"
	"time"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// runCmd runs one crowd.
type runCmd struct {
	Scene string `arg:"" optional:"" default:"${scene}" help:"Name of a built-in scene (crowd scenes lists them), or a file."`

	Agents    *int               `placeholder:"N" help:"Number of agents, in the same area (default: the scene's)."`
	Steps     *int               `placeholder:"N" help:"Number of steps (default: the scene's)."`
	Workers   int                `placeholder:"N" help:"Goroutines that share a step (default: one for each processor)."`
	Seed      *uint64            `placeholder:"N" help:"Seed of all random draws (default: the scene's)."`
	Dt        *float64           `placeholder:"SECONDS" help:"Length of a step (default: the scene's)."`
	Set       map[string]float64 `placeholder:"KEY=VALUE" help:"Change a number of the scene, such as look-ahead=5. May be repeated."`
	Obstacles string             `placeholder:"FILE" help:"Obstacles to go with a file of agents."`
	Lenient   bool               `help:"Skip unknown elements of a file with a warning."`

	JSON      bool      `name:"json" help:"Print the report as JSON, and nothing else."`
	Picture   string    `placeholder:"FILE.png" help:"Draw the end of the run (default: SCENE.png; none with --json)."`
	NoPicture bool      `help:"Draw nothing."`
	View      []float64 `placeholder:"X0,Y0,X1,Y1" help:"Draw only this part, in metres (default: the whole scene)."`

	CPUProfile string `name:"cpuprofile" placeholder:"FILE" help:"Write a CPU profile of the steps."`
	MemProfile string `name:"memprofile" placeholder:"FILE" help:"Write a heap profile after the run."`
	Trace      string `placeholder:"FILE" help:"Write an execution trace of the steps."`
}

func (runCmd) Help() string {
	return `Examples:

    crowd                                    50,000 people cross a square
    crowd run plaza --agents 1000000 --steps 100
    crowd run tank-path --picture tank.png
    crowd run plaza --view 200,200,260,240   draw a part of the square, with bodies
    crowd run arrival --set slowing-radius=250 --json
    crowd run agents.xml.gz --obstacles room.xml`
}

func (c *runCmd) Run(ctx context.Context, e *env) error {
	s, err := c.load(e)
	if err != nil {
		return badInput{err}
	}
	before := heap()
	start := time.Now()
	w, err := s.Build(scene.Options{Workers: c.Workers, Measure: true, Profile: true})
	if err != nil {
		return badInput{err}
	}
	defer w.Close()
	r := &report{
		Scene: s.Name, Agents: s.Agents(), Seed: s.Seed, Dt: s.Dt, Workers: c.workers(),
		Notes: s.Notes, Version: version(), Command: strings.Join(append([]string{"crowd"}, e.args...), " "),
	}
	if s.Name != c.Scene {
		r.File = c.Scene
	}
	r.SetupSeconds = time.Since(start).Seconds()
	if err := c.steps(ctx, e, s, w, r, before); err != nil {
		return err
	}
	if err := c.draw(s, w, r); err != nil {
		return err
	}
	if c.JSON {
		return r.writeJSON(e.out)
	}
	if err := r.writeTable(e.out); err != nil {
		return err
	}
	if c.Picture != "" {
		fmt.Fprintf(e.out, "picture in %s\n", c.Picture)
	}
	return nil
}

// load returns the scene, with the changes that the command line asks for.
func (c *runCmd) load(e *env) (*scene.Scene, error) {
	s, err := scene.Open(c.Scene, scene.OpenOptions{Obstacles: c.Obstacles, Lenient: c.Lenient})
	if err != nil {
		return nil, err
	}
	for _, warning := range s.Warnings {
		e.log.Warn(warning)
	}
	if c.Agents != nil {
		if *c.Agents < 1 || *c.Agents > world.MaxAgents {
			return nil, fmt.Errorf("--agents is %d, want 1 to %d", *c.Agents, world.MaxAgents)
		}
		s.Resize(*c.Agents)
	}
	if c.Steps != nil {
		if *c.Steps < 1 || *c.Steps > maxSteps {
			return nil, fmt.Errorf("--steps is %d, want 1 to %d", *c.Steps, maxSteps)
		}
		s.Steps = *c.Steps
	}
	if c.Seed != nil {
		s.Seed = *c.Seed
	}
	if c.Dt != nil {
		s.Dt = *c.Dt
	}
	for _, key := range sortedKeys(c.Set) {
		if err := s.Set(key, c.Set[key]); err != nil {
			return nil, fmt.Errorf("--set %w", err)
		}
	}
	if err := c.checkView(); err != nil {
		return nil, err
	}
	if c.Picture == "" && !c.JSON {
		c.Picture = s.Name + ".png"
	}
	if c.NoPicture {
		c.Picture = ""
	}
	return s, nil
}

func (c *runCmd) workers() int {
	if c.Workers > 0 {
		return c.Workers
	}
	return runtime.GOMAXPROCS(0)
}

func sortedKeys(m map[string]float64) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// maxSteps bounds the memory for the times of the steps.
const maxSteps = 100_000_000

// steps runs the scene and fills in the report.
func (c *runCmd) steps(ctx context.Context, e *env, s *scene.Scene, w *world.World, r *report, before uint64) error {
	stop, err := c.profile()
	if err != nil {
		return err
	}
	defer stop()
	times := make([]int64, 0, min(s.Steps, 1<<20))
	bar := newProgress(e, s, c.JSON)
	// Allocations are counted over some steps in which the command itself does
	// nothing else, after some in which buffers grow to their size.
	warm := min(20, s.Steps/4)
	counted := min(50, s.Steps-warm)
	var mallocs, m0 uint64
	for i := range s.Steps {
		if ctx.Err() != nil {
			r.Interrupted = true
			break
		}
		if i == warm {
			m0 = objects()
		}
		if err := w.Step(); err != nil {
			return err
		}
		times = append(times, w.StepTime().Nanoseconds())
		if i == warm+counted-1 {
			mallocs = objects() - m0
		}
		if i < warm || i >= warm+counted {
			bar.set(i + 1)
		}
	}
	bar.done()
	stop()
	r.AllocsPerStep = float64(mallocs) / float64(counted)
	r.BytesPerAgent = max(0, float64(heap())-float64(before)) / float64(r.Agents)
	r.fill(w, times)
	return c.heapProfile()
}

// fill takes figures from a world that has run.
func (r *report) fill(w *world.World, times []int64) {
	r.Steps = len(times)
	total := int64(0)
	for _, t := range times {
		total += t
	}
	slices.Sort(times)
	if n := len(times); n > 0 {
		r.StepP50Ns, r.StepP99Ns = times[n/2], times[n*99/100]
		r.NsPerAgentStep = float64(total) / float64(n) / float64(r.Agents)
		r.StepsPerSecond = float64(n) / (float64(total) / 1e9)
		r.RealTimeFactor = r.StepsPerSecond * r.Dt
	}
	st := w.Stats()
	r.SkippedRowSteps = st.Skipped
	if st.Looked > 0 {
		share := float64(st.Threats) / float64(st.Looked)
		r.UnderThreat = &share
	}
	r.Arrived, r.ArrivedAgents, r.TimedOut = st.Arrived, st.ArrivedOnce, st.Goals-st.ArrivedOnce
	if st.Arrived > 0 {
		r.MeanArrivalTime = &st.MeanArrivalTime
	}
	r.ObstacleCollisions, r.CentresInside = st.Contacts.Collisions, st.Contacts.CentresInside
	r.MaxPenetration = st.Contacts.MaxPenetration
	r.Systems = shares(st.Frame, r.Agents)
	r.Hash = fmt.Sprintf("%016x", w.Hash())
}

// shares returns what the systems cost that did anything, the dearest first.
func shares(st systems.Stats, agents int) []systemReport {
	all, total := []systemReport{}, 0.
	for i := range st.Systems {
		s := &st.Systems[i]
		ns := s.PerRow() * float64(s.Rows) / float64(st.Steps) / float64(agents)
		ns += float64(s.Alone.Nanoseconds()) / float64(st.Steps) / float64(agents)
		if ns > 0 {
			all = append(all, systemReport{Name: s.Name, NsPerAgent: ns})
			total += ns
		}
	}
	for i := range all {
		all[i].Share = all[i].NsPerAgent / total
	}
	slices.SortFunc(all, func(a, b systemReport) int {
		if a.Share > b.Share {
			return -1
		}
		return 1
	})
	return all
}

// profile starts what is to be recorded of the steps. Calling stop twice is
// harmless.
func (c *runCmd) profile() (stop func(), err error) {
	var stops []func()
	stop = func() {
		for _, f := range stops {
			f()
		}
		stops = nil
	}
	if c.CPUProfile != "" {
		f, err := os.Create(c.CPUProfile)
		if err != nil {
			return stop, badInput{err}
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return stop, err
		}
		stops = append(stops, func() { pprof.StopCPUProfile(); f.Close() })
	}
	if c.Trace != "" {
		f, err := os.Create(c.Trace)
		if err != nil {
			stop()
			return stop, badInput{err}
		}
		if err := trace.Start(f); err != nil {
			stop()
			return stop, err
		}
		stops = append(stops, func() { trace.Stop(); f.Close() })
	}
	return stop, nil
}

func (c *runCmd) heapProfile() error {
	if c.MemProfile == "" {
		return nil
	}
	f, err := os.Create(c.MemProfile)
	if err != nil {
		return badInput{err}
	}
	defer f.Close()
	runtime.GC()
	return pprof.WriteHeapProfile(f)
}

// heap returns the bytes in use on the heap.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// objects returns how many objects were ever allocated.
func objects() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}
