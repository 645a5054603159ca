// Package render draws a scene as a picture or an animation, with recorded people beside the simulated ones
// if requested. It also draws the documentation's gallery.
package render

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/world/scene"
	"github.com/alecthomas/kong"
)

// Draw runs a scene and writes its picture or animation to --out. It changes s.Steps and o.Color as the flags
// require. It returns an error if limit does not admit the scene. If ctx is done while frames are drawn, the
// file contains the frames so far.
func (o *Options) Draw(ctx context.Context, e *cli.Console, s *scene.Scene, workers int, limit *cli.MemoryFlag) error {
	if o.Steps != nil {
		s.Steps = *o.Steps
	}
	if err := o.Field.check(s); err != nil {
		return cli.BadUsage(err)
	}
	plan := o.plan(s)
	if o.Steps != nil && plan.from >= *o.Steps && o.moving() {
		return cli.BadUsage(fmt.Errorf("--from is step %d, want less than --steps, %d", plan.from, *o.Steps))
	}
	if o.kind() == ".svg" && !o.Heat.on && o.Crop == nil {
		if err := picture.CheckSVG(remaining(s)); err != nil {
			return cli.BadUsage(err)
		}
	}
	if err := limit.Admit(s, scene.Options{}, cli.MemoryOfPicture(s)); err != nil {
		return cli.BadUsage(err)
	}
	if speed := o.speed(s, plan); math.Abs(speed-1) > 0.05 {
		e.Log.Warn(fmt.Sprintf("%s plays at %.3g × real time: %d frames a second, each %s of %.3g s", o.Out, speed, o.FPS, cli.Plural(plan.every, "step"), s.Dt))
	}
	var files output.Files
	files.Reads(s.Files...)
	out := files.AddRegular("--out", o.Out)
	if err := files.Open(); err != nil {
		return cli.BadUsage(err)
	}
	defer files.Discard()
	switch {
	case o.Overlay:
		o.Color = picture.Group
	case !e.Given["color"] && !e.Given["palette"]:
		o.Color = colorOf(s)
	}
	look := o.look()
	if o.Heat.on && o.Heat.max == nil && o.moving() {
		top, err := o.findDensity(ctx, e, s, plan, workers)
		if err != nil {
			return err
		}
		look.Heat.Max = top
	}
	w, err := run.Build(ctx, s, scene.Options{Workers: workers})
	if err != nil {
		return cli.BadUsage(err)
	}
	defer w.Close()
	f, err := o.newFilm(s, w, out, look)
	if err != nil {
		return cli.BadUsage(err)
	}
	bar := e.Progress(fmt.Sprintf("%s, %s agents", s.Name, cli.Thousands(s.Agents())), plan.steps, "step", false)
	done, err := plan.roll(ctx, w, func(step int) {
		bar.Set(step)
		f.camera.NoteStep()
	}, f.shoot)
	err = cmp.Or(err, f.close())
	bar.Done()
	if err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	if done < plan.steps {
		e.Log.Warn(fmt.Sprintf("stopped after step %d of %d; %s contains the frames so far", done, plan.steps, o.Out))
	}
	if e.Log.Enabled(ctx, 0) {
		_, err = cli.Fprintf(e.Out, "%s\n", f.summary())
	}
	return err
}

// remaining counts the agents that are in a scene from beginning to end.
func remaining(s *scene.Scene) (n int) {
	for i := range s.Groups {
		if g := &s.Groups[i]; g.Source == nil && (g.Goal == nil || g.Goal.Then != scene.Leave) {
			n += g.Count
		}
	}
	return n
}

