package render

import (
	"fmt"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/angle"
	"github.com/8f878440/crowd/internal/formats/recorded"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// BesideOptions say which recording is shown, and where and when, as flags of the command line.
type BesideOptions struct {
	Beside     string    `placeholder:"RECORDING" help:"Show people who were recorded beside the simulated ones: trajectories of Petrack, PedPy, UCY and ETH, Vadere, or of run --trajectories."`
	BesideAt   []float64 `placeholder:"X,Y" help:"Move the recording so that its origin is here, in meters."`
	BesideTurn float64   `placeholder:"DEGREES" help:"Turn the recording about its origin, counterclockwise."`
	BesideFrom *float64  `placeholder:"SECONDS" help:"Time of the recording at which the simulation begins (default: its first frame, or 0 if it has times in place of frames)."`
}

// BesideRadius is that of all recorded people in meters, since recordings do not say how wide
// people are.
const BesideRadius = 0.2

// moves returns the speed of a person in m/s, and where it heads: nowhere, if it stands.
func moves(p *recorded.Person, t float64) (speed float64, heading r2.Vec) {
	const (
		over     = 0.5 // s
		standing = 0.1 // m/s, which is how much heads sway
	)
	v := p.Velocity(t, over)
	if speed = vec.Norm(v); speed < standing {
		return speed, r2.Vec{}
	}
	return speed, v
}

// People are recorded people beside a simulation.
type People struct {
	*recorded.Crowd
	from float64 // s, of the recording when the simulation begins
}

// Idle returns which flags do nothing.
func (o *BesideOptions) Idle() (all []cli.IdleFlag) {
	for _, name := range []string{"beside-at", "beside-turn", "beside-from"} {
		all = append(all, cli.IdleFlag{Name: name, Idle: o.Beside == "", Why: "is for --beside, which is missing"})
	}
	return all
}

// open reads the recording that is asked for; nil: none is.
func (o *BesideOptions) open(read recorded.Options) (*People, error) {
	if o.Beside == "" {
		return nil, nil
	}
	const farthest = 1e6 // m, and s
	at := append(o.BesideAt, 0, 0)
	for _, x := range at {
		if !(math.Abs(x) <= farthest) || len(at) != 2 && len(at) != 4 {
			return nil, fmt.Errorf("--beside-at is %v, want X,Y, each up to %v m", o.BesideAt, farthest)
		}
	}
	if !(math.Abs(o.BesideTurn) <= 360) {
		return nil, fmt.Errorf("--beside-turn is %v, want -360 to 360", o.BesideTurn)
	}
	if from := o.BesideFrom; from != nil && !(math.Abs(*from) <= farthest) {
		return nil, fmt.Errorf("--beside-from is %v, want seconds up to %v", *from, farthest)
	}
	crowd, err := recorded.Open(o.Beside, read)
	if err != nil {
		return nil, err
	}
	p := &People{Crowd: crowd, from: crowd.Start}
	if o.BesideFrom != nil {
		p.from = *o.BesideFrom
	}
	if o.BesideTurn != 0 || o.BesideAt != nil {
		p.Crowd = crowd.Moved(angle.Radians(o.BesideTurn), r2.Vec{X: at[0], Y: at[1]})
	}
	return p, nil
}

// Time returns the time of the recording at a time of the simulation, in seconds.
func (p *People) Time(t float64) float64 { return p.from + t }
