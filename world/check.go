package world

import (
	"fmt"
	"math"
	"reflect"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
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
		each(func(s *c.ThreatScan) error { return atLeast("look-ahead", s.LookAhead, "m") }),
		each(func(a *c.Avoidance) error { return atLeast("avoidance force", a.MaxForce, "N") }),
		each(func(s *c.KinematicSeek) error { return atLeast("kinematic seek gain", s.Gain, "") }),
		each(func(a *c.OpposingArrival) error {
			return kinematic("opposing arrival", a.Gain, a.SlowingRadius, a.TimeConstant)
		}),
		each(func(a *c.DampedArrival) error {
			return kinematic("damped arrival", a.Gain, a.SlowingRadius, a.TimeConstant)
		}),
		each(checkSmooth),
		each(func(f *c.Flee) error {
			if err := checkFinite("point of flee", f.From); err != nil {
				return err
			}
			return atLeast("flee radius", f.Radius, "m")
		}),
		each(func(a *c.Arrival) error { return atLeast("slowing radius", a.SlowingRadius, "m") }),
		each(func(f *c.Facing) error { return atLeast("facing rate", f.Rate, "1/s") }),
		each(func(t *c.TurnTowards) error { return atLeast("turn rate", t.Rate, "rad/s") }),
		each(func(t *c.TurnAway) error { return atLeast("turn rate", t.Rate, "rad/s") }),
		each(func(d *c.Drive) error {
			if err := atLeast("drive speed", d.Speed, "m/s"); err != nil {
				return err
			}
			return atLeast("drive top speed", d.TopSpeed, "m/s")
		}),
		each(func(q *c.Quarry) error { return checkSighting("quarry", (*c.TrackedEntity)(q)) }),
		each(func(p *c.Pursuer) error { return checkSighting("pursuer", (*c.TrackedEntity)(p)) }),
		each(func(p *c.Pursuit) error { return horizon("pursuit", p.Horizon) }),
		each(func(e *c.Evasion) error {
			if err := horizon("evasion", e.Horizon); err != nil {
				return err
			}
			return atLeast("evasion radius", e.Radius, "m")
		}),
		each(func(p *c.OffsetPursuit) error {
			if err := horizon("offset pursuit", p.Horizon); err != nil {
				return err
			}
			return atLeast("distance of offset pursuit", p.Distance, "m")
		}),
		each(checkWander),
		each(checkContainment),
		each(checkWallFollowing),
		each(checkSeparation),
		each(checkAlignment),
		each(checkCohesion),
		each(checkUnaligned),
		each(checkORCA),
		each(func(s *c.Solid) error {
			if !(s.Push >= 0 && s.Push <= 1) {
				return fmt.Errorf("push of solid is %v, want 0 to 1", s.Push)
			}
			return nil
		}),
		each(func(g *c.Goal) error { return atLeast("goal radius", g.Radius, "m") }),
		each(func(it *c.Itinerary) error { return atLeast("reached distance of itinerary", it.Reached, "m") }),
		each(func(p *c.Path) error { return atLeast("reached distance of path", p.Reached, "m") }),
	}
	for _, column := range columns {
		if w.Interrupted() {
			return ErrInterrupted
		}
		if err := column(r); err != nil {
			return err
		}
	}
	if err := w.checkShares(r); err != nil {
		return err
	}
	return w.checkModes(r)
}

// together lists what behaviors cannot do without: without it their systems
// would pass the agents by, and nobody would know why.
var together = []struct {
	behavior any
	needs    []any
}{
	{c.Seek{}, []any{c.Target{}, c.Limits{}}},
	{c.KinematicSeek{}, []any{c.Target{}, c.Limits{}}},
	{c.Arrival{}, []any{c.Target{}, c.Limits{}}},
	{c.OpposingArrival{}, []any{c.Target{}}},
	{c.DampedArrival{}, []any{c.Target{}}},
	{c.SmoothArrival{}, []any{c.Target{}}},
	{c.Flee{}, []any{c.Limits{}}},
	{c.FleeFrom{}, []any{c.Flee{}}},
	{c.Follow{}, []any{c.Target{}}},
	{c.Path{}, []any{c.Target{}}},
	{c.Itinerary{}, []any{c.Target{}}},
	{c.Goal{}, []any{c.Target{}}},
	{c.TurnTowards{}, []any{c.Target{}}},
	{c.TurnAway{}, []any{c.Flee{}}},
	{c.Pursuit{}, []any{c.Quarry{}, c.Limits{}}},
	{c.OffsetPursuit{}, []any{c.Quarry{}, c.Limits{}}},
	{c.Evasion{}, []any{c.Pursuer{}, c.Limits{}}},
	{c.Wander{}, []any{c.Limits{}}},
	{c.WallFollowing{}, []any{c.Limits{}}},
	{c.Separation{}, []any{c.Limits{}}},
	{c.Alignment{}, []any{c.Limits{}}},
	{c.Cohesion{}, []any{c.Limits{}}},
	{c.UnalignedCollisionAvoidance{}, []any{c.Limits{}}},
	{c.Avoidance{}, []any{c.ThreatScan{}}},
	{c.ORCA{}, []any{c.Limits{}}},
}

