package plot

import (
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// benchSheet makes a picture of panels, with where the benches were measured.
func (p *drawing) benchSheet(panels ...*Panel) *Sheet {
	s := &Sheet{Panels: panels, Columns: len(panels)}
	for _, f := range p.files[:min(len(p.files), 4)] {
		text := cli.Shorten(f.Bench.Setting(), 120)
		if len(p.files) > 1 {
			text = f.Label + ": " + text
		}
		s.Caption = append(s.Caption, text)
	}
	return s
}

func (p *drawing) benchOverview() (*Sheet, error) {
	if speed := p.speedUp(); speed != nil {
		return p.benchSheet(p.cost(), speed), nil
	}
	return p.benchCost()
}

func (p *drawing) benchCost() (*Sheet, error) { return p.benchSheet(p.cost()), nil }

func (p *drawing) benchSpeedUp() (*Sheet, error) {
	if speed := p.speedUp(); speed != nil {
		return p.benchSheet(speed), nil
	}
	return nil, fmt.Errorf("no speed-up in %s: it takes crowd with one worker and with more", p.files[0].Name)
}

// benchSeries returns a line for each name that of gives to results.
func (p *drawing) benchSeries(of func(*bench.File, *bench.Result) (name string, at Point)) (all []Series) {
	for _, f := range p.files {
		for i := range f.Bench.Results {
			name, at := of(f.Bench, &f.Bench.Results[i])
			if name = cli.Shorten(name, 60); len(p.files) > 1 {
				name = f.Label + ": " + name
			}
			k := slices.IndexFunc(all, func(s Series) bool { return s.Name == name })
			if k < 0 && at.X > 0 {
				k, all = len(all), append(all, Series{Name: name, Color: len(all), Glyph: len(all), Dash: len(all) / len(p.style.Lines)})
			}
			if at.X > 0 {
				all[k].Points = append(all[k].Points, at)
			}
		}
	}
	return all
}

// cost draws the cost by the number of agents, with half the interquartile range up and down.
func (p *drawing) cost() *Panel {
	panel := NewPanel(p.style, "Cost of a step", "number of agents", "cost (ns per agent and step)")
	least, most := math.Inf(1), 0.
	all := p.benchSeries(func(_ *bench.File, r *bench.Result) (string, Point) {
		y, half := r.NsPerAgentStep, r.NsPerAgentStep*r.Spread
		least, most = min(least, y), max(most, y)
		return fmt.Sprintf("%s, %s, %s", r.Name, r.By, cli.Plural(r.Workers, "worker")), Point{X: float64(r.Agents), Y: y, Low: y - half, High: y + half}
	})
	panel.Log(true, p.Log || most > 30*least)
	panel.AddSeries(Joined|Marked|Barred, all...)
	panel.FromZero()
	return panel
}

// speedUp draws the speed-up by the number of workers, with half the interquartile range of the ratios of
// each round up and down; nil if there is none.
func (p *drawing) speedUp() *Panel {
	panel := NewPanel(p.style, "Speed-up over one worker", "number of workers", "speed-up, round by round")
	most := 1.
	all := p.benchSeries(func(f *bench.File, r *bench.Result) (name string, at Point) {
		name = r.Name + ", " + cli.Plural(r.Agents, "agent")
		if r.SpeedUp != nil {
			up, half := *r.SpeedUp, f.SpeedUpSpread(r)
			at, most = Point{X: float64(r.Workers), Y: up, Low: max(up-half, 0), High: up + half}, max(most, float64(r.Workers))
		}
		return name, at
	})
	if len(all) == 0 {
		return nil
	}
	panel.AddSeries(Joined, Series{Name: "ideal", Color: -1, Dash: 1, Points: Points{At(1, 1), At(most, most)}})
	panel.AddSeries(Joined|Marked|Barred, all...)
	panel.X.Tick.Marker = Ticks{Whole: true, Across: true}
	panel.FromZero()
	return panel
}
