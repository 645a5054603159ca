package route

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// Options say which ways are looked for and what is shown of them, as flags of the command
// line.
type Options struct {
	Scenario string `arg:"" name:"file" help:"A MovingAI scenario: .scen or .scen.gz."`

	Map     string `placeholder:"FILE.map" help:"The map, where it is not beside the scenario under the name that the rows give."`
	Rows    int    `placeholder:"N" help:"The first N rows alone."`
	Compare bool   `help:"Look for some of the ways with gonum's A* over the grid too, and compare the times."`
	JSON    bool   `name:"json" help:"Print an object with rows and buckets as JSON, and nothing else."`
	Out     string `short:"o" placeholder:"FILE.png" help:"Draw the map with some of the ways, as the name ends: .png or .svg."`
	Ways    int    `placeholder:"N" default:"40" help:"How many ways are drawn (default: 40)."`
	Width   int    `placeholder:"PIXELS" default:"1200" help:"Width of the picture (default: 1200)."`
	Dark    bool   `help:"Use the dark theme."`
}

// Limits of what can be asked for.
const (
	mostWays              = 1000
	leastWidth, mostWidth = 200, 8192 // pixels
)

func (o *Options) check(e *cli.Console) error {
	if end := strings.ToLower(filepath.Ext(o.Out)); o.Out != "" && end != ".png" && end != ".svg" {
		return fmt.Errorf("--out is %s, want a name that ends with .png or .svg", o.Out)
	}
	if e.Given["rows"] && o.Rows < 1 {
		return fmt.Errorf("--rows is %d, want 1 or more", o.Rows)
	}
	if o.Ways < 1 || o.Ways > mostWays {
		return fmt.Errorf("--ways is %d, want 1 to %d", o.Ways, mostWays)
	}
	if o.Width < leastWidth || o.Width > mostWidth {
		return fmt.Errorf("--width is %d, want %d to %d pixels", o.Width, leastWidth, mostWidth)
	}
	none := o.Out == ""
	return e.Given.Refuse(
		cli.IdleFlag{Name: "ways", Idle: none, Why: "is for the picture, and none is drawn"},
		cli.IdleFlag{Name: "width", Idle: none, Why: "is for the picture, and none is drawn"},
		cli.IdleFlag{Name: "dark", Idle: none, Why: "is for the picture, and none is drawn"},
	)
}
