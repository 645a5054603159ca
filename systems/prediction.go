package systems

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"gonum.org/v1/gonum/spatial/r2"
)

// lead returns the way from an agent to where another one will be, which is at
// to from it now and has velocity w; v and maxSpeed are the agent's own. It is
// zero only if the other one is at the same place now, or comes to that by
// PredictDistance or PredictBearing.
func (m Prediction) lead(to, v, w r2.Vec, maxSpeed, horizon float64) r2.Vec {
	d := vec.Norm(to)
	if d == 0 || w == (r2.Vec{}) || !(horizon > 0) {
		return to
	}
	u := vec.Unit(to)
	t := d / maxSpeed
	switch m {
	case PredictMeeting:
		t = meetingTime(d, u, w, maxSpeed)
	case PredictBearing:
		t *= bearingFactor(vec.Unit(v), u, vec.Unit(w))
	}
	if !(t <= horizon) {
		t = horizon
	}
	if at := vec.AddScaled(to, t, w); vec.Finite(at) {
		return at
	}
	return w // after so long a time only the direction is left
}

// meetingTime returns the time in which an agent can meet another one, in s, that is
// at the distance d in the direction u and has velocity w; +Inf if it never can.
func meetingTime(d float64, u, w r2.Vec, maxSpeed float64) float64 {
	away, across := vec.Dot(u, w), math.Abs(vec.Cross(u, w))
	closing := math.Sqrt(max((maxSpeed-across)*(maxSpeed+across), 0)) - away
	if !(closing > 0) {
		return math.Inf(1)
	}
	return d / closing
}

// bearingFactors are by the bearing of the other one (behind, aside, ahead), and
// within that by the courses (against, across, alike).
var bearingFactors = [3][3]float64{{2, 2, 0.5}, {4, 0.8, 1}, {0.85, 1.8, 4}}

// bearingFactor returns the factor of PredictBearing, for the unit vectors of the
// agent's course, the direction to the other one, and its course. An agent at
// rest has the other one aside, and its course across.
func bearingFactor(course, to, other r2.Vec) float64 {
	return bearingFactors[sector(vec.Dot(course, to))][sector(vec.Dot(course, other))]
}

// sector reports whether a cosine is of the rear quarter of a turn, 0, of the
// front quarter, 2, or of one of those between them, 1.
func sector(cos float64) int {
	switch {
	case cos < -math.Sqrt2/2:
		return 0
	case cos > math.Sqrt2/2:
		return 2
	}
	return 1
}

// predicted is the horizon of a behavior that predicts: in Go there may be no limit.
func predicted(at *float64) catalog.Param {
	return catalog.Number("horizon", at, "s", "how far ahead it predicts at most").Within(catalog.OrInfinite).InFile(catalog.ZeroOrMore)
}
