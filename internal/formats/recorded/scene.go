package recorded

import (
	"fmt"
	"math"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// Format reads trajectories. For each recorded person, an agent starts where and when the person
// started, walks at the person's median speed to where the person was last seen, and leaves.
var Format = formats.Format{What: "a recording of people", Read: readCrowd, Begins: func(head []byte) bool { return Is(head[:min(len(head), 4096)]) }}

const (
	dt         = 1. / 30
	radius     = 0.2 // m
	reach      = 0.5 // m
	leastSpeed = 0.1 // m/s, for people who mostly stood still
	slack      = 30  // s, for agents that arrive later than the people
)

func readCrowd(path string, o *formats.Options) (*formats.Crowd, error) {
	crowd, err := Open(path, Options{FrameRate: o.FrameRate, Unit: Unit(o.Unit), Columns: o.Columns, Context: o.Context})
	if err != nil {
		return nil, err
	}
	if n := len(crowd.People); n > world.MaxAgents {
		return nil, fmt.Errorf("%s: there are %d people, want at most %d", path, n, world.MaxAgents)
	}
	box := crowd.Box()
	g := formats.Group{Name: "people", Count: len(crowd.People), Target: &formats.Place{}, Radius: []float64{radius}, Reach: []float64{reach}, Then: formats.Leave}
	for i := range crowd.People {
		p := &crowd.People[i]
		speed, _ := p.medianSpeed()
		g.At.Points, g.Target.Points = append(g.At.Points, p.At[0]), append(g.Target.Points, p.At[len(p.At)-1])
		g.MaxSpeed = append(g.MaxSpeed, max(speed, leastSpeed))
		if at, n := p.Times[0]-crowd.Start, len(g.Come); n > 0 && g.Come[n-1].Time == at {
			g.Come[n-1].N++
		} else {
			g.Come = append(g.Come, world.Batch{Time: at, N: 1})
		}
	}
	return &formats.Crowd{
		Recorded: true, Text: "people with the starts, goals and speeds of recorded people", Seed: 1, Dt: dt,
		Box:    r2.NewBox(box.Min.X-1, box.Min.Y-1, box.Max.X+1, box.Max.Y+1),
		Steps:  math.Ceil((crowd.End - crowd.Start + slack) / dt),
		Notes:  []string{"people start where and when the recorded people started, and walk at their median speeds to where they were last seen"},
		Groups: []formats.Group{g},
	}, nil
}
