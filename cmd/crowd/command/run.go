package command

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
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

type runCmd struct {
	Scenes []string `arg:"" optional:"" name:"scene" help:"${scenehelp} Several scenes, or a folder of them, are compared."`

	outcomeFlags

	Verbose bool      `group:"Output:" short:"v" help:"Report all measurements and where the time went: systems, workers, threats, the obstacle index."`
	JSON    bool      `group:"Output:" name:"json" xor:"format" help:"Print only the report, as JSON; for several scenes, an array of reports."`
	CSV     bool      `group:"Output:" name:"csv" xor:"format" help:"Print only CSV, one line per scene."`
	Picture string    `group:"Output:" placeholder:"FILE.png" help:"Draw the crowd at the end or, if all agents leave, when the first tenth of them have left (default: SCENE.png, or no picture with --json); none means no picture."`
	Crop    []float64 `group:"Output:" placeholder:"X0,Y0,X1,Y1" help:"Draw only this part, in meters (default: the whole scene)."`

	savedFlags `group:"Saves:"`

	Record replay.Flag `embed:"" group:"Saves:"`

	Timeout time.Duration `group:"Several scenes:" default:"10m" help:"Wall-clock limit for reading, building and running each scene; 0 for no limit."`

	cli.Profiles `group:"Profiles:"`
}

// outcomeFlags determine the result of a run. A saved run contains them.
type outcomeFlags struct {
	Scene         string `kong:"-"`
	sceneFlags    `group:"Scene:"`
	report.Places `group:"Measurements:"`

	Steps  *int `group:"Scene:" placeholder:"N" help:"Number of steps (default: as in the scene)."`
	Safety bool `group:"Measurements:" negatable:"" help:"Also measure collisions and distances between agents (default: for several scenes, and for up to 10,000 agents without --json)."`

	Trajectories string `group:"Output:" placeholder:"FILE" help:"Write all positions, in the format given by the extension: .csv, .csv.gz, .parquet, .txt for PedPy, or .sql for a JuPedSim and PedPy database with the walkable area."`
	Every        int    `group:"Output:" placeholder:"N" default:"1" help:"Write the positions of every N-th step."`
}

func (runCmd) Help() string {
	return `Examples:

    crowd                                    1,000 people leave a building
    crowd run plaza --agents 1000000 --steps 100
    crowd run tank-path --picture tank.png
    crowd run plaza --crop 200,200,260,240   draw part of it, with bodies
    crowd run bottleneck --model social-force-2000
    crowd run arrival --set slowing-radius=250 --json
    crowd run AGENTS.xml.gz --obstacles ROOM.xml
    crowd run RECORDING.txt --recording frame-rate=25,unit=m
    crowd run plaza --trajectories plaza.parquet --every 10
    crowd run evacuation --trajectories evacuation.sql
    crowd run plaza --steps 100000 --save plaza.save --save-every 60s
    crowd run --resume plaza.save            continue it
    crowd run plaza --record plaza.replay    for crowd replay
    crowd run plaza -v                       all metrics, and time per system
    crowd run plaza --steps 100000 --profile http=127.0.0.1:6060
    crowd run plaza evacuation               one row per scene
    crowd run seek flee arrival --csv --workers 1
    crowd run SCENARIOS --model collision-free-speed
    crowd run SCENARIOS --json --timeout 1m

With several scenes, a folder, --csv or --timeout, each scene runs with one worker and gets
one row; rows are sorted by path. Folders are searched for files that end with .xml, .toml,
.scenario or .wkt, or with .gz after one of them; name movingai.com maps explicitly. A file that
cannot be read or run gets a row with the reason. The exit code is 1 if a run failed, took
longer than --timeout, or crashed.`
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
		return cli.BadUsage(err)
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
	// Write every output, even if one fails.
	err = cmp.Or(c.report(e, s, r, shot), files.steps(), files.heap(), shot.Write(files.picture, r.Steps))
	if err != nil || r.Interrupted || files.part == nil {
		return err
	}
	return files.part.Remove() // the complete file is in place
}

