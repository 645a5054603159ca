package plot

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/plot/plotter"
)

// place is the position and speed of an agent at a moment.
type place struct {
	moment            int
	time, x, y, speed float64
}

// mostPaths limits the number of paths of a file. Only the paths with the lowest ranks are drawn.
const mostPaths = 100

// rank returns the rank of the path of an agent. Fibonacci hashing makes a fair sample.
func rank(id uint64) uint64 { return (id + 1) * 0x9e3779b97f4a7c15 }

// startPath starts the path of an agent, and drops the path with the highest rank if there are too many.
func (m *motionReader) startPath(id uint64) {
	m.Paths[id] = nil
	if len(m.Paths) > mostPaths {
		highest := id
		for other := range m.Paths {
			if rank(other) > rank(highest) {
				highest = other
			}
		}
		delete(m.Paths, highest)
	}
}

// paths draws paths among the obstacles of --scene, with a ring at the start and a disc at the end.
func (p *drawing) paths() (*Panel, error) {
	panel, n := NewPanel(p.style, "", "x (m)", "y (m)"), 0
	if panel.Plane = true; p.Scene != "" {
		if err := p.obstacles(panel); err != nil {
			return nil, err
		}
	}
	for _, f := range p.files {
		n += len(f.Motion.Paths)
	}
	panel.Title.Text = "Paths of " + cli.Plural(n, "agent")
	for k, f := range p.files {
		starts, ends := Series{Color: k, Glyph: 4}, Series{Color: k, Name: f.Label}
		if len(p.files) == 1 {
			starts.Name, ends.Name = "start", "last place"
		}
		for _, id := range slices.Sorted(maps.Keys(f.Motion.Paths)) {
			places := f.Motion.Paths[id]
			var lines []plotter.XYs
			for i, at := range places {
				if i == 0 || leaps(places[i-1], at) {
					lines = append(lines, nil)
				}
				lines[len(lines)-1] = append(lines[len(lines)-1], plotter.XY{X: at.x, Y: at.y})
			}
			for _, xys := range lines {
				if line, err := plotter.NewLine(xys); err == nil {
					line.Color = Pale(p.style.Line(k), max(0.25, min(0.8, 30/float64(n+1))))
					panel.Add(line)
				}
			}
			if last := len(places) - 1; last >= 0 {
				starts.Points = append(starts.Points, At(places[0].x, places[0].y))
				ends.Points = append(ends.Points, At(places[last].x, places[last].y))
			}
		}
		panel.AddSeries(Marked, starts, ends)
	}
	return panel, nil
}

// leaps reports whether an agent jumped from a to b instead of walking, as at a wrapping edge.
func leaps(a, b place) bool {
	d := math.Hypot(b.x-a.x, b.y-a.y)
	return d > 5 && d > 3*max(a.speed, b.speed)*(b.time-a.time)
}

// obstacles draws the obstacles of --scene. It resets the ranges of the axes, so only what is drawn later
// widens them.
func (p *drawing) obstacles(panel *Panel) error {
	s, err := scene.Open(p.Scene, scene.OpenOptions{Context: p.ctx})
	if err != nil {
		return fmt.Errorf("--scene: %w", err)
	}
	s.Resize(len(s.Groups))
	w, err := run.Build(p.ctx, s, scene.Options{Workers: 1})
	if err != nil {
		return fmt.Errorf("--scene: %w", err)
	}
	defer w.Close()
	w.Inspect().EachObstacle(func(o world.ObstacleShape) {
		var outline plotter.XYs
		if len(o.Corners) == 0 { // a disc, or a wall with round ends
			o.Corners = picture.Capsule(o.A, o.B, max(o.Radius, 0.02))
		}
		for _, at := range o.Corners {
			outline = append(outline, plotter.XY{X: at.X, Y: at.Y})
		}
		panel.area(outline, Pale(p.style.Faint, 0.6))
	})
	panel.X.Min, panel.X.Max, panel.Y.Min, panel.Y.Max = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	return nil
}
