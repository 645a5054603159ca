package render

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/formats/recorded"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/world/scene"
	"github.com/alecthomas/kong"
	"gonum.org/v1/gonum/spatial/r2"
)

// Reading is the flag --recording: properties that a file of trajectories may lack, and the place and time of
// the recorded people beside simulated people.
type Reading struct {
	FrameRate float64       // frames per second; 0 means as in the file
	Unit      recorded.Unit `json:",omitempty"` // unit of length; empty means as in the file
	Columns   []string      // nil means as in the file

	at   []float64 // m, new place of the origin; may be nil
	turn float64   // degrees, counterclockwise about the origin
	from *float64  // s, time of the recording at the start of the simulation; nil means Crowd.Start
}

// Decode implements kong.MapperValue. A word without a key belongs to the value before it.
func (r *Reading) Decode(c *kong.DecodeContext) error {
	var text string
	if err := c.Scan.PopValueInto("KEY=VALUE", &text); err != nil {
		return err
	}
	var pairs []string
	for word := range strings.SplitSeq(text, ",") {
		if n := len(pairs); n > 0 && !strings.Contains(word, "=") {
			pairs[n-1] += "," + word
		} else {
			pairs = append(pairs, word)
		}
	}
	for _, pair := range pairs {
		if err := r.set(pair); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reading) set(pair string) error {
	key, value, ok := strings.Cut(pair, "=")
	if !ok {
		return fmt.Errorf("%q has no =, want KEY=VALUE", pair)
	}
	number := func() (x float64, err error) {
		if x, err = strconv.ParseFloat(value, 64); err != nil {
			err = fmt.Errorf("%s is %q, want a number", key, value)
		}
		return x, err
	}
	var err error
	switch key {
	case "frame-rate":
		r.FrameRate, err = number()
	case "unit":
		r.Unit = recorded.Unit(value)
	case "columns":
		r.Columns = strings.Split(value, ",")
	case "at":
		for word := range strings.SplitSeq(value, ",") {
			x, fault := strconv.ParseFloat(word, 64)
			if fault != nil {
				return fmt.Errorf("at is %q, want X,Y", value)
			}
			r.at = append(r.at, x)
		}
	case "turn":
		r.turn, err = number()
	case "from":
		var x float64
		x, err = number()
		r.from = &x
	default:
		err = fmt.Errorf("no key is named %q, %s", key, suggest.OneOf(key, []string{"at", "columns", "frame-rate", "from", "turn", "unit"}))
	}
	return err
}

// To sets the options for opening a scene that is a recording.
func (r *Reading) To(o *scene.OpenOptions) {
	o.FrameRate, o.Unit, o.Columns = r.FrameRate, string(r.Unit), r.Columns
}

// Idle returns the conditions under which the flag has no effect on s.
func (r *Reading) Idle(s *scene.Scene, beside bool) []cli.IdleFlag {
	placed := r.at != nil || r.turn != 0 || r.from != nil
	return []cli.IdleFlag{
		{Name: "recording", Idle: placed && !beside, Why: "at, turn and from are for --beside, which is missing"},
		{Name: "recording", Idle: !s.Recorded && !beside, Why: fmt.Sprintf("is for recordings, and %s is not one", s.Name)},
	}
}

// Words returns the flag for a command line, with a leading space. It omits the keys at, turn and from, and
// returns "" if no other property is set.
func (r *Reading) Words() string {
	var pairs []string
	if r.FrameRate != 0 {
		pairs = append(pairs, fmt.Sprintf("frame-rate=%v", r.FrameRate))
	}
	if r.Unit != "" {
		pairs = append(pairs, "unit="+string(r.Unit))
	}
	if r.Columns != nil {
		pairs = append(pairs, "columns="+strings.Join(r.Columns, ","))
	}
	if pairs == nil {
		return ""
	}
	return " --recording " + strings.Join(pairs, ",")
}

// Open reads the people of --beside and places them. It returns nil without --beside.
func (r *Reading) Open(ctx context.Context, o *BesideOptions) (*People, error) {
	if o.Beside == "" {
		return nil, nil
	}
	const farthest = 1e6 // m, and s
	at := append(r.at, 0, 0)
	for _, x := range at {
		if !(math.Abs(x) <= farthest) || len(at) != 2 && len(at) != 4 {
			return nil, fmt.Errorf("--recording at is %v, want X,Y within ±%v m", r.at, farthest)
		}
	}
	if !(math.Abs(r.turn) <= 360) {
		return nil, fmt.Errorf("--recording turn is %v, want -360 to 360 degrees", r.turn)
	}
	if r.from != nil && !(math.Abs(*r.from) <= farthest) {
		return nil, fmt.Errorf("--recording from is %v, want a time within ±%v s", *r.from, farthest)
	}
	crowd, err := recorded.Open(o.Beside, recorded.Options{FrameRate: r.FrameRate, Unit: r.Unit, Columns: r.Columns, Context: ctx})
	if err != nil {
		return nil, cli.While(ctx, err, "reading "+o.Beside)
	}
	p := &People{Crowd: crowd, from: crowd.Start}
	if r.from != nil {
		p.from = *r.from
	}
	if r.turn != 0 || r.at != nil {
		p.Crowd = crowd.Moved(vec.Radians(r.turn), r2.Vec{X: at[0], Y: at[1]})
	}
	return p, nil
}
