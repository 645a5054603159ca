package plot

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
)

// Options say what is drawn and how, as flags of the command line.
type Options struct {
	Files []string `arg:"" name:"file" help:"What run, score and bench wrote as JSON, CSV or Go benchmark lines, also as .gz; - is standard input."`

	Out    string    `required:"" short:"o" placeholder:"FILE.png" help:"The picture, as the name ends: .png or .svg."`
	What   string    `placeholder:"NAME" help:"What to draw of the content; the list is above (default: overview)."`
	X      string    `placeholder:"COLUMN" help:"Figure to draw, or the one across."`
	Y      string    `placeholder:"COLUMN" help:"Figure upwards, against --x."`
	By     string    `placeholder:"COLUMN" help:"Color or panel for each value of a column, or folder for that of the scene (default: for each file)."`
	Log    bool      `help:"Logarithmic axes for figures."`
	To     []float64 `placeholder:"X,Y" help:"Measure distances to this place, in meters (default: to where each agent began)."`
	Ways   int       `placeholder:"N" default:"100" help:"Draw the ways of N agents."`
	Scene  string    `placeholder:"SCENE" help:"Draw the obstacles of this scene, a built-in one or a file, beneath the ways."`
	Width  int       `placeholder:"PIXELS" help:"Width of the picture (default: 1200)."`
	Height int       `placeholder:"PIXELS" help:"Height of the picture (default: what it takes)."`
	Title  *string   `placeholder:"TEXT" help:"Title in place of the usual one; it may be empty."`
	Dark   bool      `help:"Light on dark."`
}

// Sizes that a picture may have, in pixels.
const (
	leastPixels = 200
	mostPixels  = 10_000
)

func (o *Options) check(e *console.Console) error {
	if end := strings.ToLower(filepath.Ext(o.Out)); end != ".png" && end != ".svg" {
		return fmt.Errorf("--out is %s, want a name that ends with .png or .svg", o.Out)
	}
	for _, size := range []struct {
		flag   string
		pixels int
	}{{"width", o.Width}, {"height", o.Height}} {
		if e.Given[size.flag] && (size.pixels < leastPixels || size.pixels > mostPixels) {
			return fmt.Errorf("--%s is %d, want %d to %d pixels", size.flag, size.pixels, leastPixels, mostPixels)
		}
	}
	switch {
	case o.Ways < 0 || o.Ways > 10_000:
		return fmt.Errorf("--ways is %d, want 0 to 10000", o.Ways)
	case o.To != nil && (len(o.To) != 2 || !numbers.Drawable(o.To[0]) || !numbers.Drawable(o.To[1])):
		return fmt.Errorf("--to is %v, want X,Y", o.To)
	}
	return nil
}