// Options are the flags of crowd render.
type Options struct {
	Out string `short:"o" required:"" placeholder:"FILE" help:"File to write: .png or .svg for a picture, .gif, .apng or .mp4 for an animation (mp4 needs ffmpeg)."`

	Size cli.Size  `group:"Looks:" placeholder:"WIDTH[xHEIGHT]" help:"Size in pixels (default: 1600 wide, 640 for an animation, 960 for one with two panels, and as high as the view requires)."`
	Crop []float64 `group:"Looks:" placeholder:"X0,Y0,X1,Y1" help:"Draw only this part, in meters (default: the whole scene)."`
	Hide []string  `group:"Looks:" enum:"targets,paths,legend" placeholder:"NAMES" help:"Omit targets (also goals and what agents flee from), paths that agents follow, or the legend (also the margins)."`
	Dark bool      `group:"Looks:" help:"Use a dark background."`

	Color   picture.Color `group:"Looks:" default:"speed" help:"Meaning of colors: speed, heading or group (default: that of the scene, or group if it has several groups, or speed)."`
	Palette string        `group:"Looks:" default:"plasma" help:"Colors of speed and density: plasma, viridis, magma, inferno or gray."`
	Trails  run.Span      `group:"Looks:" placeholder:"SPAN" help:"Draw trails that cover this many steps, such as 60, or seconds, such as 1.5s (default: none)."`
	Field   fieldFlag     `group:"Looks:" placeholder:"N" help:"Color the floor by the walking distance to the goals of a field, with contours. Fields are numbered from 0 in the order of their groups (default: 0)."`
	Heat    heatFlag      `group:"Looks:" placeholder:"RADIUS,MAX" help:"Draw the density of agents instead of agents, as a sum of bell curves: their radius in meters (default: three times the largest body radius, but between 1% and 10% of the view), and the top of the scale in agents/m² (default: the greatest density)."`

	BesideOptions `group:"Recordings:"`
	Overlay       bool    `group:"Recordings:" help:"Draw the people of --beside in the same picture, in another color, instead of beside it."`
	People        *People `kong:"-"` // nil means none

	At      run.Span `group:"Time:" placeholder:"SPAN" help:"Draw the picture after this many steps, such as 120, or seconds, such as 2.5s (default: at the end, or, if all agents leave, when a tenth of them have left)."`
	From    run.Span `group:"Time:" placeholder:"SPAN" help:"Begin the animation after this many steps or seconds."`
	Steps   *int     `group:"Time:" placeholder:"N" help:"Number of steps, including those before --from (default: as in the scene for a picture, as many as --seconds needs for an animation)."`
	Seconds *float64 `group:"Time:" placeholder:"N" help:"Duration of the animation (default: 5)."`
	FPS     int      `group:"Time:" name:"fps" default:"30" help:"Frames per second."`
	Every   *int     `group:"Time:" placeholder:"N" help:"Steps per frame (default: real time, or 60 steps a second if steps are longer than 0.1 s)."`
}

func (o *Options) kind() string { return strings.ToLower(filepath.Ext(o.Out)) }

func (o *Options) moving() bool {
	return o.kind() == ".gif" || o.kind() == ".apng" || o.kind() == ".mp4"
}

func (o *Options) look() picture.Options {
	l := picture.Options{
		Width: o.Size.Width, Height: o.Size.Height, Bare: slices.Contains(o.Hide, "legend"), Dark: o.Dark,
		Color: o.Color, Palette: o.Palette, NoTargets: slices.Contains(o.Hide, "targets"), NoPaths: slices.Contains(o.Hide, "paths"),
	}
	if o.moving() && o.Size.Width == 0 {
		l.Width = animationWidth
		if o.People != nil && !o.Overlay {
			l.Width = panelsWidth
		}
	}
	if o.Heat.on {
		l.Heat = &picture.Heat{Radius: value(o.Heat.radius), Max: value(o.Heat.max)}
	}
	return l
}

const (
	animationWidth = 640 // pixels, default
	panelsWidth    = 960 // pixels, default with two panels
	leastSize      = 16  // pixels
)

func value[T any](flag *T) (v T) {
	if flag != nil {
		v = *flag
	}
	return v
}

// Check returns an error for the first flag that is invalid or has no effect.
func (o *Options) Check(given cli.Given) error {
	if err := o.checkRanges(); err != nil {
		return err
	}
	return given.Refuse(
		cli.IdleFlag{Name: "fps", Idle: !o.moving(), Why: "is for animations, and " + o.kind() + " is a picture"},
		cli.IdleFlag{Name: "color", Idle: o.Heat.on, Why: "is for agents, and --heat draws none"},
		cli.IdleFlag{Name: "overlay", Idle: o.Beside == "", Why: "is for --beside, which is missing"},
		cli.IdleFlag{Name: "color", Idle: o.Overlay, Why: "is not for --overlay, whose colors tell recorded and simulated people apart"},
		cli.IdleFlag{Name: "palette", Idle: !o.Heat.on && o.Color != picture.Speed, Why: "is for speed and density, and --color is " + o.Color.String()},
	)
}

