package render

import (
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
)

// Options say what is drawn and how, as flags of the command line.
type Options struct {
	Out string `short:"o" required:"" placeholder:"FILE" help:"What to write, as the name ends: .png or .svg for a picture, .gif, .apng or .mp4 for an animation (mp4 by ffmpeg)."`

	Width  *int      `placeholder:"PIXELS" help:"Width (default: 1600, of an animation 640)."`
	Height *int      `placeholder:"PIXELS" help:"Height (default: as the shape of the view asks for)."`
	View   []float64 `placeholder:"X0,Y0,X1,Y1" help:"Draw only this part, in meters (default: the whole scene)."`
	Bare   bool      `help:"No legend and no margins."`
	Dark   bool      `help:"A dark ground."`

	NoTargets bool `help:"Draw no targets and goals, and nothing of what agents flee from."`
	NoPaths   bool `help:"Draw no paths that agents follow."`

	Color      picture.Color `default:"speed" help:"What colors stand for: speed, heading or group (default: what the scene says, or groups if it has several, or speed)."`
	Palette    string        `default:"plasma" help:"Colors of speed and density: plasma, viridis, magma, inferno or gray."`
	Trails     span          `placeholder:"SPAN" help:"Draw the way of the last steps, as 60, or seconds, as 1.5s (default: 0, none)."`
	Field      fieldFlag     `placeholder:"N" help:"Color the floor by the walking distance to the goals of a field, with contours: of the field with this number, counted from 0 in the order of the groups that have one (default: 0)."`
	Heat       bool          `help:"Draw the density of agents in place of agents."`
	HeatRadius *float64      `placeholder:"METERS" help:"Over which distance agents count for the density (default: a hundredth of the view)."`
	HeatMax    *float64      `placeholder:"DENSITY" help:"Top of the scale of density, in agents/m² (default: the greatest there is)."`

	BesideOptions
	Overlay bool    `help:"Draw the people of --beside in the same picture, in another color, in place of a picture beside it."`
	People  *People `kong:"-"` // who are shown beside the simulated ones; nil: nobody

	At      *span    `placeholder:"SPAN" help:"Draw the picture after these steps, as 120, or seconds, as 2.5s (default: at the end, or where all leave when the first tenth is out)."`
	From    *span    `placeholder:"SPAN" help:"Begin the animation after these steps or seconds."`
	Steps   *int     `placeholder:"N" help:"Number of steps, those before --from included (default: the scene's, of an animation as many as --seconds take)."`
	Seconds *float64 `placeholder:"N" help:"How long the animation plays (default: 5)."`
	FPS     int      `name:"fps" default:"30" help:"Frames a second."`
	Every   *int     `placeholder:"N" help:"Steps from frame to frame (default: as many as a frame lasts, or at 60 steps a second for a scene whose steps are longer than 0.1 s)."`
}

// kind returns the ending of the file, which says what it is.
func (o *Options) kind() string { return strings.ToLower(filepath.Ext(o.Out)) }

// moving reports whether the file is an animation.
func (o *Options) moving() bool {
	return o.kind() == ".gif" || o.kind() == ".apng" || o.kind() == ".mp4"
}

// look returns how pictures are drawn.
func (o *Options) look() picture.Options {
	l := picture.Options{
		Width: value(o.Width), Height: value(o.Height), Bare: o.Bare, Dark: o.Dark,
		Color: o.Color, Palette: o.Palette, NoTargets: o.NoTargets, NoPaths: o.NoPaths,
	}
	if o.moving() && o.Width == nil {
		l.Width = animationWidth
		if o.People != nil && !o.Overlay {
			l.Width = panelsWidth
		}
	}
	if o.Heat {
		l.Heat = &picture.Heat{Radius: value(o.HeatRadius), Max: value(o.HeatMax)}
	}
	return l
}

// animationWidth is the width of an animation unless told otherwise, in pixels.
const animationWidth = 640

// panelsWidth is that of an animation of two panels.
const panelsWidth = 960

// value returns what a flag says, 0 if it is not given.
func value[T any](flag *T) (v T) {
	if flag != nil {
		v = *flag
	}
	return v
}
