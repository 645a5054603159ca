package picture

import (
	"image"

	"gonum.org/v1/gonum/spatial/r2"
)

// A Wake is the way that an agent has just come. It fades towards its tail.
type Wake struct {
	Agent  Agent     // whose
	Points []r2.Vec  // m, the oldest first
	Speeds []float64 // m/s, at each point; nil: that of the agent
}

// strongest is the opacity of a wake at its head.
const strongest = 0.75

// A stroke is a leg of a wake, ready to be drawn.
type stroke struct {
	a, b      r2.Vec // pixels
	widths    [2]float64
	opacities [2]float64
	value     value
	wake      int32
}

// strokesOf returns the legs of all wakes that can be seen, wake by wake. A leap across the
// view is left out: the agent was put to another place, as at a wrapping edge.
func strokesOf(f viewport, wakes []Wake, c *coloring, s spotting) (all []stroke) {
	longest := longestLeg * float64(f.bounds.Dx())
	for w := range wakes {
		wake := &wakes[w]
		head := wakeWidth(length(wake.Agent.Radius)*f.scale, s)
		n := float64(len(wake.Points) - 1)
		for i := 1; i < len(wake.Points); i++ {
			if !usable(wake.Points[i-1]) || !usable(wake.Points[i]) {
				continue
			}
			a, b := f.at(wake.Points[i-1]), f.at(wake.Points[i])
			if a == b || r2.Norm(r2.Sub(b, a)) > longest || !f.shows(a, longest) {
				continue
			}
			was := wake.Agent
			was.Heading = r2.Sub(wake.Points[i], wake.Points[i-1])
			if i < len(wake.Speeds) {
				was.Speed = wake.Speeds[i]
			}
			from, to := float64(i-1)/n, float64(i)/n
			width := func(t float64) float64 { return head * (0.35 + 0.65*t) }
			all = append(all, stroke{a, b, [2]float64{width(from), width(to)},
				[2]float64{strongest * from, strongest * to}, c.of(&was), int32(w)})
		}
	}
	return all
}

// wakeWidth returns how wide the wake of an agent begins, in pixels.
func wakeWidth(r float64, s spotting) float64 {
	return min(max(0.8*max(r, s.least), 1), 6)
}

// drawStrokes draws strokes into the band of the picture that l covers. The legs
// of one wake add up, so that they join; of several wakes the strongest counts.
func drawStrokes(l, scratch *layer, strokes []stroke) {
	var touched image.Rectangle
	for i := range strokes {
		s := &strokes[i]
		touched = touched.Union(scratch.leg(s.a, s.b, s.widths, s.opacities, s.value))
		if i+1 == len(strokes) || strokes[i+1].wake != s.wake {
			l.merge(scratch, touched)
			touched = image.Rectangle{}
		}
	}
}

// merge moves what is in a rectangle of another layer of the same size into l,
// as one opaque shape.
func (l *layer) merge(from *layer, box image.Rectangle) {
	for y := box.Min.Y; y < box.Max.Y; y++ {
		to, row := l.row(y), from.row(y)
		for x := box.Min.X - l.bounds.Min.X; x < box.Max.X-l.bounds.Min.X; x++ {
			if c := &row[x]; c.weight > 0 {
				to[x].cap(c.cover, c.mean())
				*c = cell{}
			}
		}
	}
}
