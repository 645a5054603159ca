package report

import (
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

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
