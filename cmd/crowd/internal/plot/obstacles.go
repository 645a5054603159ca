package plot

import (
	"context"
	"fmt"
	"image/color"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/simulation"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// obstaclesOf returns the obstacles of a scene.
func obstaclesOf(ctx context.Context, name string) (all []world.ObstacleShape, err error) {
	s, err := scene.Open(name, scene.OpenOptions{Context: ctx})
	if err != nil {
		return nil, fmt.Errorf("--scene: %w", err)
	}
	s.Resize(len(s.Groups))
	w, err := simulation.Build(ctx, s, scene.Options{Workers: 1})
	if err != nil {
		return nil, fmt.Errorf("--scene: %w", err)
	}
	defer w.Close()
	w.EachObstacle(func(o world.ObstacleShape) { all = append(all, o) })
	return all, nil
}

// obstaclesPlot draws obstacles beneath ways.
type obstaclesPlot struct {
	shapes []world.ObstacleShape
	color  color.Color
}

func (o *obstaclesPlot) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := func(v r2.Vec) vg.Point { return vg.Point{X: x(v.X), Y: y(v.Y)} }
	c.SetColor(o.color)
	for i := range o.shapes {
		s := &o.shapes[i]
		radius := x(s.A.X+s.Radius) - x(s.A.X)
		switch {
		case len(s.Corners) > 0:
			var corners []vg.Point
			for _, corner := range s.Corners {
				corners = append(corners, at(corner))
			}
			c.FillPolygon(o.color, c.ClipPolygonXY(corners))
		case s.A == s.B:
			if !c.Contains(at(s.A)) {
				continue
			}
			var disc vg.Path
			disc.Move(vg.Point{X: at(s.A).X + radius, Y: at(s.A).Y})
			disc.Arc(at(s.A), radius, 0, 2*math.Pi)
			disc.Close()
			c.Fill(disc)
		default:
			c.StrokeLines(draw.LineStyle{Color: o.color, Width: max(2*radius, 1)}, c.ClipLinesXY([]vg.Point{at(s.A), at(s.B)})...)
		}
	}
}
