package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/memory"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
	"github.com/8f878440/crowd/cmd/crowd/internal/version"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// runCmd runs one crowd.
type runCmd struct {
	sceneFlags
	gaugeFlags

	Steps *int `placeholder:"N" help:"Number of steps (default: the scene's)."`

	Safety    bool      `help:"Measure how agents meet one another, beside the steps."`
	JSON      bool      `name:"json" help:"Print the report as JSON, and nothing else."`
	Picture   string    `placeholder:"FILE.png" help:"Draw the end of the run (default: SCENE.png; none with --json)."`
	NoPicture bool      `help:"Draw nothing."`
	View      []float64 `placeholder:"X0,Y0,X1,Y1" help:"Draw only this part, in meters (default: the whole scene)."`

	Trajectories string `placeholder:"FILE" help:"Write who was where, as the name ends: .csv, .csv.gz, .parquet, or .txt for PedPy."`
	Every        int    `placeholder:"N" default:"1" help:"Write the trajectories of every n-th step."`

	Perf bool `help:"Report where the time went: systems, workers, threats, the index of obstacles."`

	Pprof         string `name:"pprof" placeholder:"HOST:PORT" help:"Serve profiles to go tool pprof while running, at a loopback address such as 127.0.0.1:6060."`
	PprofAnywhere bool   `name:"pprof-anywhere" help:"Let --pprof listen at an address that other machines reach."`

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
    crowd run AGENTS.xml.gz --obstacles ROOM.xml
    crowd run plaza --trajectories plaza.parquet --every 10
    crowd run plaza --perf                   where the time goes
    crowd run plaza --steps 100000 --pprof 127.0.0.1:6060`
}

func (c *runCmd) Run(ctx context.Context, e *console.Console) error {
	s, err := c.load(ctx, e)
	if err != nil {
		return usage.Bad(err)
	}
	files, err := c.begin(s)
	if err != nil {
		return usage.Bad(err) // now, and not when all is done
	}
	defer files.Discard()
	before := memory.InUse()
	options := scene.Options{Workers: c.Workers, Measure: true, Safety: c.Safety, Profile: true}
	if err := c.Admit(s, options, memory.OfPicture(s, c.Picture != "")); err != nil {
		return usage.Bad(err)
	}
	w, r, err := prepare(ctx, s, options, e)
	if err != nil {
		return usage.Bad(err)
	}
	defer w.Close()
	if s.Name != c.Scene {
		r.File = c.Scene
	}
	var ways *trails
	if c.Picture != "" {
		ways = newTrails(w, r.Agents)
	}
	if err := c.steps(ctx, e, s, w, r, ways, files); err != nil {
		return err
	}
	if c.Perf {
		r.Perf = perfOf(w)
	}
	r.BytesPerAgent = max(0, float64(memory.InUse())-float64(before)) / float64(r.Agents)
	write, to := r.writeTable, e.Out
	if c.JSON {
		write, to = r.writeJSON, e.Machine
	}
	// What one of them can't take is no reason to lose the others.
	if err := cmp.Or(write(to), files.steps(), files.heap(), c.draw(files.picture, s, w, r, ways)); err != nil {
		return err
	}
	if c.Picture != "" && !c.JSON {
		_, err = terminal.Fprintf(e.Out, "picture in %s\n", c.Picture)
	}
	return err
}

// load returns the scene, with the changes that the command line asks for.
func (c *runCmd) load(ctx context.Context, e *console.Console) (*scene.Scene, error) {
	s, err := c.open(ctx, e)
	if err != nil {
		return nil, err
	}
	if c.Steps != nil {
		if *c.Steps < 1 || *c.Steps > maxSteps {
			return nil, fmt.Errorf("--steps is %d, want 1 to %d", *c.Steps, maxSteps)
		}
		s.Steps = *c.Steps
	}
	if err := c.gaugeFlags.add(s); err != nil {
		return nil, err
	}
	if err := c.checkView(); err != nil {
		return nil, err
	}
	if c.Every < 1 {
		return nil, fmt.Errorf("--every is %d, want 1 or more", c.Every)
	}
	if err := c.checkPprof(); err != nil {
		return nil, err
	}
	if c.Picture == "" && !c.JSON {
		c.Picture = pictureName(s)
	}
	if c.NoPicture {
		c.Picture = ""
	}
	return s, e.Given.Refuse(
		usage.IdleFlag{Name: "picture", Idle: c.NoPicture, Why: "and --no-picture contradict one another, want one of them"},
		usage.IdleFlag{Name: "view", Idle: c.Picture == "", Why: "is for the picture, and none is drawn"},
		usage.IdleFlag{Name: "every", Idle: c.Trajectories == "", Why: "is for --trajectories, which is missing"},
	)
}

// maxSteps is 19 days of simulated time at 60 steps a second: more is a slip.
const maxSteps = 100_000_000

// prepare builds the world of a scene and begins its report.
func prepare(ctx context.Context, s *scene.Scene, o scene.Options, e *console.Console) (*world.World, *report, error) {
	start := time.Now()
	w, err := build(ctx, s, o)
	if err != nil {
		return nil, nil, err
	}
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return w, &report{
		Scene: s.Name, Model: string(s.Model), ModelParameters: s.Model.Parameters(s.Dt), Agents: s.Agents(), Seed: s.Seed, Dt: s.Dt, Workers: workers,
		Notes: s.Notes, Version: version.String(), Command: strings.Join(append([]string{"crowd"}, e.Args...), " "),
		SetupSeconds: time.Since(start).Seconds(), conditions: conditionsOf(s, w),
	}, nil
}

// steps simulates, and beside it records, profiles and shows progress as the
// command line asks for.
func (c *runCmd) steps(ctx context.Context, e *console.Console, s *scene.Scene, w *world.World, r *report, ways *trails, files *runFiles) (err error) {
	record := func(int) error { return nil }
	if files.trajectories != nil {
		t := newTrajectories(files.trajectories, c.format(), c.Every, w)
		defer func() { err = cmp.Or(err, files.trajectories.Fail(t.Close())) }()
		record = func(step int) error { return files.trajectories.Fail(t.Record(step)) }
	}
	stop, err := c.profile(e, w, files)
	if err != nil {
		return err
	}
	defer stop()
	bar := e.Progress(fmt.Sprintf("%s, %s agents", s.Name, numbers.Thousands(s.Agents())), s.Steps, "step", c.JSON)
	defer bar.Done()
	if err := record(0); err != nil {
		return err
	}
	return simulate(ctx, s, w, r, func(step int) error {
		bar.Set(step)
		ways.note()
		return record(step)
	})
}

// fill takes figures from a world that has run.
func (r *report) fill(s *scene.Scene, w *world.World, times *stepTimes) {
	r.Steps = times.steps()
	if n, total := float64(r.Steps), float64(times.total); n > 0 {
		r.StepP50Ns, r.StepP99Ns = times.quantile(50), times.quantile(99)
		r.NsPerAgentStep = total / n / float64(r.Agents)
		r.StepsPerSecond = n / (total / 1e9)
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
	r.ObstacleCollisions, r.CentersInside = st.ObstacleCollisions.Collisions, st.ObstacleCollisions.CentersInside
	r.MaxPenetration = st.ObstacleCollisions.MaxPenetration
	r.measured(&st)
	if slices.ContainsFunc(s.Groups, func(g scene.Group) bool { return g.Goal != nil && g.Goal.Then == scene.Repeat }) {
		r.PathRatio, r.TimeRatio, r.EnergyOptimum = nil, nil, nil // a round ends where it began
	}
	r.Neighbors = quotient(float64(st.Neighbors), float64(st.Looks))
	r.gauges(s, &st)
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
