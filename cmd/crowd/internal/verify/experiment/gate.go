package experiment

import (
	"context"
	"io"

	"github.com/8f878440/crowd/internal/formats/recorded"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// Gate holds the measurements of people walking through a gate and then a corridor, as in the experiments of
// the Forschungszentrum Jülich (HERMES, 2009).
type Gate struct {
	People, Passed int
	Flow           float64   // people/s, in the middle of the corridor
	Density, Speed float64   // people/m² and m/s, in the middle of the corridor
	Times          []float64 // s, of the crossings of the middle, since the first
	Gaps           []float64 // s, between successive people
	Jam            []r2.Vec  // m, positions in front of the corridor when half have passed
}

// The middle of the corridor is at x = 0.
const (
	corridorHalf = 0.9 // m, half the width
	roomHalf     = 5.  // m, half the width of the room and the hall
	roomBegins   = -25.
	gateBegins   = -9.
	gateEnds     = -8.
	hallEnds     = -4. // where the corridor starts
)

// WalkGate runs the experiment for at most 300 s, and measures it.
func WalkGate(run Run, width float64, people int) (Gate, error) {
	r, err := run.gate(width, people).record(300)
	if err != nil {
		return Gate{}, err
	}
	return measureGate(r), nil
}

// RecordedFPS is the frame rate of the recordings of the experiment, in 1/s.
const RecordedFPS = 16

// ReadGate measures a recording of the experiment. Errors begin with the name.
func ReadGate(from io.Reader, name string) (Gate, error) {
	r, err := RecordedGate(from, name)
	if err != nil {
		return Gate{}, err
	}
	return measureGate(r), nil
}

// RecordedGate reads a recording of the experiment, and converts it to the coordinates of GateScene. In the
// file, people walk toward decreasing y, between x = 0 and x = 1.8 m. Errors begin with the name.
func RecordedGate(from io.Reader, name string) (*Recording, error) {
	c, err := recorded.Read(from, name, recorded.Options{FrameRate: RecordedFPS, Unit: recorded.Centimeter})
	if err != nil {
		return nil, err
	}
	r := recordingFrom(c, 1./RecordedFPS)
	for i := range r.People {
		for k, at := range r.People[i].At {
			r.People[i].At[k] = xy(-at.Y, at.X-corridorHalf)
		}
	}
	return r, nil
}

// measureGate measures density and speed within 2 m of x = 0, during the middle 60% of the time from the
// first to the last crossing.
func measureGate(r *Recording) Gate {
	all := r.Crossings(xy(0, -roomHalf), xy(0, roomHalf))
	g := Gate{People: len(r.People), Passed: len(all), Flow: Flow(all), Gaps: timeGaps(all)}
	if len(all) == 0 {
		return g
	}
	first, last := all[0].Time, all[len(all)-1].Time
	m := r.Measure(box(-2, -corridorHalf, 2, corridorHalf), int((first+0.2*(last-first))/r.Dt), int((first+0.8*(last-first))/r.Dt))
	g.Density, g.Speed = m.Density, m.Speed
	for _, c := range all {
		g.Times = append(g.Times, c.Time-first)
	}
	half := int(all[len(all)/2].Time / r.Dt)
	for i := range r.People {
		if p := &r.People[i]; p.In(half) && p.Place(half).X < hallEnds {
			g.Jam = append(g.Jam, p.Place(half))
		}
	}
	return g
}

// GateRooms returns the walkable boxes in front of the corridor: room, gate and hall. The width is in meters.
func GateRooms(width float64) []r2.Box {
	return []r2.Box{
		box(roomBegins, -roomHalf, gateBegins, roomHalf), box(gateBegins, -width/2, gateEnds, width/2), box(gateEnds, -roomHalf, hallEnds, roomHalf),
	}
}

// GateScene returns the scene of the experiment. The width is in meters. Record sets Dt and Steps.
func GateScene(ctx context.Context, seed uint64, width float64, people int) (*scene.Scene, error) {
	s := Run{Context: ctx, Seed: seed}.gate(width, people)
	return s.Scene, s.err
}

func (r Run) gate(width float64, people int) *stage {
	s, half := r.stage("gate", 1, box(-25, -7, 10, 7)), width/2
	g := s.crowd("people", people, box(-24.2, -4.6, -14.2, 3.4))
	free := max(half-scene.People("", 1, scene.Place{}).Radius.Spread.Min, 0.01)
	g.Itineraries = [][]systems.Stop{through(
		box(gateBegins, -free, gateEnds, free), box(hallEnds, -0.7, -3.5, 0.7), box(3.5, -0.7, 4.5, 0.7), box(8, -2, 9, 2))}
	s.solid(gateBegins, half, gateEnds, roomHalf)
	s.solid(gateBegins, -roomHalf, gateEnds, -half)
	s.solid(hallEnds, corridorHalf, 4, roomHalf)
	s.solid(hallEnds, -roomHalf, 4, -corridorHalf)
	s.solid(roomBegins, roomHalf, hallEnds, roomHalf+0.5)
	s.solid(roomBegins, -roomHalf-0.5, hallEnds, -roomHalf)
	s.solid(roomBegins-0.5, -roomHalf-0.5, roomBegins, roomHalf+0.5)
	return s
}
