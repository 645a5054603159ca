package verify

import (
	"context"
	"math"
	"os"

	"github.com/8f878440/crowd/cmd/crowd/internal/verify/recording"
	"gonum.org/v1/gonum/spatial/r2"
)

// Gate is what was measured at a gate.
type Gate struct {
	Flow, Density, Speed float64
	Gaps                 []float64
	Passed, People       int
	Burst, Last          float64
	Throng               recording.Smoothness
	Early                []float64 // gaps behind the gate
}

// corridorFigures measures at the middle of the corridor of Jülich, across x = 0 (or y = 0 in
// the recording).
func corridorFigures(r *recording.Recording, a, b r2.Vec, area r2.Box) Gate {
	all := r.Crossings(a, b)
	g := Gate{Flow: recording.Flow(all), Gaps: recording.TimeGaps(all), Passed: len(all), People: len(r.People)}
	if len(all) > 1 {
		first, last := all[0].Time, all[len(all)-1].Time
		m := r.Measure(area, int((first+0.2*(last-first))/r.Dt), int((first+0.8*(last-first))/r.Dt))
		g.Density, g.Speed, g.Last = m.Density, m.Speed, last
	}
	return g
}

func Recorded(path string) (Gate, error) {
	f, err := os.Open(path)
	if err != nil {
		return Gate{}, err
	}
	defer f.Close()
	r, err := recording.ReadJuelich(f, path, 16)
	if err != nil {
		return Gate{}, err
	}
	g := corridorFigures(r, xy(-5, 0), xy(5, 0), box(0, -2, 1.8, 2))
	g.Throng = r.Smooth(func(p *recording.Person, f int) bool { return p.Place(f).Y > 4 })
	g.Early = recording.TimeGaps(r.Crossings(xy(-5, 7.4), xy(5, 7.4)))
	return g, nil
}

func Corridor(ctx context.Context, seed uint64, width float64, people int) (Gate, error) {
	s, err := corridorDoor(seed, width, people)
	if err != nil {
		return Gate{}, err
	}
	r, err := run(ctx, s, 300)
	if err != nil {
		return Gate{}, err
	}
	g := corridorFigures(r, xy(0, -1), xy(0, 1), box(-2, -0.9, 2, 0.9))
	g.Throng = r.Smooth(func(p *recording.Person, f int) bool { x := p.Place(f).X; return x > -14 && x < -9 })
	g.Early = recording.TimeGaps(r.Crossings(xy(-7.4, -5), xy(-7.4, 5)))
	return g, nil
}

func Door(ctx context.Context, seed uint64, width float64, people int) (Gate, error) {
	s, err := door(seed, width, people)
	if err != nil {
		return Gate{}, err
	}
	r, err := run(ctx, s, 400)
	if err != nil {
		return Gate{}, err
	}
	all := r.Crossings(xy(0.1, -width/2), xy(0.1, width/2))
	mid := recording.Middle(all, 0.8)
	g := Gate{Flow: recording.Flow(mid) / width, Passed: len(all), People: people}
	full := 0.
	if len(all) > 0 {
		full = all[len(all)*6/10].Time
		g.Last = all[len(all)-1].Time
	}
	g.Throng = r.Smooth(func(p *recording.Person, f int) bool {
		return p.Place(f).X < 0 && float64(f)*r.Dt < full && float64(f)*r.Dt > 3
	})
	return g, nil
}

func TwoSides(ctx context.Context, seed uint64) (Gate, error) {
	s, err := twoSides(seed, 60)
	if err != nil {
		return Gate{}, err
	}
	r, err := run(ctx, s, 400)
	if err != nil {
		return Gate{}, err
	}
	all := r.Crossings(xy(0, -0.4), xy(0, 0.4))
	g := Gate{Passed: len(all), People: 120, Burst: r.Bursts(all)}
	if len(all) > 0 {
		g.Last = all[len(all)-1].Time
	}
	return g, nil
}

// TwoWays: Last is when all are past the other's start, NaN never. Burst: lane order.
func TwoWays(ctx context.Context, seed uint64, people int, width, length float64) (Gate, error) {
	s, err := twoWays(seed, people, width, length)
	if err != nil {
		return Gate{}, err
	}
	r, err := run(ctx, s, 300)
	if err != nil {
		return Gate{}, err
	}
	g := Gate{People: 2 * people}
	deep := length / 2
	met := 0
	for i := range r.People {
		p := &r.People[i]
		end := p.At[len(p.At)-1]
		if p.Group == 0 && end.X > deep || p.Group == 1 && end.X < -deep {
			g.Passed++
		}
		g.Last = max(g.Last, float64(p.Last())*r.Dt)
		if p.Group == 0 {
			for k, at := range p.At {
				if at.X > deep/2 {
					if met == 0 || p.First+k < met {
						met = p.First + k
					}
					break
				}
			}
		}
	}
	if g.Passed < g.People {
		g.Last = math.NaN()
	}
	mid := func(p *recording.Person, f int) bool { return math.Abs(p.Place(f).X) < deep*0.8 }
	g.Burst = r.LaneOrder(mid, met, met+int(40/dt))
	g.Throng = r.Smooth(mid)
	return g, nil
}

type Diagram struct {
	Density, Speed float64
	Still          int // people who did not move 5 cm for 30 s
}

func Straight(ctx context.Context, seed uint64, density float64) (Diagram, error) {
	length, ahead, until := 60., 10., 25.
	if density > 1.6 {
		length, ahead, until = 90, 50, 25
	}
	if density > 3.5 {
		until = 40
	}
	s, err := straight(seed, density, length)
	if err != nil {
		return Diagram{}, err
	}
	r, err := run(ctx, s, 40.1)
	if err != nil {
		return Diagram{}, err
	}
	m := r.Measure(box(-ahead-4, -2.5, -ahead, 2.5), int(10/dt), int(until/dt))
	d := Diagram{Density: m.Density, Speed: m.Speed}
	n := int(30 / dt)
	for i := range r.People {
		p := &r.People[i]
		if len(p.At) <= int(10/dt)+n || p.Place(int(10/dt)).X < -ahead-25 || p.Place(int(10/dt)).X > -ahead {
			continue
		}
		a, b := p.Place(int(10/dt)), p.Place(int(10/dt)+n)
		if math.Hypot(a.X-b.X, a.Y-b.Y) < 0.05 {
			d.Still++
		}
	}
	return d, nil
}

func Ring(ctx context.Context, seed uint64, density, straight, radius, width float64, single bool) (Diagram, error) {
	s, err := ring(seed, density, straight, radius, width, single)
	if err != nil {
		return Diagram{}, err
	}
	r, err := run(ctx, s, 60)
	if err != nil {
		return Diagram{}, err
	}
	// forward: along the lower straight
	m := r.Measure(box(-2, -radius-width, 2, -radius+width), int(10/dt), int(60/dt))
	// forward speed only
	sum, n := 0., 0
	for i := range r.People {
		p := &r.People[i]
		for f := int(10 / dt); f < r.Frames; f++ {
			if at := p.Place(f); recording.Inside(box(-2, -radius-width, 2, -radius+width), at) {
				v, _ := r.Velocity(p, f)
				sum += v.X
				n++
			}
		}
	}
	area := 4 * 2 * width
	den := m.Density * area / (4 * width)
	if single {
		den = m.Density * area / 4
	}
	return Diagram{Density: den, Speed: sum / float64(n)}, nil
}