func (c *runCmd) report(e *cli.Console, s *scene.Scene, r *report.Report, shot *render.Snapshot) error {
	if c.JSON {
		return output.WriteJSON(e.Machine, r)
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

// steps runs all steps or, if from is not nil, the remaining steps of the saved run.
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
	title := fmt.Sprintf("%s, %s", s.Name, cli.Plural(s.Agents(), "agent"))
	if state.Steps > 0 {
		title += fmt.Sprintf(", from step %d", state.Steps)
	}
	bar := e.Progress(title, s.Steps, "step", c.JSON)
	defer bar.Done()
	bar.GoOn(state.Steps)
	if from != nil && c.Save == c.Resume {
		saving.GoOn(state.Steps)
	} else {
		if err := saving.Save(w, r, state, false); err != nil {
			return cli.BadUsage(err) // before the first step
		}
	}
	if state.Steps == 0 { // after the first save, so every row belongs to a resumable run
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

// safetyAgents is the largest crowd for which --safety is the default in a run of one scene without --json.
const safetyAgents = 10_000

// next suggests commands after a run. After an interrupted run with --save, it shows only how to continue.
// For built-in scenes, the lines fit in 80 columns.
func (c *runCmd) next(s *scene.Scene, r *report.Report) []report.Command {
	if r.Interrupted && c.Save != "" {
		return []report.Command{{Line: commandName() + " run --resume " + shellQuoted(c.Save), For: "continue"}}
	}
	name := shellQuoted(c.Scene)
	if c.Obstacles != "" {
		name += " --obstacles " + shellQuoted(c.Obstacles)
	}
	if c.Model != "" {
		name += " --model " + string(c.Model)
	}
	name += c.Recording.Words()
	self := commandName()
	return []report.Command{
		{Line: self + " view " + name, For: "watch it"},
		{Line: self + " render " + name + " -o " + shellQuoted(strings.TrimSuffix(render.PictureName(s), ".png")+".gif"), For: "as a GIF"},
		{Line: self + " run " + name + " -v", For: "all metrics"},
	}
}

func shellQuoted(name string) string {
	if name != "" && strings.IndexFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_./:@%+,-", r)
	}) < 0 {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

func commandName() string {
	if path, err := os.Executable(); err == nil && strings.Contains(path, "go-build") {
		return "go run ./cmd/crowd"
	}
	return "crowd"
}

// load opens the scene and checks all flags except those for output files. Afterward, c.Picture is the name
// of the picture, or "" for none.
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
		cli.IdleFlag{Name: "crop", Idle: c.Picture == "", Why: "needs a picture, and none is drawn"},
		cli.IdleFlag{Name: "save-every", Idle: c.Save == "", Why: "needs --save, which is missing"},
		cli.IdleFlag{Name: "every", Idle: c.Trajectories == "", Why: "needs --trajectories, which is missing"},
	)
}

type runFiles struct {
	output.Files
	picture, trajectories, cpuProfile, memProfile, trace, save, record *output.File

	format   trajectories.Format
	partName string // empty unless --trajectories and --save are set
	part     *trajectories.Part
}

func (c *runCmd) begin(s *scene.Scene) (*runFiles, error) {
	if c.Picture != "" && strings.ToLower(filepath.Ext(c.Picture)) != ".png" {
		return nil, fmt.Errorf("--picture is %s, want a name that ends in .png (crowd render draws other formats)", c.Picture)
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
	part := f.AddRegular("the partial file of --trajectories", f.partName)
	if err := f.Open(); err != nil {
		return nil, err
	}
	if f.save.PutOff(); c.Save != "" {
		f.trajectories.PutOff()
	}
	part.PutOff() // trajectories.Part writes it
	return f, nil
}

func (f *runFiles) join(of trajectories.Source) error {
	if err := f.trajectories.Begin(); err != nil {
		return err
	}
	to := f.format.Begin(f.trajectories, of)
	return f.trajectories.Fail(cmp.Or(f.part.Join(to), to.Close()))
}

// Discard removes uncommitted files, but keeps partial trajectories for --resume.
func (f *runFiles) Discard() {
	f.Files.Discard()
	if f.part != nil {
		_ = f.part.Close()
	}
}

func (f *runFiles) steps() error {
	return cmp.Or(f.trajectories.Commit(), f.cpuProfile.Commit(), f.trace.Commit())
}

func (f *runFiles) heap() error {
	if f.memProfile == nil {
		return nil
	}
	runtime.GC()
	return f.memProfile.Fill(pprof.WriteHeapProfile)
}

// batchFlags are the flags that batch allows.
var batchFlags = []string{
	"scene", "workers", "steps", "lenient", "model", "safety", "line", "area", "force", "json", "csv", "timeout", "quiet",
}

func (c *runCmd) many(e *cli.Console) bool {
	info, err := os.Stat(c.Scene)
	folder := err == nil && info.IsDir() && !slices.Contains(scene.Names(), c.Scene)
	return len(c.Scenes) > 1 || folder || e.Given["csv"] || e.Given["timeout"]
}

func (c *runCmd) batch(ctx context.Context, e *cli.Console) error {
	for _, name := range slices.Sorted(maps.Keys(e.Given)) {
		if !slices.Contains(batchFlags, name) {
			return cli.BadUsage(fmt.Errorf("--%s can't be combined with several scenes, a folder, --csv or --timeout", name))
		}
	}
	if len(c.Scenes) == 0 {
		c.Scenes = []string{c.Scene}
	}
	b := &run.Batch{
		Files: c.Scenes, Workers: c.Workers, Timeout: c.Timeout, Steps: c.Steps, Lenient: c.Lenient, Model: c.Model,
		Safety: c.Safety || !e.Given["safety"], Places: c.Places, MemoryFlag: c.MemoryFlag, JSON: c.JSON, CSV: c.CSV,
	}
	return b.Run(ctx, e)
}
