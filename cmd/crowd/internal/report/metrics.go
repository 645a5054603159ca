package report

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/internal/walking"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// Metric describes a metric of a report. It is read from the tags of a field of Report, Line or Area: json,
// kind, and metric:"name|unit|better|text", where better is more, less or empty.
type Metric struct {
	Column string // JSON name, such as agents or lines[].flow
	Name   string // in plots; empty means Column
	Unit   string
	Better int    // positive if more is better, negative if less is
	Text   string // in docs/report.md
	Kind   string // cost: varies from run to run; local: depends on process or machine; setting: what was run; empty: result
	index  []int
}

// In returns the column for the line or area with the given index.
func (f Metric) In(row int) string {
	return strings.Replace(f.Column, "[]", "["+strconv.Itoa(row)+"]", 1)
}

// Axis returns the label for an axis of a plot.
func (f Metric) Axis() string {
	if f.Unit == "" {
		return f.Name
	}
	return f.Name + ", " + f.Unit
}

// Scale returns the factor that converts a value in the column to f.Unit.
func (f Metric) Scale() float64 {
	switch f.Unit {
	case "%":
		return 100
	case "ms":
		return 1e-6 // such columns are in ns
	}
	return 1
}

// Of returns the value of the metric in a *Report, *Line or *Area, and reports whether it was measured.
func (f Metric) Of(from any) (x float64, ok bool) {
	v := reflect.ValueOf(from).Elem().FieldByIndex(f.index)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return 0, false
		}
		v = v.Elem()
	}
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	}
	return v.Float(), true
}

// These are the metrics, in the order of their fields.
var (
	OfReport = metricsOf(reflect.TypeFor[Report](), "")
	OfLine   = metricsOf(reflect.TypeFor[Line](), "lines[].")
	OfArea   = metricsOf(reflect.TypeFor[Area](), "areas[].")
)

func metricsOf(t reflect.Type, prefix string) (all []Metric) {
	for _, f := range reflect.VisibleFields(t) {
		tag, ok := f.Tag.Lookup("metric")
		if !ok {
			continue
		}
		column, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		parts := strings.SplitN(tag, "|", 4)
		better := map[string]int{"more": 1, "less": -1}[parts[2]]
		all = append(all, Metric{prefix + column, parts[0], parts[1], better, parts[3], f.Tag.Get("kind"), f.Index})
	}
	return all
}

// Metrics are further results of a run. A nil metric was not measured, or there was nothing to measure.
type Metrics struct {
	ArrivedShare      *float64 `json:"arrived_share" metric:"agents that arrived|%|more|of the agents with a goal"`
	TimedOutShare     *float64 `json:"timed_out_share" metric:"agents that did not arrive|%|less|of the agents with a goal"`
	SuccessShare      *float64 `json:"success_share" metric:"agents that arrived without a collision|%|more|of the agents with a goal"`
	MedianArrivalTime *float64 `json:"median_arrival_time" metric:"median arrival time|s|less|"`
	P95ArrivalTime    *float64 `json:"p95_arrival_time" metric:"95th-percentile arrival time|s|less|"`
	MaxArrivalTime    *float64 `json:"max_arrival_time" metric:"longest arrival time|s|less|"`
	Flow              *float64 `json:"flow" metric:"flow|agents/s|more|agents that arrived ÷ mean arrival time"`

	AgentPenetration     *float64 `json:"agent_penetration" metric:"total overlap of agents|m|less|deepest overlap per collision"`
	AgentMaxPenetration  *float64 `json:"agent_max_penetration" metric:"deepest overlap of agents|m|less|at any time"`
	AgentTimeInCollision *float64 `json:"agent_time_in_collision" metric:"time that agents overlapped|s|less|summed over pairs"`
	AgentLeastClearance  *float64 `json:"agent_least_clearance" metric:"least clearance between agents|m|more|negative in an overlap"`
	AgentCloseShare      *float64 `json:"agent_close_share" metric:"agent-steps closer than 0.2 m to another body|%|less|"`
	NearestP1            *float64 `json:"nearest_p1" metric:"1st-percentile distance to the nearest agent|m|more|center to center, every eighth step"`
	NearestP5            *float64 `json:"nearest_p5" metric:"5th-percentile distance to the nearest agent|m|more|"`
	NearestP50           *float64 `json:"nearest_p50" metric:"median distance to the nearest agent|m||"`

	ObstaclePenetration     float64  `json:"obstacle_penetration" metric:"total overlap with obstacles|m|less|deepest overlap per collision"`
	ObstacleTimeInCollision float64  `json:"obstacle_time_in_collision" metric:"time of overlaps with obstacles|s|less|summed over pairs"`
	ObstacleLeastClearance  *float64 `json:"obstacle_least_clearance" metric:"least clearance from obstacles|m|more|negative in an overlap"`
	ObstacleCloseShare      *float64 `json:"obstacle_close_share" metric:"agent-steps closer than 0.2 m to obstacles|%|less|"`

	PathRatio       *float64 `json:"path_ratio" metric:"path length|× straight line|less|mean over trips that ended with an arrival"`
	TimeRatio       *float64 `json:"time_ratio" metric:"trip time|× fastest|less|relative to the straight line at maximum speed; same mean"`
	Energy          *float64 `json:"energy" metric:"energy|J/kg|less|Σ(2.23 + 1.26·v²)dt until arrival, for speed v (Guy et al. 2010)"`
	EnergyOptimum   *float64 `json:"energy_optimum" metric:"least energy|J/kg||2·L·√(2.23·1.26) for a straight line of length L"`
	Effort          *float64 `json:"effort" metric:"effort|m²/s²|less|Σ½v² over steps of 0.05 s, mean over agents with a goal"`
	SteerbenchScore *float64 `json:"steerbench_score" metric:"SteerBench score||less|50·collisions per agent + time to the first arrival + effort"`

	MeanSpeed    *float64 `json:"mean_speed" metric:"mean speed|m/s||length of all paths ÷ time on the way, summed over agents"`
	Wiggle       *float64 `json:"wiggle" metric:"wiggle||less|length of the path at every step ÷ length through positions 0.4 s apart"`
	Reversals    *float64 `json:"reversals" metric:"reversals|1/s|less|turns over 90° between moves longer than 0.02 m, per agent"`
	Acceleration *float64 `json:"acceleration" metric:"acceleration|m/s²|less|mean change of velocity between moves ÷ their time"`
	Turning      *float64 `json:"turning" metric:"turning|°/s|less|angle between moves ÷ their time"`
	Order        *float64 `json:"order" metric:"|||mean cosine between velocity and the direction of the target"`
}

