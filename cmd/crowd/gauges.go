package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// gaugeFlags say where a run is measured, beside the lines and areas of the scene.
type gaugeFlags struct {
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

// add gives the lines and areas to a scene.
func (f *gaugeFlags) add(s *scene.Scene) error {
	for _, q := range f.Line {
		l := systems.MeasurementLine{A: r2.Vec{X: q[0], Y: q[1]}, B: r2.Vec{X: q[2], Y: q[3]}}
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
	if n := len(s.Lines); n > systems.MaxLines {
		return fmt.Errorf("%d lines, with those of the scene, want at most %d", n, systems.MaxLines)
	}
	return nil
}

// lineReport is what was measured at a line.
type lineReport struct {
	Line         [4]float64 `json:"line"`
	Width        float64    `json:"width"`
	Passed       int        `json:"passed"`
	First        *float64   `json:"first"`
	Last         *float64   `json:"last"`
	Flow         *float64   `json:"flow"`
	SpecificFlow *float64   `json:"specific_flow"`
	Speed        *float64   `json:"speed"`
}

// areaReport is what was measured in an area.
type areaReport struct {
	Area       [4]float64 `json:"area"`
	Time       float64    `json:"time"`
	Density    *float64   `json:"density"`
	MaxDensity float64    `json:"max_density"`
	Speed      *float64   `json:"speed"`
}

// gauges fills in what was measured at lines and in areas.
func (r *report) gauges(s *scene.Scene, st *world.Stats) {
	for k := range st.Lines {
		l, n := &s.Lines[k], &st.Lines[k]
		one := lineReport{Line: [4]float64{l.A.X, l.A.Y, l.B.X, l.B.Y}, Width: vec.Norm(vec.Sub(l.B, l.A)), Passed: n.Passed}
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
		one := areaReport{Area: [4]float64{a.Min.X, a.Min.Y, a.Max.X, a.Max.Y}, Time: n.Time, MaxDensity: n.MaxDensity}
		if n.Steps > 0 {
			one.Density, one.Speed = &n.Density, &n.Speed
		}
		r.Areas = append(r.Areas, one)
	}
}

// writeGauges writes what was measured at lines and in areas.
func (r *report) writeGauges(row func(name, format string, args ...any)) {
	for i, l := range r.Lines {
		row(terminal.NameIf(i == 0, "lines"), "(%v, %v) to (%v, %v): %s passed, flow %s /s, %s /(m s), at %s m/s", l.Line[0], l.Line[1], l.Line[2], l.Line[3],
			numbers.Plural(l.Passed, "agent"), numbers.OrDash("%.3g", l.Flow), numbers.OrDash("%.3g", l.SpecificFlow), numbers.OrDash("%.3g", l.Speed))
	}
	for i, a := range r.Areas {
		row(terminal.NameIf(i == 0, "areas"), "(%v, %v) to (%v, %v): %s agents/m², at most %.3g, at %s m/s", a.Area[0], a.Area[1], a.Area[2], a.Area[3],
			numbers.OrDash("%.3g", a.Density), a.MaxDensity, numbers.OrDash("%.3g", a.Speed))
	}
}
