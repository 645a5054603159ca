package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

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