// note adds a note without modifying those of the scene.
func (r *Report) note(text string) {
	r.Notes = append(r.Notes[:len(r.Notes):len(r.Notes)], text)
}

func (r *Report) measured(st *world.Stats) {
	j, o, e := &st.Trips, &st.ObstacleCollisions, &st.AgentCollisions
	safety := e.Steps > 0 && !e.Exceeded
	if e.Exceeded {
		r.note("collisions among agents were not measured: too many agents in one place")
	}

	r.ArrivedShare = quotient(float64(st.ArrivedOnce), float64(st.Goals))
	r.TimedOutShare = quotient(float64(st.Goals-st.ArrivedOnce), float64(st.Goals))
	if safety {
		r.SuccessShare = quotient(float64(j.Unharmed), float64(st.Goals))
	}
	if st.Arrived > 0 {
		r.MedianArrivalTime, r.P95ArrivalTime, r.MaxArrivalTime = seconds(st.Times.Median), seconds(st.Times.P95), seconds(st.Times.Max)
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
	if r.ObstacleLeastClearance = finite(o.LeastClearance); r.ObstacleLeastClearance != nil {
		r.ObstacleCloseShare = quotient(float64(o.Close), float64(o.Steps))
	}

	r.PathRatio, r.TimeRatio = when(j.StraightTrips > 0, j.PathRatio), when(j.LimitedTrips > 0, j.TimeRatio)
	r.Energy, r.EnergyOptimum = when(j.Trips > 0, j.Energy), when(j.Trips > 0, j.EnergyOptimum)
	if j.Frames20 && j.Agents > 0 {
		r.Effort = &j.Effort
		if safety {
			collisions := float64(2*e.Collisions+o.Collisions) / float64(j.Agents)
			score := 50*collisions + j.FirstTime + j.Effort
			r.SteerbenchScore = &score
		}
	}

	r.MeanSpeed = quotient(j.Length, float64(j.Steps)*r.Dt)
	r.Wiggle, r.Turning, r.Order = when(j.Line > 0, j.Wiggle), when(j.TurnSeconds > 0, j.Turning), when(j.OrderSteps > 0, j.Order)
	r.Acceleration, r.Reversals = when(j.Seconds > 0, j.Acceleration), when(j.Seconds > 0, j.Reversals)
}

func when(measured bool, x float64) *float64 {
	if !measured {
		return nil
	}
	return &x
}

// seconds returns x, in s, rounded to a nanosecond, which removes the rounding errors of a sum of steps.
func seconds(x float64) *float64 { return when(true, math.Round(x*1e9)/1e9) }

func quotient(a, b float64) *float64 { return when(b != 0, a/b) }

func finite(x float64) *float64 { return when(!math.IsInf(x, 0), x) }

func (r *Report) writeMotion(row cli.Row) {
	length, time := "m", "s"
	if r.pixels {
		length = "px"
		if r.Dt == 1 {
			time = "frame"
		}
	}
	people := func(do string) string {
		if r.pixels {
			return ""
		}
		return " (recorded people: " + do + ")"
	}
	row("motion", "mean speed %s %s/%s", cli.OrDash("%.3g", r.MeanSpeed), length, time)
	row("", "wiggle %s%s", cli.OrDash("%.3f", r.Wiggle), people(walking.RecordedWiggle))
	row("", "reversals %s /%s%s", cli.OrDash("%.3g", r.Reversals), time, people(walking.RecordedReversals))
	row("", "acceleration %s %s/%s²%s", cli.OrDash("%.3g", r.Acceleration), length, time, people(walking.RecordedAcceleration))
	row("", "turning %s °/%s, order %s", cli.OrDash("%.3g", r.Turning), time, cli.OrDash("%.3f", r.Order))
}

// Line holds the measurements at a line.
type Line struct {
	Line         [4]float64 `json:"line"`
	Width        float64    `json:"width" metric:"|m||length of the line"`
	Passed       int        `json:"passed" metric:"agents that passed||more|each counted once"`
	First        *float64   `json:"first" metric:"|s||time of the first crossing"`
	Last         *float64   `json:"last" metric:"|s||time of the last crossing"`
	Flow         *float64   `json:"flow" metric:"flow|agents/s|more|(N − 1)/Δt: N agents, Δt from the first to the last"`
	SpecificFlow *float64   `json:"specific_flow" metric:"flow per meter|agents/s/m|more|flow ÷ width"`
	Speed        *float64   `json:"speed" metric:"|m/s||mean speed at the crossing"`
}

// Area holds the measurements in an area.
type Area struct {
	Area       [4]float64 `json:"area"`
	Time       float64    `json:"time" metric:"|s||with at least one agent inside"`
	Density    *float64   `json:"density" metric:"|agents/m²||mean while agents are inside"`
	MaxDensity float64    `json:"max_density" metric:"|agents/m²||highest after a step"`
	Speed      *float64   `json:"speed" metric:"|m/s||mean over agent-steps"`
}

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
		one := Area{Area: [4]float64{a.Min.X, a.Min.Y, a.Max.X, a.Max.Y}, Time: *seconds(float64(math.Round(n.Time/s.Dt) * s.Dt)), MaxDensity: n.MaxDensity}
		if n.Steps > 0 {
			one.Density, one.Speed = &n.Density, &n.Speed
		}
		r.Areas = append(r.Areas, one)
	}
}

