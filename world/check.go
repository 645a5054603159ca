package world

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// check returns an error that names the first agent with a value that is not
// allowed.
func (w *World) check(r *Rows) error {
	columns := []func(*Rows) error{
		each(func(p *c.Position) error { return checkFinite("position", p.Vec) }),
		each(func(v *c.Velocity) error { return checkFinite("velocity", v.Vec) }),
		each(func(t *c.Target) error { return checkFinite("target", t.Vec) }),
		each(func(f *c.Steering) error { return checkFinite("steering", f.Vec) }),
		each(checkHeading),
		each(func(m *c.Mass) error { return above("mass", m.Kilograms, "kg") }),
		each(func(r *c.Radius) error { return atLeast("radius", r.Meters, "m") }),
		each(checkLimits),
	}
	for _, column := range columns {
		if w.Interrupted() {
			return ErrInterrupted
		}
		if err := column(r); err != nil {
			return err
		}
	}
	for i := range w.behaviors {
		if w.Interrupted() {
			return ErrInterrupted
		}
		if err := w.checkBehavior(r, &w.behaviors[i]); err != nil {
			return err
		}
	}
	return w.checkModes(r)
}

// each applies a check to one component of all agents.
func each[T any](check func(*T) error) func(*Rows) error {
	return func(r *Rows) error {
		column := Column[T](r)
		for i := range column {
			if err := check(&column[i]); err != nil {
				return fmt.Errorf("agent %d: %w", Column[c.Agent](r)[i].ID, err)
			}
		}
		return nil
	}
}

func checkHeading(h *c.Heading) error {
	if n := vec.Norm(h.Vec); !(math.Abs(n-1) < 1e-9) {
		return fmt.Errorf("heading is (%v, %v) of length %v, want a unit vector", h.X, h.Y, n)
	}
	return nil
}

func checkLimits(l *c.Limits) error {
	if err := atLeast("max speed", l.MaxSpeed, "m/s"); err != nil {
		return err
	}
	if !(l.MaxForce >= 0) { // infinity means no limit
		return fmt.Errorf("max force is %v N, want 0 or more", l.MaxForce)
	}
	return nil
}

func checkObstacle(at r2.Vec, o c.Obstacle) error {
	if err := checkFinite("position of obstacle", at); err != nil {
		return err
	}
	if err := checkFinite("span of obstacle", o.Span); err != nil {
		return err
	}
	return atLeast("radius of obstacle", o.Radius, "m")
}

// checkRing returns what is wrong with the corners of a polygon.
func checkRing(corners []r2.Vec) error {
	if len(corners) < 3 {
		return fmt.Errorf("polygon has %d corners, want 3 or more", len(corners))
	}
	for i, p := range corners {
		if !vec.Finite(p) {
			return checkFinite(fmt.Sprintf("corner %d of polygon", i), p)
		}
	}
	if fault := space.RingFault(corners); fault != "" {
		return fmt.Errorf("polygon %s", fault)
	}
	return nil
}

func checkFinite(name string, v r2.Vec) error {
	if !vec.Finite(v) {
		return fmt.Errorf("%s is (%v, %v), want finite numbers", name, v.X, v.Y)
	}
	return nil
}

func above(name string, x float64, unit string) error {
	if !(x > 0) || math.IsInf(x, 1) {
		return fmt.Errorf("%s is %v %s, want a finite number above 0", name, x, unit)
	}
	return nil
}

func atLeast(name string, x float64, unit string) error {
	if !(x >= 0) || math.IsInf(x, 1) {
		return fmt.Errorf("%s is %v %s, want a finite number, 0 or more", name, x, unit)
	}
	return nil
}