func (o *Options) checkRanges() error {
	if !o.moving() && o.kind() != ".png" && o.kind() != ".svg" {
		return fmt.Errorf("--out is %s, want a name that ends in .png, .svg, .gif, .apng or .mp4", o.Out)
	}
	if o.kind() == ".mp4" {
		if err := findFFmpeg(); err != nil {
			return err
		}
	}
	fastest, palettes := maxFPS, picture.Palettes()
	if o.kind() == ".gif" {
		fastest = maxGIFFPS
	}
	const (
		longest = 3600 // s
		most    = 1e9  // m, or agents/m²
	)
	valid := func(x *float64) bool { return x == nil || *x > 0 && *x <= most }
	switch {
	case o.Size.Check(leastSize, picture.MaxSize) != nil:
		return o.Size.Check(leastSize, picture.MaxSize)
	case o.FPS < 1 || o.FPS > fastest:
		return fmt.Errorf("--fps is %d, want 1 to %d in %s", o.FPS, fastest, o.kind())
	case o.Every != nil && (*o.Every < 1 || *o.Every > run.MaxSteps):
		return fmt.Errorf("--every is %d, want 1 to %d", *o.Every, run.MaxSteps)
	case o.Seconds != nil && !(*o.Seconds > 0 && *o.Seconds <= longest):
		return fmt.Errorf("--seconds is %v, want more than 0 and at most %d", *o.Seconds, longest)
	case o.Seconds != nil && o.Steps != nil:
		return errors.New("--seconds and --steps both say how long the animation is, want one of them")
	case o.At != "" && o.Steps != nil:
		return errors.New("--at and --steps both say when the picture is drawn, want one of them")
	case o.At != "" && o.moving():
		return fmt.Errorf("--at is for pictures, want --from with %s", o.kind())
	case !o.moving() && (o.Seconds != nil || o.Every != nil || o.From != ""):
		return fmt.Errorf("--seconds, --every and --from are for animations, want --at with %s", o.kind())
	case o.Steps != nil && (*o.Steps < 1 || *o.Steps > run.MaxSteps):
		return fmt.Errorf("--steps is %d, want 1 to %d", *o.Steps, run.MaxSteps)
	case CheckCrop(o.Crop) != nil:
		return CheckCrop(o.Crop)
	case o.Heat.on && !o.Trails.IsZero():
		return errors.New("--heat draws no agents, so it takes no --trails")
	case o.Heat.on && o.Field.on:
		return errors.New("--heat and --field both color the floor, want one of them")
	case o.Heat.on && o.Overlay:
		return errors.New("--heat draws no agents, so it takes no --overlay")
	case o.Heat.on && o.Beside != "" && o.Heat.max == nil:
		return errors.New("--heat with --beside needs --heat=,MAX, one scale for both")
	case o.Beside != "" && !o.Overlay && o.kind() == ".svg":
		return errors.New("--beside draws two pictures, and .svg holds one: want --overlay, or another kind of file")
	case !slices.Contains(palettes, o.Palette):
		return fmt.Errorf("--palette is %s, %s", o.Palette, suggest.OneOf(o.Palette, palettes))
	case !valid(o.Heat.radius):
		return fmt.Errorf("the radius of --heat is %v m, want more than 0 and at most %v", *o.Heat.radius, most)
	case !valid(o.Heat.max):
		return fmt.Errorf("the top of --heat is %v agents/m², want more than 0 and at most %v", *o.Heat.max, most)
	}
	return nil
}

// PictureName returns a file name for the picture of a scene.
func PictureName(s *scene.Scene) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:`, r) || !unicode.IsGraphic(r) {
			return '-'
		}
		return r
	}, s.Name) + ".png"
}

// CheckCrop returns an error unless v is nil or holds x0, y0, x1, y1 of a rectangle within ±1e9 m whose sides
// are at least a millimeter long.
func CheckCrop(v []float64) error {
	const least, farthest = 1e-3, 1e9 // m
	drawable := len(v) == 4 && v[2]-v[0] >= least && v[3]-v[1] >= least
	for _, x := range v {
		drawable = drawable && math.Abs(x) <= farthest
	}
	if v != nil && !drawable {
		return fmt.Errorf("--crop is %v, want X0,Y0,X1,Y1 within ±%v m and at least %v m wide and high", v, farthest, least)
	}
	return nil
}

type heatFlag struct {
	on          bool
	radius, max *float64
}

// Decode implements kong.MapperValue.
func (h *heatFlag) Decode(c *kong.DecodeContext) error {
	*h = heatFlag{on: true}
	if next := c.Scan.Peek(); next.Type != kong.FlagValueToken {
		return nil
	}
	text := c.Scan.Pop().String()
	words := strings.Split(text, ",")
	for i, to := range []**float64{&h.radius, &h.max} {
		if i >= len(words) || words[i] == "" {
			continue
		}
		x, err := strconv.ParseFloat(words[i], 64)
		if err != nil || len(words) > 2 {
			return fmt.Errorf("%q is not RADIUS,MAX, want two numbers or one of them, such as 2 or ,4", text)
		}
		*to = &x
	}
	return nil
}

// IsBool makes the value of the flag optional.
func (heatFlag) IsBool() bool { return true }

type fieldFlag struct {
	on    bool
	index int
}

// Decode implements kong.MapperValue.
func (f *fieldFlag) Decode(c *kong.DecodeContext) error {
	f.on, f.index = true, 0
	next := c.Scan.Peek()
	text, is := next.Value.(string)
	if !is || next.Type == kong.FlagToken || next.IsEOL() {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil && next.Type != kong.FlagValueToken { // the next word is the scene
		return nil
	}
	c.Scan.Pop()
	if err != nil || n < 0 {
		return fmt.Errorf("%q is not a field, want a whole number, 0 or more", text)
	}
	f.index = n
	return nil
}

// IsBool makes the value of the flag optional.
func (f fieldFlag) IsBool() bool { return true }

func (f fieldFlag) check(s *scene.Scene) error {
	if !f.on {
		return nil
	}
	switch n := s.FlowFields(); {
	case n == 0:
		return fmt.Errorf(`--field: no group of %s follows a field, want way = "field" in one that has a target`, s.Name)
	case f.index >= n:
		return fmt.Errorf("--field is %d, want 0 to %d: %s has %s", f.index, n-1, s.Name, cli.Plural(n, "field"))
	}
	return nil
}
