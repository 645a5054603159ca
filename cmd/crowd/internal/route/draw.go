package route

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/internal/formats/movingai"
	"gonum.org/v1/gonum/spatial/r2"
)

// draw draws the map of the first row with some of its ways, and returns how many.
func (o *Options) draw(r *run, to *output.File) (int, error) {
	if to == nil {
		return 0, nil
	}
	c := pictureOf(r, o.Ways)
	options := picture.Options{Width: o.Width, Dark: o.Dark, Color: picture.Group}
	write := picture.WritePNG
	if strings.EqualFold(filepath.Ext(o.Out), ".svg") {
		write = picture.WriteSVG
	}
	return len(c.Ways), to.Fill(func(w io.Writer) error { return write(w, c, options) })
}

// pictureOf returns a picture of the map of the first row with some of its ways, evenly chosen
// from all of them.
func pictureOf(r *run, most int) *picture.Crowd {
	g := r.Maps[0]
	// Rows are counted downwards, and y in pictures points up.
	flip := func(p r2.Vec) r2.Vec { return r2.Vec{X: p.X, Y: float64(g.Height) - p.Y} }
	c := &picture.Crowd{
		Title: strings.TrimSuffix(filepath.Base(g.File), filepath.Ext(g.File)),
		View:  r2.NewBox(0, 0, float64(g.Width), float64(g.Height)),
		Cells: true,
	}
	for _, s := range g.of.Shapes() {
		ring := make([]r2.Vec, len(s.Ring))
		for i, p := range s.Ring {
			ring[i] = flip(p)
		}
		c.Obstacles = append(c.Obstacles, picture.Obstacle{Ring: ring})
	}
	var found []*Row
	for _, row := range r.Rows {
		if row.in == g && row.Length != nil && row.Start != row.Goal {
			found = append(found, row)
		}
	}
	n := min(most, len(found))
	for i := range n {
		row := found[i*len(found)/n]
		way := picture.Way{Points: []r2.Vec{flip(movingai.Center(row.Start))}, Group: i}
		for _, p := range row.path {
			way.Points = append(way.Points, flip(p))
		}
		c.Ways = append(c.Ways, way)
	}
	c.Caption = fmt.Sprintf("%d of %s, %d × %d cells", n, cli.Plural(len(found), "way"), g.Width, g.Height)
	return c
}
