package plot

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/quantile"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// WriteBench draws cost and speed-up side by side.
func WriteBench(to io.Writer, name string, f *bench.File) error {
	p := &drawing{Options: &Options{Look: Look{style: &sheet.LightStyle}}, files: []*data.File{{Bench: f}}}
	s, err := p.benchOverview()
	if err != nil {
		return err
	}
	s.Style = p.style
	return s.Write(to, name)
}

// benchSheet begins a picture of benches, with where they were measured.
func (p *drawing) benchSheet(panels ...*sheet.Panel) *sheet.Sheet {
	s := &sheet.Sheet{Panels: panels, Columns: len(panels)}
	for _, f := range p.files {
		text := terminal.Shorten(f.Bench.Setting(), 120)
		if len(p.files) > 1 {
			text = f.Label + ": " + text
		}
		s.Caption = append(s.Caption, text)
	}
	s.Caption = s.Caption[:min(len(s.Caption), 4)]
	return s
}

func (p *drawing) benchOverview() (*sheet.Sheet, error) {
	cost := p.cost()
	if speed, err := p.speedUp(); err == nil {
		return p.benchSheet(cost, speed), nil
	}
	return p.benchSheet(cost), nil
}

func (p *drawing) benchCost() (*sheet.Sheet, error) { return p.benchSheet(p.cost()), nil }

func (p *drawing) benchSpeedUp() (*sheet.Sheet, error) {
	panel, err := p.speedUp()
	return p.benchSheet(panel), err
}

// benchSeries are lines of results, told apart by up to three texts: by color, glyph and dashes.
type benchSeries struct {
	all  []sheet.Series
	seen [3][]string
}

// add adds a point to the line with a name.
func (l *benchSeries) add(name string, looks [3]string, at sheet.Point) {
	i := slices.IndexFunc(l.all, func(s sheet.Series) bool { return s.Name == name })
	if i < 0 {
		var places [3]int
		for k, look := range looks {
			if places[k] = slices.Index(l.seen[k], look); places[k] < 0 {
				places[k], l.seen[k] = len(l.seen[k]), append(l.seen[k], look)
			}
		}
		i, l.all = len(l.all), append(l.all, sheet.Series{Name: name, Color: places[0], Glyph: places[1], Dash: places[2]})
	}
	l.all[i].Points = append(l.all[i].Points, at)
}

// cost draws the cost by the number of agents, a line for each contender and number of workers, with half
// the interquartile range up and down.
func (p *drawing) cost() *sheet.Panel {
	panel := sheet.NewPanel(p.style, "Cost of a step", "number of agents", "cost (ns per agent and step)")
	var lines benchSeries
	var costs []float64
	for _, f := range p.files {
		for _, r := range f.Bench.Results {
			name := terminal.Shorten(fmt.Sprintf("%s, %s, %s", r.Name, r.By, numbers.Plural(r.Workers, "worker")), 60)
			looks := [3]string{r.Name + r.By, r.Name + r.By, fmt.Sprint(r.Workers)}
			if len(p.files) > 1 {
				name, looks[0] = f.Label+": "+name, f.Label
			}
			y := r.NsPerAgentStep
			costs = append(costs, y)
			lines.add(name, looks, sheet.Point{X: float64(r.Agents), Y: y, Low: y - y*r.Spread, High: y + y*r.Spread})
		}
	}
	panel.Log(true, p.Log || slices.Max(costs) > 30*slices.Min(costs))
	panel.AddSeries(sheet.Joined|sheet.Marked|sheet.Barred, lines.all...)
	panel.FromZero()
	return panel
}

// speedUp draws the speed-up by the number of workers, a line for each case and size, with half the
// interquartile range of the ratios of each round up and down.
func (p *drawing) speedUp() (*sheet.Panel, error) {
	panel := sheet.NewPanel(p.style, "Speed-up over one worker", "number of workers", "speed-up, round by round")
	var lines benchSeries
	most := 1.
	for _, f := range p.files {
		for _, r := range f.Bench.Results {
			if r.SpeedUp == nil {
				continue
			}
			size := numbers.Plural(r.Agents, "agent")
			name, looks := terminal.Shorten(r.Name, 60)+", "+size, [3]string{size, r.Name, r.Name}
			if len(p.files) > 1 {
				name, looks[0], looks[2] = f.Label+": "+name, f.Label, size
			}
			half := speedUpSpread(f.Bench, &r)
			most = max(most, float64(r.Workers))
			lines.add(name, looks, sheet.Point{X: float64(r.Workers), Y: *r.SpeedUp, Low: max(*r.SpeedUp-half, 0), High: *r.SpeedUp + half})
		}
	}
	if len(lines.all) == 0 {
		return nil, fmt.Errorf("no speed-up in %s: it takes crowd with one worker and with more", p.files[0].Name)
	}
	panel.AddSeries(sheet.Joined, sheet.Series{Name: "ideal", Color: -1, Dash: 1, Points: sheet.Points{sheet.At(1, 1), sheet.At(most, most)}})
	panel.AddSeries(sheet.Joined|sheet.Marked|sheet.Barred, lines.all...)
	panel.X.Tick.Marker = sheet.Ticks{Whole: true, Across: true}
	panel.FromZero()
	return panel, nil
}

// speedUpSpread returns half the interquartile range of a speed-up. Where it is not the median of the
// ratios of each round, as in Go benchmark lines, the spreads of both costs add up as those of independent
// figures do.
func speedUpSpread(f *bench.File, r *bench.Result) float64 {
	for _, one := range f.Results {
		if one.Workers != 1 || r.Workers == 1 || one.Name != r.Name || one.By != r.By || one.Agents != r.Agents {
			continue
		}
		ratios := make([]float64, min(len(one.Samples), len(r.Samples)))
		for k := range ratios {
			ratios[k] = one.Samples[k] / r.Samples[k]
		}
		if math.Abs(quantile.Of(ratios, 0.5)-*r.SpeedUp) <= 1e-9**r.SpeedUp {
			return *r.SpeedUp * quantile.Spread(ratios)
		}
		return *r.SpeedUp * math.Hypot(one.Spread, r.Spread)
	}
	return 0
}
