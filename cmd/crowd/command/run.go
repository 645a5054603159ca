package command

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"
	"unicode"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/render"
	"github.com/8f878440/crowd/cmd/crowd/internal/replay"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/cmd/crowd/internal/trajectories"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// runCmd runs one crowd, or many, each for itself.
type runCmd struct {
	Scenes []string `arg:"" optional:"" name:"scene" help:"${scenehelp} Several of them, or a folder of files, are compared."`

	outcomeFlags

	Verbose bool      `group:"Output:" short:"v" help:"Report all that was measured, and where the time went: systems, workers, threats, the index of obstacles."`
	JSON    bool      `group:"Output:" name:"json" xor:"format" help:"Print the report as JSON, and nothing else; of several scenes an array of reports."`
	CSV     bool      `group:"Output:" name:"csv" xor:"format" help:"Print a line for each scene as CSV, and nothing else."`
	Picture string    `group:"Output:" placeholder:"FILE.png" help:"Draw the crowd at the end, or where all leave when the first tenth is out (default: SCENE.png, but none with --json); none draws nothing."`
	Crop    []float64 `group:"Output:" placeholder:"X0,Y0,X1,Y1" help:"Draw only this part, in meters (default: the whole scene)."`

	savedFlags `group:"Saves:"`

	Record replay.Flag `embed:"" group:"Saves:"`

	Timeout time.Duration `group:"Several scenes:" default:"10m" help:"Longest that reading, building and running each of several scenes may take, in real time; 0 for any time."`

	cli.Profiles `group:"Profiles:"`
}

// outcomeFlags decide about the result of a run, whatever it is shown as. A saved run has them.
type outcomeFlags struct {
	Scene         string `kong:"-"`
	sceneFlags    `group:"Scene:"`
	report.Places `group:"Measurements:"`

	Steps  *int `group:"Scene:" placeholder:"N" help:"Number of steps (default: the scene's)."`
	Safety bool `group:"Measurements:" negatable:"" help:"Measure how agents meet one another, beside the steps (default: of several scenes, and with up to 10,000 agents, but not for --json)."`

	Trajectories string `group:"Output:" placeholder:"FILE" help:"Write all positions, in the format of the ending: .csv, .csv.gz, .parquet, .txt for PedPy, or .sql for a database of JuPedSim and PedPy, with the walkable area."`
	Every        int    `group:"Output:" placeholder:"N" default:"1" help:"Write the trajectories of every n-th step."`
}

func (runCmd) Help() string {
	return `Examples:

    crowd                                    1,000 people leave a building
    crowd run plaza --agents 1000000 --steps 100
    crowd run tank-path --picture tank.png
    crowd run plaza --crop 200,200,260,240   draw a part of it, with bodies
    crowd run bottleneck --model social-force-2000
    crowd run arrival --set slowing-radius=250 --json
    crowd run AGENTS.xml.gz --obstacles ROOM.xml
    crowd run RECORDING.txt --recording frame-rate=25,unit=m
    crowd run plaza --trajectories plaza.parquet --every 10
    crowd run evacuation --trajectories evacuation.sql
    crowd run plaza --steps 100000 --save plaza.save --save-every 60s
    crowd run --resume plaza.save            go on with it
    crowd run plaza --record plaza.replay    for crowd replay
    crowd run plaza -v                       all figures, and what took the time
    crowd run plaza --steps 100000 --profile http=127.0.0.1:6060
    crowd run plaza evacuation               a row for each
    crowd run seek flee arrival --csv --workers 1
    crowd run SCENARIOS --model collision-free-speed
    crowd run SCENARIOS --json --timeout 1m

Several scenes, a folder, --csv or --timeout: each runs with one worker, and has a row, sorted
by path. Files in folders are those with names that end with .xml, .toml or .wkt, or with
.gz after these; maps of movingai.com are taken only where they are named. A file that
cannot be read or run has a row that says why; the exit code is 1 if one of them failed in
its run, took longer than --timeout, or crashed.`
}

