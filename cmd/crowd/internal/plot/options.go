package plot

import (
	"fmt"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
)

// Options say what is drawn and how, as flags of the command line.
type Options struct {
	Files []string `arg:"" name:"file" help:"What run, score and bench wrote as JSON, CSV or Go benchmark lines, also as .gz; - is standard input."`

	Out   string    `required:"" short:"o" placeholder:"FILE.png" help:"The picture, as the name ends: .png or .svg."`
	What  string    `placeholder:"NAME" help:"What to draw of the content; the list is above (default: overview)."`
	X     string    `placeholder:"COLUMN" help:"Figure to draw, or the one across."`
	Y     string    `placeholder:"COLUMN" help:"Figure upwards, against --x."`
	By    string    `placeholder:"COLUMN" help:"Color or panel for each value of a column, or folder for that of the scene (default: for each file)."`
	Log   bool      `help:"Logarithmic axes for figures."`
	To    []float64 `placeholder:"X,Y" help:"Measure distances to this place, in meters (default: to where each agent began)."`
	Ways  int       `placeholder:"N" default:"100" help:"Draw the ways of N agents."`
	Scene string    `placeholder:"SCENE" help:"Draw the obstacles of this scene, a built-in one or a file, beneath the ways."`
	Look
}

func (o *Options) check(e *console.Console) error {
	if err := o.Look.check(e, o.Out); err != nil {
		return err
	}
	switch {
	case o.Ways < 0 || o.Ways > 10_000:
		return fmt.Errorf("--ways is %d, want 0 to 10000", o.Ways)
	case o.To != nil && (len(o.To) != 2 || !numbers.Drawable(o.To[0]) || !numbers.Drawable(o.To[1])):
		return fmt.Errorf("--to is %v, want X,Y", o.To)
	}
	return nil
}
