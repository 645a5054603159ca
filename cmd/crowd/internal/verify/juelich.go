package verify

import (
	"fmt"
	"math"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
)

// gate is an experiment of the Forschungszentrum Jülich (HERMES, 2009), with the metrics of its recording.
type gate struct {
	width  float64 // m
	people int
	file   string // of the recording

	flow, speed, density float64 // people/s, m/s, people/m²
}

var gates = []gate{
	{0.5, 61, "uo-050-180-180.txt", 1.154, 1.350, 0.507},
	{0.7, 111, "uo-070-180-180.txt", 1.588, 1.326, 0.649},
	{1.0, 121, "uo-100-180-180.txt", 2.445, 1.182, 1.140},
}

type juelich struct {
	seeds int
	gates []walkedGate
	doors []walkedDoor
}

type walkedGate struct {
	gate
	recorded *experiment.Gate // nil without --data
	walked   []experiment.Gate
}

type walkedDoor struct {
	width  float64 // m
	walked []experiment.Door
}

func newJuelich(o *Options) (suite, error) {
	s := &juelich{seeds: o.seeds(mostSeeds)}
	widths := []float64{0.8, 1.0, 1.2}
	for _, g := range gates {
		if o.Quick && g.width != 0.7 {
			continue
		}
		recorded, err := g.read(o.Data)
		if err != nil {
			return nil, err
		}
		s.gates = append(s.gates, walkedGate{gate: g, recorded: recorded})
	}
	if o.Quick {
		widths = widths[:2]
	}
	for _, width := range widths {
		s.doors = append(s.doors, walkedDoor{width: width})
	}
	return s, nil
}

