package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/cmd/crowd/internal/trajectories"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

type savedFlags struct {
	Save      string   `placeholder:"FILE" help:"Save the run to this file periodically, so that --resume can continue it."`
	SaveEvery run.Span `placeholder:"SPAN" help:"Save interval, in steps or simulated time such as 10s (default: 60s, or 3600 steps if steps are longer than 0.1 s)."`
	Resume    string   `placeholder:"FILE" help:"Continue a saved run. The file determines the scene and everything else that affects the result, except --steps."`
}

var resumeFlags = []string{
	"resume", "save", "save-every", "steps", "workers", "force", "verbose", "json", "picture", "crop",
	"profile", "quiet",
}

// resumed opens the run of --resume and restores its outcome flags, or returns nil without --resume. It
// returns an error if --save would overwrite another unfinished run. The caller must close the run.
func (c *runCmd) resumed(e *cli.Console) (*run.SavedFile, error) {
	if c.Resume == "" {
		return nil, c.checkSave()
	}
	for _, name := range slices.Sorted(maps.Keys(e.Given)) {
		if name == "scene" {
			return nil, fmt.Errorf("scene %s can't be combined with --resume, which takes the scene from %s", c.Scene, c.Resume)
		}
		if name == "record" {
			return nil, fmt.Errorf("--record can't be combined with --resume: a recording must begin at the first step")
		}
		if !slices.Contains(resumeFlags, name) {
			return nil, fmt.Errorf("--%s can't be combined with --resume: it affects the result, which %s determines", name, c.Resume)
		}
	}
	from, err := run.OpenSaved(c.Resume)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(c.restoreFlags(e, from), c.checkSave()); err != nil {
		from.Close()
		return nil, err
	}
	return from, nil
}

