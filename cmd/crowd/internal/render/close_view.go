package render

import (
	"fmt"
	"image/png"
	"io"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	leastBody = 1.5 // pixels, the radius of a body below which a picture has a close view beside it
	closeBody = 7.  // pixels, the radius of a body there
)

// closeView returns the middle of the picture, near enough to see bodies; false if one
// sees them in the whole.
func (p *Snapshot) closeView() (*picture.Crowd, bool) {
	view, radius := p.crowd.View, 0.
	for i := range p.crowd.Agents {
		radius = max(radius, p.crowd.Agents[i].Radius)
	}
	size := view.Size()
	side := max(size.X, size.Y)
	if scale := picture.DefaultWidth / 2 / side; !p.whole || radius == 0 || radius*scale >= leastBody || !(scale > 0) {
		return nil, false
	}
	near := *p.crowd
	half := math.Round(picture.DefaultWidth / 2 / (closeBody / radius) / 2)
	middle := view.Center()
	corner := r2.Vec{X: half, Y: half * size.Y / size.X}
	near.View = r2.Box{Min: r2.Sub(middle, corner), Max: r2.Add(middle, corner)}
	near.Targets, near.Goals = nil, nil
	near.About = ""
	near.Title, near.Caption = "in the middle", fmt.Sprintf("%.0f of %.0f m", 2*half, size.X)
	return &near, true
}

// writeBoth writes two pictures side by side.
func writeBoth(to io.Writer, left, right *picture.Crowd, look picture.Options) error {
	return png.Encode(to, picture.NewPanels([]*picture.Crowd{left, right}, look, false).Draw(left, right))
}