// read returns nil if folder is "".
func (g *gate) read(folder string) (*experiment.Gate, error) {
	if folder == "" {
		return nil, nil
	}
	f, err := experiment.OpenJuelich(folder, g.file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := experiment.ReadGate(f, f.Name())
	return &r, err
}

func (s *juelich) plan(p *plan) {
	for i := range s.gates {
		g := &s.gates[i]
		g.walked = repeat(p, s.seeds, func(r run) (experiment.Gate, error) { return experiment.WalkGate(r, g.width, g.people) })
	}
	for i := range s.doors {
		d := &s.doors[i]
		d.walked = repeat(p, s.seeds, func(r run) (experiment.Door, error) { return experiment.WalkDoor(r, d.width) })
	}
}

func (s *juelich) rows() (rows []Row) {
	for i := range s.gates {
		rows = append(rows, s.gates[i].rows()...)
	}
	for i := range s.doors {
		d := &s.doors[i]
		rows = append(rows, judge(fmt.Sprintf("door of %.1f m: specific flow", d.width), between(1.7, 2.3).in("people/s/m"), d.flow()/d.width, of("mean", s.seeds)))
	}
	most, rise := float64(peopleAtDoor), math.Inf(1)
	var widths []string
	for i := range s.doors {
		d := &s.doors[i]
		most = min(most, leastOf(d.walked, func(w *experiment.Door) int { return w.Passed }))
		widths = append(widths, fmt.Sprintf("%.1f m", d.width))
		if i > 0 {
			rise = min(rise, d.flow()-s.doors[i-1].flow())
		}
	}
	return append(rows,
		judge("each of these doors: passed", exactly(peopleAtDoor), most, of("fewest", s.seeds)),
		judge("flow rises with the width", above(0).in("people/s"), rise, "smallest rise from one door to the next: "+strings.Join(widths, ", ")),
		// NIST calculates the limit by hand. The second door is 1.0 m wide.
		judge("door of 1.0 m: flow, NIST 5.2", atMost(1.33).in("people/s"), s.doors[1].flow(), of("mean", s.seeds)).missedByPeople(peopleAreFaster))
}

const peopleAtDoor = 100 // as in experiment.WalkDoor

func (g *walkedGate) rows() []Row {
	name := fmt.Sprintf("gate of %.1f m: ", g.width)
	mean := of("mean", len(g.walked))
	flow := meanOf(g.walked, func(w *experiment.Gate) float64 { return w.Flow })
	speed := meanOf(g.walked, func(w *experiment.Gate) float64 { return w.Speed })
	density := meanOf(g.walked, func(w *experiment.Gate) float64 { return w.Density })
	rows := []Row{
		judge(name+"flow ÷ recorded", between(0.9, 1.1), flow/g.flow, mean),
		judge(name+"speed ÷ recorded", between(0.8, 1.2), speed/g.speed, mean),
		judge(name+"density ÷ recorded", between(0.8, 1.2), density/g.density, mean),
	}
	if g.recorded != nil {
		distance := experiment.KolmogorovSmirnov(g.gaps(), g.recorded.Gaps)
		rows = append(rows, judge(name+"time gaps, KS distance", atMost(0.2), distance, of("all gaps", len(g.walked))).because(paces))
	}
	arrived := leastOf(g.walked, func(w *experiment.Gate) int { return w.Passed })
	return append(rows, judge(name+"passed", exactly(g.people), arrived, of("fewest", len(g.walked))))
}

const paces = "the free speeds of agents have a standard deviation of 0.09 m/s, the recorded ones 0.22 m/s: overtaking on the 8 m behind the gate mixes the gaps of people"

func (g *walkedGate) gaps() (all []float64) {
	for _, w := range g.walked {
		all = append(all, w.Gaps...)
	}
	return all
}

func (d *walkedDoor) flow() float64 {
	return meanOf(d.walked, func(w *experiment.Door) float64 { return w.Flow })
}

const peopleAreFaster = "an expected miss: real people exceed this flow too, with 1.9 people/s/m (Seyfried 2009)"

func (s *juelich) missing() string {
	if s.gates[0].recorded != nil {
		return ""
	}
	return "--data FOLDER adds time gaps from the recordings."
}

func (s *juelich) picture(style *plot.Style) *plot.Sheet {
	out := &plot.Sheet{
		Style: style, Title: "Gates of Jülich",
		Caption: []string{
			"People (HERMES 2009, Forschungszentrum Jülich) and agents walking through a gate and then a corridor of 1.8 m, measured in the middle of the corridor.",
			"Densities are 1 over the area of the Voronoi cells, cut off at 1 m, of agents with the first seed.",
		},
		Columns: max(len(s.gates), 3),
	}
	for _, draw := range []func(*walkedGate, *plot.Style) *plot.Panel{(*walkedGate).passed, (*walkedGate).gapsPanel, (*walkedGate).jam} {
		for i := range s.gates {
			out.Panels = append(out.Panels, draw(&s.gates[i], style))
		}
	}
	return out
}

func (g *walkedGate) passed(style *plot.Style) *plot.Panel {
	p := plot.NewPanel(style, fmt.Sprintf("Gate of %.1f m, %d people", g.width, g.people), "time since the first crossing, s", "people passed")
	var thin []curve
	for _, w := range g.walked {
		thin = append(thin, line("", agents, plot.Joined, w.Times, counts(len(w.Times))))
	}
	end := float64(g.people-1) / g.flow
	recorded := line(fmt.Sprintf("recorded flow, %.2f people/s", g.flow), people, plot.Joined, []float64{0, end}, []float64{1, float64(g.people)})
	recorded.Dash = 1
	if g.recorded != nil {
		recorded = line("recorded", people, plot.Joined, g.recorded.Times, counts(len(g.recorded.Times)))
	}
	thin[0].Name = "agents, " + of("each", len(g.walked))
	addCurves(p, append(thin, recorded)...)
	return p
}

func (g *walkedGate) gapsPanel(style *plot.Style) *plot.Panel {
	p := plot.NewPanel(style, "Time gaps", "time between successive people, s", "share of gaps up to this time")
	gaps := g.gaps()
	xs, ys := cumulated(gaps)
	all := []curve{line("agents, "+of("all", len(g.walked)), agents, plot.Joined|plot.Stepped, xs, ys)}
	if g.recorded != nil {
		xs, ys = cumulated(g.recorded.Gaps)
		all = append(all, line("recorded", people, plot.Joined|plot.Stepped, xs, ys))
		gaps = append(gaps, g.recorded.Gaps...)
	}
	most := 1.
	if len(gaps) > 0 {
		most = cli.Quantile(gaps, 0.99) // omits a few long gaps
	}
	addCurves(p, all...)
	p.X.Max = most
	return p
}

func (g *walkedGate) jam(style *plot.Style) *plot.Panel {
	const cutOff = 1 // m
	p := plot.NewPanel(style, "Density when half have passed, people/m²", "x, m", "y, m")
	p.Plane = true
	rooms := experiment.GateRooms(g.width)
	c := newCells(style, experiment.Voronoi(g.walked[0].Jam, rooms, cutOff), rooms)
	p.Add(c)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -15, -6, -4.5, 1.5
	c.label(p)
	return p
}
