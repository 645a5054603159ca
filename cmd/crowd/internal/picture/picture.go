package picture

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r2"
)

// Agent is one member of a crowd.
//
// An agent whose position is not finite, or farther than 10¹² m from the
// origin, is not drawn. A radius or speed that is no number ≥ 0 counts as 0.
type Agent struct {
	Position r2.Vec  // m
	Radius   float64 // m
	Speed    float64 // m/s
	Heading  r2.Vec  // any length; zero: unknown, the disc has no nose
	Group    int     // from 0, for Color Group
}

// Obstacle is a solid thing: a polygon when Ring has three corners or more,
// otherwise a wall from A to B, or a circle when A equals B.
type Obstacle struct {
	A, B   r2.Vec   // m
	Radius float64  // m, of the circle; half the thickness of the wall, 0: a thin line
	Ring   []r2.Vec // m, the polygon's corners in either direction
}

// Crowd is what a picture shows.
type Crowd struct {
	Title, Caption string // one line each
	About          string // what it shows, in two lines at most above the legend

	// View is the part of the world that is shown. When it is empty (or
	// narrower than a micrometer) the picture is fitted to agents and
	// obstacles, leaving out the few agents that have strayed far from all
	// else; see Fit.
	View r2.Box // m

	Agents    []Agent
	Obstacles []Obstacle
	Doors     []Door     // open and closed
	Goals     []Goal     // places to which agents are led
	Portals   []Portal   // boxes from which agents come out elsewhere
	Zones     []Zone     // where agents walk slower, or faster
	Targets   []r2.Vec   // m
	Dangers   []r2.Vec   // m, what agents flee from
	Paths     []Path     // what agents follow
	Ways      []Way      // from starts to goals
	Field     *Field     // how long the way is, as the color of the floor; nil: none
	Trails    [][]r2.Vec // m, the ways that agents have come, for a few hundred of them
	Wakes     []Wake     // the ways that they have just come, which fade
	Groups    []string   // the names of the groups, for the legend

	// MaxSpeed is the top of the color scale; faster agents have its color.
	// 0: the largest speed of all agents.
	MaxSpeed float64 // m/s

	// Pixels says that lengths are in the pixels of a tutorial, in place of meters, and
	// Frames that a step stands for a second. They change words alone.
	Pixels, Frames bool

	// Cells says that lengths are in the cells of a map, in place of meters.
	Cells bool
}

// Sizes of a picture, in pixels.
const (
	DefaultWidth = 1600
	MaxSize      = 8192 // of a side
)

// Options says how large a picture is and how it is set out.
type Options struct {
	Width  int // pixels; 0: DefaultWidth
	Height int // pixels; 0: as the shape of the view asks for

	// MinRadius is the smallest radius that an agent is drawn with. 0: from
	// 0.9 to 4 pixels, the fewer agents the larger.
	MinRadius float64 // pixels

	// Bare leaves out margins and legend: all of the picture shows the world.
	// A picture too small for a legend is bare in any case.
	Bare bool

	Dark    bool   // a dark ground
	Color   Color  // what the color of agents stands for
	Palette string // of speed and density, one of Palettes; "": the first

	NoTargets bool // no targets and goals; they are left out, too, where there are thousands
	NoPaths   bool // no paths; they are left out, too, where there are hundreds

	Heat *Heat // density in place of agents; nil: agents
}

// Validate returns an error that names the first option out of range.
func (o Options) Validate() error {
	switch {
	case o.Width < 0 || o.Width > MaxSize:
		return fmt.Errorf("picture: Width is %d pixels, must be 0 to %d", o.Width, MaxSize)
	case o.Height < 0 || o.Height > MaxSize:
		return fmt.Errorf("picture: Height is %d pixels, must be 0 to %d", o.Height, MaxSize)
	case !(o.MinRadius >= 0 && o.MinRadius <= maxSpot):
		return fmt.Errorf("picture: MinRadius is %v pixels, must be 0 to %v", o.MinRadius, maxSpot)
	case o.Palette != "" && !slices.Contains(Palettes(), o.Palette):
		return fmt.Errorf("picture: Palette is %q, must be one of %s", o.Palette, strings.Join(Palettes(), ", "))
	case o.Color < 0 || int(o.Color) >= len(colorNames):
		return fmt.Errorf("picture: Color is %d, must be 0 to %d", int(o.Color), len(colorNames)-1)
	case o.Heat != nil:
		return o.Heat.validate()
	}
	return nil
}

// Draw returns the picture of c. The same input gives the same pixels.
// Options that are out of range are moved to the nearest that is not.
func Draw(c *Crowd, o Options) *image.RGBA {
	return NewPainter(c, o).Draw(c)
}

// WritePNG draws c and writes the picture. It returns an error when an option is out
// of range, or that of the writer.
func WritePNG(to io.Writer, c *Crowd, o Options) error {
	if err := o.Validate(); err != nil {
		return err
	}
	return png.Encode(to, Draw(c, o))
}
