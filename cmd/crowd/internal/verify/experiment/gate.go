package experiment

import (
	"context"
	"io"
	"math/rand/v2"

	"github.com/8f878440/crowd/internal/formats/recorded"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// Gate is what was measured of people that walk through a gate and then a corridor, as in
// the experiments of the Forschungszentrum Jülich (HERMES, 2009).
type Gate struct {
	People, Passed int
	Flow           float64   // people a second, (N − 1)/Δt, in the middle of the corridor
	Density, Speed float64   // people/m² and m/s, in the middle of the corridor
	Times          []float64 // s, of people that pass there, from the first
	Gaps           []float64 // s, between one and the next
	Jam            []r2.Vec  // m, where people are when half of them have passed; in the room and behind the gate
}

// The place: the gate ends 4 m before a corridor, whose middle is at x = 0.
const (
	corridorHalf = 0.9 // m, half its width
	roomHalf     = 5.  // m, half the width of the room, and of the hall behind the gate
	roomBegins   = -25.
	gateBegins   = -9.
	gateEnds     = -8.
	hallEnds     = -4. // and the corridor begins
)

// WalkGate runs the experiment with a gate of some width in meters.
func WalkGate(ctx context.Context, by scene.Model, seed uint64, width float64, people int) (Gate, error) {
	s, err := GateScene(ctx, seed, width, people)
	if err != nil {
		return Gate{}, err
	}
	r, err := Record(ctx, by, s, 300)
	if err != nil {
		return Gate{}, err
	}
	return measureGate(r), nil
}

// RecordedFPS is how many frames a second the recordings of the experiment have.
const RecordedFPS = 16

// ReadGate measures a recording of the experiment. In it people walk down along y, in a
// corridor from x = 0.
func ReadGate(from io.Reader, name string) (Gate, error) {
	r, err := RecordedGate(from, name)
	if err != nil {
		return Gate{}, err
	}
	return measureGate(r), nil
}

// RecordedGate returns a recording of the experiment in the place of GateScene.
func RecordedGate(from io.Reader, name string) (*Recording, error) {
	c, err := recorded.Read(from, name, recorded.Options{FrameRate: RecordedFPS, Unit: recorded.Centimeter})
	if err != nil {
		return nil, err
	}
	r := RecordingOf(c, 1./RecordedFPS)
	for i := range r.People {
		for k, at := range r.People[i].At {
			r.People[i].At[k] = xy(-at.Y, at.X-corridorHalf)
		}
	}
	return r, nil
}

// measureGate measures across x = 0, and 2 m to both sides of it during the middle 60 % of
// the time.
func measureGate(r *Recording) Gate {
	all := r.Crossings(xy(0, -roomHalf), xy(0, roomHalf))
	g := Gate{People: len(r.People), Passed: len(all), Flow: Flow(all), Gaps: TimeGaps(all)}
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

// GateRooms are where people can walk before the corridor: the room, the gate, and the
// hall behind it.
func GateRooms(width float64) []r2.Box {
	return []r2.Box{
		box(roomBegins, -roomHalf, gateBegins, roomHalf), box(gateBegins, -width/2, gateEnds, width/2), box(gateEnds, -roomHalf, hallEnds, roomHalf),
	}
}

// GateScene is the experiment with a gate of some width in meters. It has no steps yet:
// Record gives it some.
func GateScene(ctx context.Context, seed uint64, width float64, people int) (*scene.Scene, error) {
	r := rand.New(rand.NewPCG(seed, 1))
	half := width / 2
	g, err := crowd(ctx, r, "people", people, box(-24.2, -4.6, -14.2, 3.4))
	free := max(half-scene.People("", 1, scene.Place{}).Radius.Spread.Min, 0.01)
	g.Itineraries = [][]systems.Stop{through(
		box(gateBegins, -free, gateEnds, free), box(hallEnds, -0.7, -3.5, 0.7), box(3.5, -0.7, 4.5, 0.7), box(8, -2, 9, 2))}
	s := &scene.Scene{Name: "gate", Seed: seed, Box: box(-25, -7, 10, 7), Groups: []scene.Group{g}}
	s.Obstacles.Boxes = []scene.Box{
		solid(gateBegins, half, gateEnds, roomHalf), solid(gateBegins, -roomHalf, gateEnds, -half),
		solid(hallEnds, corridorHalf, 4, roomHalf), solid(hallEnds, -roomHalf, 4, -corridorHalf),
		solid(roomBegins, roomHalf, hallEnds, roomHalf+0.5), solid(roomBegins, -roomHalf-0.5, hallEnds, -roomHalf), solid(roomBegins-0.5, -roomHalf-0.5, roomBegins, roomHalf+0.5),
	}
	return s, err
}