func (r *Report) writeMeasurements(row cli.Row) {
	for i, l := range r.Lines {
		row(cli.NameIf(i == 0, "lines"), "(%v, %v) to (%v, %v): %s passed, flow %s agents/s, %s agents/s/m, speed %s m/s", l.Line[0], l.Line[1], l.Line[2], l.Line[3],
			cli.Plural(l.Passed, "agent"), cli.OrDash("%.3g", l.Flow), cli.OrDash("%.3g", l.SpecificFlow), cli.OrDash("%.3g", l.Speed))
	}
	for i, a := range r.Areas {
		row(cli.NameIf(i == 0, "areas"), "(%v, %v) to (%v, %v): density %s agents/m², at most %.3g, speed %s m/s", a.Area[0], a.Area[1], a.Area[2], a.Area[3],
			cli.OrDash("%.3g", a.Density), a.MaxDensity, cli.OrDash("%.3g", a.Speed))
	}
}

// Places holds the flags for further lines and areas to measure.
type Places struct {
	Line []quad `sep:"none" placeholder:"X0,Y0,X1,Y1" help:"Count the agents that cross this line, in meters, and report the flow. May be repeated."`
	Area []quad `sep:"none" placeholder:"X0,Y0,X1,Y1" help:"Measure density and speed in this area, in meters. May be repeated."`
}

type quad [4]float64

// UnmarshalText parses four finite numbers separated by commas.
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

// MarshalText is the inverse of UnmarshalText.
func (q quad) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%v,%v,%v,%v", q[0], q[1], q[2], q[3]), nil
}

// AddTo adds the lines and areas to a scene. It returns an error for a line of length 0, an empty area, or
// too many lines.
func (f *Places) AddTo(s *scene.Scene) error {
	for _, q := range f.Line {
		l := measure.MeasurementLine{A: r2.Vec{X: q[0], Y: q[1]}, B: r2.Vec{X: q[2], Y: q[3]}}
		if l.A == l.B {
			return fmt.Errorf("--line is from (%v, %v) to the same point, want two points", q[0], q[1])
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
		return fmt.Errorf("--line gives %d lines, including those of the scene, want at most %d", n, measure.MaxLines)
	}
	return nil
}