func (c *runCmd) checkSave() error {
	done, yes := run.Unended(c.Save)
	if !yes || sameFile(c.Save, c.Resume) {
		return nil
	}
	return fmt.Errorf("--save is %s, which holds an unfinished run, saved after %s: continue the run with --resume %[1]s, or delete the file", c.Save, cli.Plural(done, "step"))
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// restoreFlags restores the outcome flags of a saved run, except --workers, --force and a given --steps. It
// also sets --save and --save-every unless they are given. It returns an error if --steps is too low or a
// file of the scene has changed.
func (c *runCmd) restoreFlags(e *cli.Console, from *run.SavedFile) error {
	was := outcomeFlags{}
	if err := from.ReadFlags(&was); err != nil {
		return err
	}
	was.Workers, was.MemoryFlag = c.Workers, c.MemoryFlag
	if c.Steps != nil {
		if done := from.State.Steps; *c.Steps < done {
			return fmt.Errorf("--steps is %d, want %d or more, the number of steps already in %s", *c.Steps, done, c.Resume)
		}
		was.Steps = c.Steps
	}
	c.outcomeFlags = was
	if c.Save = cmp.Or(c.Save, c.Resume); !e.Given["save-every"] {
		c.SaveEvery = run.Span(from.SavedRun.Every)
	}
	return from.CheckSources()
}

// prepare builds the world and begins the report. If from is not nil, prepare continues both from that saved
// run, and closes from.
func prepare(ctx context.Context, s *scene.Scene, o scene.Options, args []string, from *run.SavedFile) (*world.World, *report.Report, error) {
	if from == nil {
		return run.Prepare(ctx, s, o, args, nil)
	}
	defer from.Close() // the next save replaces the file
	w, r, err := run.Prepare(ctx, s, o, args, from.World())
	if err != nil {
		return nil, nil, from.Fault(err)
	}
	if err := cmp.Or(from.Check(w), from.GoOn(r)); err != nil {
		w.Close()
		return nil, nil, err
	}
	return w, r, nil
}

// saving returns the Saving of the run, or nil without --save. It sets c.SaveEvery if that is empty.
func (c *runCmd) saving(id uint64, s *scene.Scene, files *runFiles) (*run.Saving, error) {
	if files.save == nil {
		return nil, nil
	}
	for _, name := range []string{c.Scene, c.Obstacles, c.Trajectories} {
		if !utf8.ValidString(name) {
			return nil, fmt.Errorf("--save can't store the file name %q, which is not valid UTF-8", name)
		}
	}
	if c.SaveEvery == "" {
		c.SaveEvery = run.UsualSpan(s)
	}
	if c.SaveEvery.IsZero() {
		return nil, fmt.Errorf("--save-every is %s, want at least one step", c.SaveEvery)
	}
	return run.NewSaving(files.save, id, s, c.outcomeFlags, c.SaveEvery, files.part)
}

// saveEnd saves the run at its end, unless a step was interrupted. After an interruption, saveEnd logs how to
// continue.
func (c *runCmd) saveEnd(e *cli.Console, w *world.World, r *report.Report, state *run.State, saving *run.Saving) error {
	if r.InterruptedStep == nil {
		if err := saving.Save(w, r, state, !r.Interrupted); err != nil {
			return err
		}
	}
	if r.Interrupted {
		e.Log.Info(fmt.Sprintf("saved after step %s: %s run --resume %s continues the run", cli.Thousands(saving.Last()), commandName(), shellQuoted(c.Save)))
	}
	return nil
}

// track records the trajectories of a run. A nil track does nothing.
type track struct {
	*trajectories.Recorder
	files  *runFiles
	source trajectories.Source
	direct trajectories.Writer // nil if the rows go to a partial file
	failed bool                // writing the direct file failed; its Commit returns the error
}

// track returns nil if there are no trajectories to record.
func (c *runCmd) track(id uint64, s *scene.Scene, w *world.World, r *report.Report, files *runFiles, from *run.SavedFile) (t *track, err error) {
	if files.trajectories == nil {
		return nil, nil
	}
	t = &track{files: files, source: trajectories.SourceOf(w, c.Every, s.Box)}
	switch {
	case c.Save == "":
		t.direct = files.format.Begin(files.trajectories, t.source)
		t.Recorder = trajectories.New(t.direct, files.format, c.Every, w)
		return t, nil
	case from == nil || from.State.Steps == 0:
		files.part, err = trajectories.NewPart(files.partName, id)
	default:
		err = fs.ErrNotExist
		if !from.Ended || from.Part.Bytes > 0 {
			files.part, err = trajectories.OpenPart(files.partName, id, from.Part)
		}
		if errors.Is(err, fs.ErrNotExist) && !from.Ended {
			err = fmt.Errorf("%s is missing: it held the trajectories up to the last save", files.partName)
		}
		if errors.Is(err, fs.ErrNotExist) {
			if c.Steps == nil && r.OutAfter != nil || from.State.Steps == s.Steps {
				return nil, nil // the run is complete: only report it again
			}
			err = fmt.Errorf("the trajectories in %s are complete and can't be extended: want a new run of %d steps", c.Trajectories, s.Steps)
		}
	}
	if err != nil {
		return nil, err
	}
	t.Recorder = trajectories.New(files.part, files.format, c.Every, w)
	return t, nil
}

// record records a step. It does not return an error from a direct file: other outputs can still be written.
func (t *track) record(step int) error {
	if t == nil || t.failed {
		return nil
	}
	err := t.files.trajectories.Fail(t.Record(step))
	if t.direct != nil {
		t.failed, err = err != nil, nil
	}
	return err
}

// end completes the trajectories. With --save, the trajectories of an unfinished run stay in the partial
// file.
func (t *track) end(ended bool) error {
	switch {
	case t == nil:
		return nil
	case t.direct != nil:
		t.files.trajectories.Fail(t.direct.Close()) // Commit returns the error
		return nil
	case !ended:
		return nil
	}
	return t.files.join(t.source)
}
