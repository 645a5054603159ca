package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// Figures are what a run did beside what it cost. A figure that is nil was not
// measured, or there was nothing to measure.
type Figures struct {
	ArrivedShare      *float64 `json:"arrived_share"`
	TimedOutShare     *float64 `json:"timed_out_share"`
	SuccessShare      *float64 `json:"success_share"`
	MedianArrivalTime *float64 `json:"median_arrival_time"`
	P95ArrivalTime    *float64 `json:"p95_arrival_time"`
	MaxArrivalTime    *float64 `json:"max_arrival_time"`
	Flow              *float64 `json:"flow"`

	AgentPenetration     *float64 `json:"agent_penetration"`
	AgentMaxPenetration  *float64 `json:"agent_max_penetration"`
	AgentTimeInCollision *float64 `json:"agent_time_in_collision"`
	AgentLeastClearance  *float64 `json:"agent_least_clearance"`
	AgentCloseShare      *float64 `json:"agent_close_share"`
	NearestP1            *float64 `json:"nearest_p1"`
	NearestP5            *float64 `json:"nearest_p5"`
	NearestP50           *float64 `json:"nearest_p50"`

	ObstaclePenetration     float64  `json:"obstacle_penetration"`
	ObstacleTimeInCollision float64  `json:"obstacle_time_in_collision"`
	ObstacleLeastClearance  *float64 `json:"obstacle_least_clearance"`
	ObstacleCloseShare      *float64 `json:"obstacle_close_share"`

	PathRatio       *float64 `json:"path_ratio"`
	TimeRatio       *float64 `json:"time_ratio"`
	Energy          *float64 `json:"energy"`
	EnergyOptimum   *float64 `json:"energy_optimum"`
	Effort          *float64 `json:"effort"`
	SteerbenchScore *float64 `json:"steerbench_score"`

	Wiggle       *float64 `json:"wiggle"`
	Reversals    *float64 `json:"reversals"`
	Acceleration *float64 `json:"acceleration"`
	Turning      *float64 `json:"turning"`
	Order        *float64 `json:"order"`
}

// note adds a note to those of the scene.
func (r *Report) note(text string) {
	r.Notes = append(r.Notes[:len(r.Notes):len(r.Notes)], text)
}

// measured fills in what the world measured.
func (r *Report) measured(st *world.Stats) {
	j, o, e := &st.Trips, &st.ObstacleCollisions, &st.AgentCollisions
	safety := e.Steps > 0 && !e.Exceeded
	if e.Exceeded {
		r.note("agents with agents were not measured: too many lay in one place")
	}

	r.ArrivedShare = quotient(float64(st.ArrivedOnce), float64(st.Goals))
	r.TimedOutShare = quotient(float64(st.Goals-st.ArrivedOnce), float64(st.Goals))
	if safety {
		r.SuccessShare = quotient(float64(j.Unharmed), float64(st.Goals))
	}
	if st.Arrived > 0 {
		r.MedianArrivalTime, r.P95ArrivalTime, r.MaxArrivalTime = &st.Times.Median, &st.Times.P95, &st.Times.Max
		r.Flow = quotient(float64(st.ArrivedOnce), st.MeanArrivalTime)
	}

	if safety {
		twice := 2 * e.Collisions
		r.Collisions, r.CollisionsSteerbench = &e.Collisions, &twice
		r.AgentPenetration, r.AgentMaxPenetration = &e.Penetration, &e.MaxPenetration
		r.AgentTimeInCollision, r.AgentLeastClearance = &e.TimeInCollision, finite(e.LeastClearance)
		r.AgentCloseShare = quotient(float64(e.Close), float64(e.Steps))
		if st.Nearest.Known {
			r.NearestP1, r.NearestP5, r.NearestP50 = &st.Nearest.P1, &st.Nearest.P5, &st.Nearest.P50
		}
	}
	r.ObstaclePenetration, r.ObstacleTimeInCollision = o.Penetration, o.TimeInCollision
	r.ObstacleLeastClearance = finite(o.LeastClearance)
	if r.ObstacleLeastClearance != nil {
		r.ObstacleCloseShare = quotient(float64(o.Close), float64(o.Steps))
	}

	if j.StraightWays > 0 {
		r.PathRatio = &j.PathRatio
	}
	if j.LimitedWays > 0 {
		r.TimeRatio = &j.TimeRatio
	}
	if j.Ways > 0 {
		r.Energy, r.EnergyOptimum = &j.Energy, &j.EnergyOptimum
	}
	if j.Frames20 && j.Agents > 0 {
		r.Effort = &j.Effort
		if safety {
			collisions := float64(2*e.Collisions+o.Collisions) / float64(j.Agents)
			score := 50*collisions + j.FirstTime + j.Effort
			r.SteerbenchScore = &score
		}
	}

	if j.Line > 0 {
		r.Wiggle = &j.Wiggle
	}
	if j.Seconds > 0 {
		r.Acceleration, r.Reversals = &j.Acceleration, &j.Reversals
	}
	if j.TurnSeconds > 0 {
		r.Turning = &j.Turning
	}
	if j.OrderSteps > 0 {
		r.Order = &j.Order
	}
}

// quotient returns a/b, nil if b is 0.
func quotient(a, b float64) *float64 {
	if b == 0 {
		return nil
	}
	q := a / b
	return &q
}

