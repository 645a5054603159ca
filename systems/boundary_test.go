package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestBoundaryRoll(t *testing.T) {
	const gap = 1e-3
	up := r2.Vec{Y: 1}
	for _, tt := range []struct {
		name   string
		walls  []space.Shape
		from   c.BoundaryPoint
		left   bool
		at     r2.Vec
		normal r2.Vec
		ok     bool
	}{
		{"along a wall, to the right", []space.Shape{wallFrom(xy(-9, 0), xy(9, 0))}, c.BoundaryPoint{At: r2.Vec{Y: 1 + gap}, Normal: up}, false, r2.Vec{X: -0.5, Y: 1 + gap}, up, true},
		{"to the left", []space.Shape{wallFrom(xy(-9, 0), xy(9, 0))}, c.BoundaryPoint{At: r2.Vec{Y: 1 + gap}, Normal: up}, true, r2.Vec{X: 0.5, Y: 1 + gap}, up, true},
		{"round an end", []space.Shape{wallFrom(xy(-9, 0), xy(0, 0))}, c.BoundaryPoint{At: r2.Vec{Y: 1 + gap}, Normal: up}, true, r2.Vec{X: 0.5 * (1 + gap), Y: math.Sqrt(0.75) * (1 + gap)}, r2.Vec{X: 0.5, Y: math.Sqrt(0.75)}, true},
		{"to a corner", []space.Shape{wallFrom(xy(-9, 0), xy(9, 0)), wallFrom(xy(1.2, -9), xy(1.2, 9))}, c.BoundaryPoint{At: r2.Vec{Y: 1 + gap}, Normal: up}, true, r2.Vec{X: 0.1, Y: 1 + gap}, up, true},
		{"into a corner", []space.Shape{wallFrom(xy(-9, 0), xy(9, 0)), wallFrom(xy(1.05, -9), xy(1.05, 9))}, c.BoundaryPoint{At: r2.Vec{Y: 1 + gap}, Normal: up}, true, r2.Vec{X: 0.05 - gap, Y: 1 + gap}, r2.Vec{X: -1}, true},
		{"over a gap in which it does not fit", []space.Shape{wallFrom(xy(-9, 0), xy(-0.4, 0)), wallFrom(xy(0.4, 0), xy(9, 0))}, c.BoundaryPoint{At: r2.Vec{X: -0.4, Y: 1 + gap}, Normal: up}, true, r2.Vec{X: 0.1, Y: 0.954 + gap}, r2.Vec{X: -0.3, Y: 0.954}, true},
		{"from nothing", nil, c.BoundaryPoint{At: r2.Vec{Y: 1}, Normal: up}, true, r2.Vec{Y: 1}, up, false},
	} {
		d := boundaryBody{snapshotOf(tt.walls...), 1, gap, 0.5, 10}
		got, ok := d.roll(tt.from, tt.left)
		if ok != tt.ok || vec.Norm(vec.Sub(got.At, tt.at)) > 2*gap || vec.Norm(vec.Sub(got.Normal, tt.normal)) > 2*gap {
			t.Errorf("%s: got=%v, %v, want=%v, %v, %v", tt.name, got, ok, tt.at, tt.normal, tt.ok)
		}
		testkit.Near(t, got.Along, vec.Norm(vec.Sub(got.At, tt.from.At)), gap, "%s, along", tt.name)
	}
}

func TestBoundaryGap(t *testing.T) {
	for _, tt := range []struct {
		gap     float64
		through bool
	}{{1.9, false}, {1.99, false}, {2.02, true}, {2.5, true}} {
		d := boundaryBody{snapshotOf(wallFrom(xy(-9, 0), xy(0, 0)), wallFrom(xy(tt.gap, 0), xy(9, 0))), 1, 1e-3, 0.5, 10}
		p, through := c.BoundaryPoint{At: r2.Vec{X: -2, Y: 1.001}, Normal: r2.Vec{Y: 1}}, false
		for p.At.X < 5 && !through && p.Along < 20 {
			p, _ = d.roll(p, true)
			through = p.At.Y < 0
		}
		testkit.Equal(t, through, tt.through, "gap of %v m: passes through, at %v", tt.gap, p.At)
	}
}

func TestBoundaryFit(t *testing.T) {
	for _, tt := range []struct {
		name  string
		walls []space.Shape
		p     r2.Vec
		ok    bool
	}{
		{"free", nil, r2.Vec{}, true},
		{"pressed to a wall", []space.Shape{wallFrom(xy(-9, 0), xy(9, 0))}, r2.Vec{Y: 0.9}, true},
		{"in a corner", []space.Shape{wallFrom(xy(-9, 0), xy(9, 0)), wallFrom(xy(0, -9), xy(0, 9))}, r2.Vec{X: 0.8, Y: 0.9}, true},
		{"between walls", []space.Shape{wallFrom(xy(-9, 0), xy(9, 0)), wallFrom(xy(-9, 1.5), xy(9, 1.5))}, r2.Vec{Y: 0.7}, false},
	} {
		o := snapshotOf(tt.walls...)
		d := boundaryBody{o, 1, 1e-3, 0.5, 10}
		q, ok := d.fit(tt.p, r2.Vec{X: 50})
		testkit.Equal(t, ok, tt.ok, "%s: fits", tt.name)
		if near, is := o.Nearest(q, 1); ok && is && near.Distance < 1 {
			t.Errorf("%s: distance from a wall at %v: got=%v m, want=1 or more", tt.name, q, near.Distance)
		}
	}
}
