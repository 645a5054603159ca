package picture

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// manyTargets is how many targets have the smallest marks.
const manyTargets = 2000

// drawTargets draws a cross at every target, with a ring around it while there
// are few. The more targets, the smaller and fainter: thousands must not hide
// the crowd. A target that many agents share counts once. em is the size of
// the letters in pixels.
func drawTargets(img *image.RGBA, f frame, em float64, targets []r2.Vec) {
	places := placesOf(f, targets)
	if len(places) == 0 {
		return
	}
	m := markFor(len(places), em)
	// On average the marks may cover a fifteenth of the frame.
	area := float64(f.bounds.Dx() * f.bounds.Dy())
	m.opacity = min(m.opacity, area/15/(4*m.arm*m.line*float64(len(places))))
	l := newLayer(f.bounds)
	for _, p := range places {
		l.mark(p, m)
	}
	l.paint(img, &goals)
}

// goals is the scale of a layer that has but one colour.
var goals = [topLevel + 1]color.RGBA{goal}

// placesOf returns where in the image the targets in the frame are. None is
// given twice, unless there are manyTargets.
func placesOf(f frame, targets []r2.Vec) []r2.Vec {
	seen := make(map[r2.Vec]bool)
	var places []r2.Vec
	for _, t := range targets {
		if !usable(t) || len(places) < manyTargets && seen[t] {
			continue
		}
		if p := f.at(t); f.shows(p, 1) {
			places = append(places, p)
			if len(places) < manyTargets {
				seen[t] = true
			}
		}
	}
	return places
}

// mark says how a target is drawn. Lengths are in pixels.
type mark struct {
	arm, line float64 // half the length of the cross, and its thickness
	opacity   float64
	ring      bool
}

// markFor returns the mark that suits n targets: the largest for up to ten,
// the smallest from manyTargets on.
func markFor(n int, em float64) mark {
	size := 1 - math.Log10(max(float64(n)/10, 1))/math.Log10(manyTargets/10)
	size = max(size, 0)
	arm := max((0.12+0.3*size)*em, 2)
	return mark{arm: arm, line: max(0.26*arm, 1), opacity: 0.45 + 0.55*size, ring: size > 0.4}
}

// mark adds a target at p.
func (l *layer) mark(p r2.Vec, m mark) {
	arm, half := m.arm, m.line/2
	l.box(r2.Vec{X: p.X - arm, Y: p.Y - half}, r2.Vec{X: p.X + arm, Y: p.Y + half}, m.opacity)
	l.box(r2.Vec{X: p.X - half, Y: p.Y - arm}, r2.Vec{X: p.X + half, Y: p.Y - half}, m.opacity)
	l.box(r2.Vec{X: p.X - half, Y: p.Y + half}, r2.Vec{X: p.X + half, Y: p.Y + arm}, m.opacity)
	if m.ring {
		l.ring(p, 0.62*arm, 0.8*m.line, m.opacity)
	}
}