func (c *runCmd) Run(ctx context.Context, e *cli.Console) error {
	if c.Scene = cli.DefaultScene; len(c.Scenes) > 0 {
		c.Scene = c.Scenes[0]
	}
	if c.many(e) {
		return c.batch(ctx, e)
	}
	from, err := c.resumed(e)
	if err != nil {
		return cli.BadUsage(err)
	}
	defer from.Close()
	s, err := c.load(ctx, e)
	if err != nil {
		return cli.BadUsage(err)
	}
	files, err := c.begin(s)
	if err != nil {
		return cli.BadUsage(err) // now, and not when all is done
	}
	defer files.Discard()
	before := cli.MemoryInUse()
	if from == nil && !c.JSON && !e.Given["safety"] && s.Agents() <= safetyAgents {
		c.Safety = true
	}
	options := scene.Options{Workers: c.Workers, Measure: true, Safety: c.Safety, Profile: true}
	room := uint64(0)
	if c.Picture != "" {
		room = render.SnapshotBytes(s)
	}
	if err := c.Admit(s, options, room); err != nil {
		return cli.BadUsage(err)
	}
	w, r, err := prepare(ctx, s, options, e.Args, from)
	if err != nil {
		return cli.BadUsage(err)
	}
	defer w.Close()
	if s.Name != c.Scene {
		r.File = c.Scene
	}
	var shot *render.Snapshot
	if c.Picture != "" {
		if shot, err = render.NewSnapshot(s, w, c.Crop); err != nil {
			return cli.BadUsage(err)
		}
	}
	if err := c.steps(ctx, e, s, w, r, shot, files, from); err != nil {
		return err
	}
	if c.Verbose {
		r.Perf = r.PerfOf(w)
	}
	r.BytesPerAgent = max(0, float64(cli.MemoryInUse())-float64(before)) / float64(r.Agents)
	if !r.Interrupted {
		r.Stuck(report.Reach(ctx, s, w))
	}
	// What one of them can't take is no reason to lose the others.
	err = cmp.Or(c.report(e, s, r, shot), files.steps(), files.heap(), shot.Write(files.picture, r.Steps))
	if err != nil || r.Interrupted {
		return err
	}
	return files.removePart()
}

// report writes the report as the command line asks for it.
func (c *runCmd) report(e *cli.Console, s *scene.Scene, r *report.Report, shot *render.Snapshot) error {
	if c.JSON {
		return r.WriteJSON(e.Machine)
	}
	var next report.Next
	if c.Picture != "" {
		next.Picture = fmt.Sprintf("%s, %s", c.Picture, shot.When())
	}
	if c.Verbose {
		if err := r.WriteTable(e.Out); err != nil || next.Picture == "" {
			return err
		}
		_, err := cli.Fprintf(e.Out, "picture in %s\n", next.Picture)
		return err
	}
	next.Try = c.next(s, r)
	return r.WriteSummary(e.Out, next)
}

// steps simulates, and beside it records, profiles, saves and shows progress as the
// command line asks for.
func (c *runCmd) steps(ctx context.Context, e *cli.Console, s *scene.Scene, w *world.World, r *report.Report, shot *render.Snapshot, files *runFiles, from *run.SavedFile) (err error) {
	state, id := run.Begin(w), rand.Uint64()
	if from != nil {
		state, id = &from.State, from.ID
	}
	t, err := c.track(id, s, w, r, files, from)
	if err != nil {
		return cli.BadUsage(err)
	}
	defer func() { err = cmp.Or(err, t.end(err == nil && !r.Interrupted)) }()
	saving, err := c.saving(id, s, files)
	if err != nil {
		return cli.BadUsage(err)
	}
	rec, err := replay.BeginRecording(files.record, s, w, r.Command)
	if err != nil {
		return cli.BadUsage(err)
	}
	defer func() { err = cmp.Or(err, rec.Close()) }()
	stop, err := c.Profiles.Start(e, w, files.cpuProfile, files.trace)
	if err != nil {
		return err
	}
	defer stop()
	bar := e.Progress(fmt.Sprintf("%s, %s agents", s.Name, cli.Thousands(s.Agents())), s.Steps, "step", c.JSON)
	defer bar.Done()
	bar.GoOn(state.Steps)
	if from == nil {
		if err := saving.Save(w, r, state, false); err != nil {
			return cli.BadUsage(err) // now, and not when much is done
		}
	}
	if state.Steps == 0 { // when it is saved, so that no rows are there that no run goes on with
		if err := t.record(0); err != nil {
			return err
		}
	}
	err = run.GoOn(ctx, s, w, r, state, c.Steps != nil, func(step int) error {
		bar.Set(step)
		shot.Step(step)
		if err := cmp.Or(t.record(step), rec.Stepped()); err != nil {
			return err
		}
		return saving.Step(w, r, state)
	})
	if err != nil || saving == nil {
		return err
	}
	return c.saveEnd(e, w, r, state, saving)
}

// safetyAgents is the number of agents up to which a run measures by itself how they meet.
const safetyAgents = 10_000

// next returns what to try after a run of a scene: to watch it, to draw it in motion, and
// to see all that was measured. With the name of a built-in scene a line has 80 columns.
func (c *runCmd) next(s *scene.Scene, r *report.Report) []report.Command {
	if r.Interrupted && c.Save != "" {
		return []report.Command{{Line: commandName() + " run --resume " + quoted(c.Save), For: "go on"}}
	}
	name := quoted(c.Scene)
	if c.Obstacles != "" {
		name += " --obstacles " + quoted(c.Obstacles)
	}
	if c.Model != "" {
		name += " --model " + string(c.Model)
	}
	name += c.Recording.Words()
	self := commandName()
	return []report.Command{
		{Line: self + " view " + name, For: "watch it"},
		{Line: self + " render " + name + " -o " + quoted(strings.TrimSuffix(render.PictureName(s), ".png")+".gif"), For: "as a GIF"},
		{Line: self + " run " + name + " -v", For: "all figures"},
	}
}

