package plot

import (
	"context"
	"fmt"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"

	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot/plotter"
)

// motionSheet makes a picture of trajectories.
func (p *drawing) motionSheet(panels ...*Panel) (*Sheet, error) {
	s := &Sheet{Panels: panels, Columns: min(2, len(panels)), Title: cli.Plural(len(p.files), "run")}
	for _, f := range p.files {
		m := f.Motion
		if len(p.files) == 1 {
			s.Title = f.Label
			s.Caption = []string{fmt.Sprintf("%s, %s to %s s", cli.Plural(m.Agents, "agent"), cli.Figure(m.Moments[0].Time), cli.Figure(m.Moments[len(m.Moments)-1].Time))}
		}
		if m.Skipped > 0 {
			p.note("%s of %s rows of %s have a number that is missing or not finite", cli.Thousands(m.Skipped), cli.Thousands(m.Rows), f.Label)
		}
		if m.Unplaced > 0 {
			p.note("distances and paths are of the first %s agents of %s", cli.Thousands(MostPlaced), f.Label)
		}
	}
	return s, nil
}

// motionOverview draws all that follows.
func (p *drawing) motionOverview() (*Sheet, error) {
	paths, err := p.paths(p.files)
	if err != nil {
		return nil, err
	}
	return p.motionSheet(p.speeds(), p.agents(), p.distances(), paths)
}

func (p *drawing) motionSpeed() (*Sheet, error)    { return p.motionSheet(p.speeds()) }
func (p *drawing) motionAgents() (*Sheet, error)   { return p.motionSheet(p.agents()) }
func (p *drawing) motionDistance() (*Sheet, error) { return p.motionSheet(p.distances()) }

func (p *drawing) speeds() *Panel {
	return p.overTime("Speed", "speed (m/s)", func(m Moment) [3]float64 { return m.Speed })
}

func (p *drawing) agents() *Panel {
	return p.overTime("Agents present", "agents", func(m Moment) [3]float64 {
		return [3]float64{float64(m.Agents), float64(m.Agents), float64(m.Agents)}
	})
}

func (p *drawing) distances() *Panel {
	title := "Distance from the start"
	if p.To != nil {
		title = fmt.Sprintf("Distance from (%s, %s)", cli.Figure(p.To[0]), cli.Figure(p.To[1]))
	}
	return p.overTime(title, "distance (m)", func(m Moment) [3]float64 { return m.Distance })
}

// overTime draws the median of a figure, and a band between its quartiles.
func (p *drawing) overTime(title, label string, of func(Moment) [3]float64) *Panel {
	panel, look := NewPanel(p.style, title, "time (s)", label), Joined
	panel.Log(false, p.Log)
	all := make([]Series, len(p.files))
	for i, f := range p.files {
		all[i] = Series{Name: f.Label, Color: i, Dash: i / len(p.style.Lines)}
		for _, m := range f.Motion.Moments {
			q := of(m)
			all[i].Points = append(all[i].Points, Point{X: m.Time, Y: q[1], Low: q[0], High: q[2]})
			if q[0] < q[2] {
				look |= Banded
			}
		}
	}
	if len(all) == 1 {
		all[0].Name = map[bool]string{true: "median, and the middle half of the agents"}[look != Joined]
	}
	panel.AddSeries(look, all...)
	panel.FromZero()
	return panel
}

// motionPaths draws paths, a panel for each file.
func (p *drawing) motionPaths() (*Sheet, error) {
	var panels []*Panel
	for i := range p.files {
		panel, err := p.paths(p.files[i : i+1])
		if err != nil {
			return nil, err
		}
		if panel.High = 700 * Pixel; len(p.files) > 1 {
			panel.High, panel.Title.Text = 440*Pixel, p.files[i].Label
		}
		panels = append(panels, panel)
	}
	return p.motionSheet(panels...)
}

// paths draws paths from a ring to a disc, among the obstacles of --scene.
func (p *drawing) paths(files []*File) (*Panel, error) {
	panel := NewPanel(p.style, "", "x (m)", "y (m)")
	if panel.Plane = true; p.Scene != "" {
		walls, err := obstacles(p.ctx, p.Scene)
		if err != nil {
			return nil, err
		}
		panel.AddWalls(walls)
	}
	n := 0
	for _, f := range files {
		n += len(f.Motion.Paths)
	}
	panel.Title.Text = "Paths of " + cli.Plural(n, "agent")
	for k, f := range files {
		var lines []plotter.XYs
		starts, ends := Series{Color: k, Glyph: 4}, Series{Color: k, Name: f.Label}
		for _, path := range f.Motion.Paths {
			for i, at := range path.Places {
				if i == 0 || leaps(path.Places[i-1], at) {
					lines = append(lines, nil)
				}
				lines[len(lines)-1] = append(lines[len(lines)-1], plotter.XY{X: at.X, Y: at.Y})
			}
			if last := len(path.Places) - 1; last >= 0 {
				starts.Points = append(starts.Points, At(path.Places[0].X, path.Places[0].Y))
				ends.Points = append(ends.Points, At(path.Places[last].X, path.Places[last].Y))
			}
		}
		if len(files) == 1 {
			starts.Name, ends.Name = "start", "last place"
		}
		panel.AddPaths(k, max(0.25, min(0.8, 30/float64(n+1))), lines...)
		panel.AddSeries(Marked, starts, ends)
	}
	return panel, nil
}

// leaps reports whether an agent cannot have walked from one place to another, as where it wraps around.
func leaps(a, b Place) bool {
	d := math.Hypot(b.X-a.X, b.Y-a.Y)
	return d > 5 && d > 3*max(a.Speed, b.Speed)*(b.Time-a.Time)
}

// obstacles returns the outlines of the obstacles of a scene.
func obstacles(ctx context.Context, name string) (all []plotter.XYs, err error) {
	s, err := scene.Open(name, scene.OpenOptions{Context: ctx})
	if err != nil {
		return nil, fmt.Errorf("--scene: %w", err)
	}
	s.Resize(len(s.Groups))
	w, err := run.Build(ctx, s, scene.Options{Workers: 1})
	if err != nil {
		return nil, fmt.Errorf("--scene: %w", err)
	}
	defer w.Close()
	w.EachObstacle(func(o world.ObstacleShape) {
		corners := o.Corners
		if len(corners) == 0 { // a disc, or a wall with round ends
			side := r2.Unit(r2.Sub(o.B, o.A))
			if o.A == o.B {
				side = r2.Vec{X: 1}
			}
			from := math.Atan2(side.Y, side.X) + math.Pi/2
			for i := range 26 {
				center, at := o.A, from+math.Pi*float64(i-i/13)/12
				if i >= 13 {
					center = o.B
				}
				sin, cos := math.Sincos(at)
				corners = append(corners, r2.Add(center, r2.Scale(max(o.Radius, 0.02), r2.Vec{X: cos, Y: sin})))
			}
		}
		var outline plotter.XYs
		for _, at := range corners {
			outline = append(outline, plotter.XY{X: at.X, Y: at.Y})
		}
		all = append(all, outline)
	})
	return all, nil
}