// checkTogether refuses a behavior without what it needs.
func checkTogether(has map[reflect.Type]bool) error {
	for _, rule := range together {
		for _, need := range rule.needs {
			if has[reflect.TypeOf(rule.behavior)] && !has[reflect.TypeOf(need)] {
				return fmt.Errorf("%T needs %T", rule.behavior, need)
			}
		}
	}
	return nil
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

// checkShares refuses a gain that would remove more than the whole error in one
// step: gain·dt/mass above 1 swings, and above 2 grows without end.
func (w *World) checkShares(r *Rows) error {
	mass := Column[c.Mass](r)
	share := func(name string, i int, gain float64) error {
		m := 1.
		if mass != nil {
			m = mass[i].Kilograms
		}
		if tau := gain * w.Clock.Dt / m; !(tau >= 0 && tau <= 1) {
			return fmt.Errorf("agent %d: %s gain is %v kg/s, want 0 to mass/dt = %v", Column[c.Agent](r)[i].ID, name, gain, m/w.Clock.Dt)
		}
		return nil
	}
	for i, s := range Column[c.Seek](r) {
		if err := share("seek", i, s.Gain); err != nil {
			return err
		}
	}
	for i, s := range Column[c.Flee](r) {
		if err := share("flee", i, s.Gain); err != nil {
			return err
		}
	}
	for i, s := range Column[c.Arrival](r) {
		if err := share("arrival", i, s.Gain); err != nil {
			return err
		}
	}
	for i, s := range Column[c.SmoothArrival](r) {
		if err := share("smooth arrival", i, s.Gain); err != nil {
			return err
		}
	}
	for i, s := range Column[c.Pursuit](r) {
		if err := share("pursuit", i, s.Gain); err != nil {
			return err
		}
	}
	for i, s := range Column[c.Evasion](r) {
		if err := share("evasion", i, s.Gain); err != nil {
			return err
		}
	}
	for i, s := range Column[c.OffsetPursuit](r) {
		if err := share("offset pursuit", i, s.Gain); err != nil {
			return err
		}
	}
	for i, s := range Column[c.Wander](r) {
		if err := share("wander", i, s.Gain); err != nil {
			return err
		}
	}
	for i, s := range Column[c.Containment](r) {
		if err := share("containment", i, s.Gain); err != nil {
			return err
		}
	}
	for i, s := range Column[c.WallFollowing](r) {
		if err := share("wall following", i, s.Gain); err != nil {
			return err
		}
	}
	return checkFlockingShares(r, share)
}

// checkModes refuses what the configured rules do not know, and waypoints that
// an arrival would never reach.
func (w *World) checkModes(r *Rows) error {
	for i, body := range Column[c.Radius](r) {
		if w.config.Scan != systems.ScanExact && body.Meters > 0 && Column[c.ThreatScan](r) != nil {
			return fmt.Errorf("agent %d: radius is %v m, but the configured scan knows only agents that are points", Column[c.Agent](r)[i].ID, body.Meters)
		}
	}
	paths := len(*resource(w.ECS, &systems.Paths{}))
	for i, p := range Column[c.Path](r) {
		if int(p.Index) >= paths {
			return fmt.Errorf("agent %d: path is %d, but the world has %d; AddPath comes first", Column[c.Agent](r)[i].ID, p.Index, paths)
		}
	}
	if smooth := Column[c.SmoothArrival](r); smooth != nil {
		for i, p := range Column[c.Path](r) {
			if !(p.Reached > smooth[i].Min) {
				return fmt.Errorf("agent %d: reached distance of path is %v m, want above %v, the distance at which smooth arrival stops", Column[c.Agent](r)[i].ID, p.Reached, smooth[i].Min)
			}
		}
	}
	return nil
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

func checkSmooth(a *c.SmoothArrival) error {
	if !(a.Min >= 0) || !(a.Min < a.Max) || math.IsInf(a.Max, 1) {
		return fmt.Errorf("smooth arrival is from %v to %v m, want 0 ≤ min < max", a.Min, a.Max)
	}
	return nil
}

func checkSighting(name string, s *c.TrackedEntity) error {
	if err := checkFinite("place of "+name, s.At); err != nil {
		return err
	}
	return checkFinite("velocity of "+name, s.Velocity)
}

// horizon refuses what is no time to look ahead; infinity means no limit.
func horizon(name string, x float64) error {
	if !(x >= 0) {
		return fmt.Errorf("horizon of %s is %v s, want 0 or more", name, x)
	}
	return nil
}

func checkWander(b *c.Wander) error {
	if err := atLeast("distance of wander", b.Distance, "m"); err != nil {
		return err
	}
	if err := atLeast("radius of wander", b.Radius, "m"); err != nil {
		return err
	}
	return atLeast("rate of wander", b.Rate, "1/s")
}

func checkContainment(b *c.Containment) error {
	if size := vec.Sub(b.Box.Max, b.Box.Min); b.Box != (r2.Box{}) && !(size.X > 0 && size.Y > 0 && vec.Finite(size)) {
		return fmt.Errorf("box of containment is %v, want finite sides above 0, or the zero box", b.Box)
	}
	return atLeast("horizon of containment", b.Horizon, "s")
}

func checkWallFollowing(b *c.WallFollowing) error {
	if err := atLeast("horizon of wall following", b.Horizon, "s"); err != nil {
		return err
	}
	if err := atLeast("offset of wall following", b.Offset, "m"); err != nil {
		return err
	}
	return atLeast("range of wall following", b.Range, "m")
}

func kinematic(name string, gain, radius, timeConstant float64) error {
	if err := atLeast(name+" gain", gain, ""); err != nil {
		return err
	}
	if err := atLeast("slowing radius", radius, "m"); err != nil {
		return err
	}
	return above("time constant", timeConstant, "s")
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