// finite returns x, nil if it is infinite.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// writeMotion writes how agents moved, beside what recorded people do where lengths are
// meters.
func (r *Report) writeMotion(row cli.Row) {
	length, time := "m", "s"
	if r.pixels {
		length = "px"
		if r.Dt == 1 {
			time = "frame"
		}
	}
	recorded := func(people string) string {
		if r.pixels {
			return ""
		}
		return " (recorded people " + people + ")"
	}
	row("motion", "wiggle %s%s", cli.OrDash("%.3f", r.Wiggle), recorded(measure.RecordedWiggle))
	row("", "reversals %s /%s%s", cli.OrDash("%.3g", r.Reversals), time, recorded(measure.RecordedReversals))
	row("", "acceleration %s %s/%s²%s", cli.OrDash("%.3g", r.Acceleration), length, time, recorded(measure.RecordedAcceleration))
	row("", "turning %s °/%s, order %s", cli.OrDash("%.3g", r.Turning), time, cli.OrDash("%.3f", r.Order))
}

// Line is what was measured at a line.
type Line struct {
	Line         [4]float64 `json:"line"`
	Width        float64    `json:"width"`
	Passed       int        `json:"passed"`
	First        *float64   `json:"first"`
	Last         *float64   `json:"last"`
	Flow         *float64   `json:"flow"`
	SpecificFlow *float64   `json:"specific_flow"`
	Speed        *float64   `json:"speed"`
}

// Area is what was measured in an area.
type Area struct {
	Area       [4]float64 `json:"area"`
	Time       float64    `json:"time"`
	Density    *float64   `json:"density"`
	MaxDensity float64    `json:"max_density"`
	Speed      *float64   `json:"speed"`
}

// measurements fills in what was measured at lines and in areas.
func (r *Report) measurements(s *scene.Scene, st *world.Stats) {
	for k := range st.Lines {
		l, n := &s.Lines[k], &st.Lines[k]
		one := Line{Line: [4]float64{l.A.X, l.A.Y, l.B.X, l.B.Y}, Width: vec.Norm(vec.Sub(l.B, l.A)), Passed: n.Passed}
		if n.Passed > 0 {
			one.First, one.Last, one.Speed = &n.First, &n.Last, &n.Speed
		}
		if flow, ok := n.Flow(); ok {
			one.Flow, one.SpecificFlow = &flow, quotient(flow, one.Width)
		}
		r.Lines = append(r.Lines, one)
	}
	for k := range st.Areas {
		a, n := &s.Areas[k], &st.Areas[k]
		one := Area{Area: [4]float64{a.Min.X, a.Min.Y, a.Max.X, a.Max.Y}, Time: n.Time, MaxDensity: n.MaxDensity}
		if n.Steps > 0 {
			one.Density, one.Speed = &n.Density, &n.Speed
		}
		r.Areas = append(r.Areas, one)
	}
}

// writeMeasurements writes what was measured at lines and in areas.
func (r *Report) writeMeasurements(row cli.Row) {
	for i, l := range r.Lines {
		row(cli.NameIf(i == 0, "lines"), "(%v, %v) to (%v, %v): %s passed, flow %s /s, %s /(m s), at %s m/s", l.Line[0], l.Line[1], l.Line[2], l.Line[3],
			cli.Plural(l.Passed, "agent"), cli.OrDash("%.3g", l.Flow), cli.OrDash("%.3g", l.SpecificFlow), cli.OrDash("%.3g", l.Speed))
	}
	for i, a := range r.Areas {
		row(cli.NameIf(i == 0, "areas"), "(%v, %v) to (%v, %v): %s agents/m², at most %.3g, at %s m/s", a.Area[0], a.Area[1], a.Area[2], a.Area[3],
			cli.OrDash("%.3g", a.Density), a.MaxDensity, cli.OrDash("%.3g", a.Speed))
	}
}

// Places say where a run is measured, beside the lines and areas of the scene.
type Places struct {
	Line []quad `sep:"none" placeholder:"X0,Y0,X1,Y1" help:"Count who passes this line, in meters, and tell the flow. May be repeated."`
	Area []quad `sep:"none" placeholder:"X0,Y0,X1,Y1" help:"Measure density and speed in this area, in meters. May be repeated."`
}

// quad is two points of a command line.
type quad [4]float64

// UnmarshalText reads four finite numbers with commas between them.
func (q *quad) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), ",")
	for i, part := range parts {
		x, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || len(parts) != len(q) {
			return fmt.Errorf("%q is not four numbers, want x0,y0,x1,y1", text)
		}
		q[i] = x
	}
	return nil
}

// MarshalText writes what UnmarshalText reads.
func (q quad) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%v,%v,%v,%v", q[0], q[1], q[2], q[3]), nil
}

// AddTo gives the lines and areas to a scene.
func (f *Places) AddTo(s *scene.Scene) error {
	for _, q := range f.Line {
		l := measure.MeasurementLine{A: r2.Vec{X: q[0], Y: q[1]}, B: r2.Vec{X: q[2], Y: q[3]}}
		if l.A == l.B {
			return fmt.Errorf("--line is from (%v, %v) to the same point, want two", q[0], q[1])
		}
		s.Lines = append(s.Lines, l)
	}
	for _, q := range f.Area {
		a := r2.Box{Min: r2.Vec{X: q[0], Y: q[1]}, Max: r2.Vec{X: q[2], Y: q[3]}}
		if !(a.Min.X < a.Max.X && a.Min.Y < a.Max.Y) {
			return fmt.Errorf("--area is %v,%v,%v,%v, want x0,y0,x1,y1 with x0 < x1 and y0 < y1", q[0], q[1], q[2], q[3])
		}
		s.Areas = append(s.Areas, a)
	}
	if n := len(s.Lines); n > measure.MaxLines {
		return fmt.Errorf("%d lines, with those of the scene, want at most %d", n, measure.MaxLines)
	}
	return nil
}