// quoted returns a name as a shell takes it.
func quoted(name string) string {
	if name != "" && strings.IndexFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_./:@%+,-", r)
	}) < 0 {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// commandName is how the command was begun.
func commandName() string {
	if path, err := os.Executable(); err == nil && strings.Contains(path, "go-build") {
		return "go run ./cmd/crowd"
	}
	return "crowd"
}

// load returns the scene, with the changes that the command line asks for.
func (c *runCmd) load(ctx context.Context, e *cli.Console) (*scene.Scene, error) {
	s, err := c.open(ctx, c.Scene, e)
	if err != nil {
		return nil, err
	}
	if c.Steps != nil {
		if *c.Steps < 1 || *c.Steps > run.MaxSteps {
			return nil, fmt.Errorf("--steps is %d, want 1 to %d", *c.Steps, run.MaxSteps)
		}
		s.Steps = *c.Steps
	}
	if err := c.Places.AddTo(s); err != nil {
		return nil, err
	}
	if err := render.CheckCrop(c.Crop); err != nil {
		return nil, err
	}
	if c.Every < 1 {
		return nil, fmt.Errorf("--every is %d, want 1 or more", c.Every)
	}
	if err := c.Profiles.Check(); err != nil {
		return nil, err
	}
	if c.Picture == "" && !c.JSON {
		c.Picture = render.PictureName(s)
	}
	if c.Picture == "none" {
		c.Picture = ""
	}
	return s, e.Given.Refuse(
		cli.IdleFlag{Name: "crop", Idle: c.Picture == "", Why: "is for the picture, and none is drawn"},
		cli.IdleFlag{Name: "save-every", Idle: c.Save == "", Why: "is for --save, which is missing"},
		cli.IdleFlag{Name: "every", Idle: c.Trajectories == "", Why: "is for --trajectories, which is missing"},
	)
}

// runFiles are the files that a run writes; those that are not asked for are nil.
type runFiles struct {
	output.Files
	picture, trajectories, cpuProfile, memProfile, trace, save, record *output.File

	format   trajectories.Format // of the trajectories
	partName string              // of the file of what was recorded so far of a run that is saved; empty: it is not
	part     *trajectories.Part
}

// begin begins the files that the command line asks for. The error says which of
// them can't be written.
func (c *runCmd) begin(s *scene.Scene) (*runFiles, error) {
	if c.Picture != "" && strings.ToLower(filepath.Ext(c.Picture)) != ".png" {
		return nil, fmt.Errorf("--picture is %s, want a name that ends with .png (crowd render draws others)", c.Picture)
	}
	f := &runFiles{}
	trajectory := f.Add
	if c.Trajectories != "" {
		var err error
		if f.format, err = trajectories.FormatOf(c.Trajectories); err != nil {
			return nil, fmt.Errorf("--trajectories is %w", err)
		}
		if c.Save != "" {
			trajectory = f.AddRegular
			f.partName = c.Trajectories + ".part"
		}
	}
	f.Reads(s.Files...)
	f.picture = f.Add("--picture", c.Picture)
	f.trajectories = trajectory("--trajectories", c.Trajectories)
	f.cpuProfile = f.Add("--profile cpu", c.CPUProfile)
	f.memProfile = f.Add("--profile heap", c.MemProfile)
	f.trace = f.Add("--profile trace", c.Trace)
	f.record = f.AddGrowing("--record", c.Record.Record)
	f.save = f.AddRegular("--save", c.Save)
	part := f.AddRegular("the part of --trajectories", f.partName)
	if err := f.Open(); err != nil {
		return nil, err
	}
	if f.save.PutOff(); c.Save != "" {
		f.trajectories.PutOff()
	}
	part.PutOff() // it has a writer of its own
	return f, nil
}

// join writes the trajectories from their part.
func (f *runFiles) join(of trajectories.Source) error {
	if err := f.trajectories.Begin(); err != nil {
		return err
	}
	to := f.format.Begin(f.trajectories, of)
	return f.trajectories.Fail(cmp.Or(f.part.Join(to), to.Close()))
}

// removePart removes the file of what was recorded, when all is in its place.
func (f *runFiles) removePart() error {
	if f.part == nil {
		return nil
	}
	return f.part.Remove()
}

// Discard removes what was not committed, and leaves the part for a process that goes on with the run.
func (f *runFiles) Discard() {
	f.Files.Discard()
	if f.part != nil {
		_ = f.part.Close()
	}
}

// steps completes what was written beside the steps.
func (f *runFiles) steps() error {
	return cmp.Or(f.trajectories.Commit(), f.cpuProfile.Commit(), f.trace.Commit())
}

// heap writes the heap profile.
func (f *runFiles) heap() error {
	if f.memProfile == nil {
		return nil
	}
	runtime.GC()
	return f.memProfile.Fill(pprof.WriteHeapProfile)
}
