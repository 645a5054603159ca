package scene

import (
	"fmt"
	"math"
	"sort"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Options is what a scene does not say about a run.
type Options struct {
	Workers int  // goroutines that share a step; 0: one for each processor
	Measure bool // count collisions
	Profile bool // time the systems
}

// crowd is a scene that is being built, or runs.
type crowd struct {
	*Scene
	firsts []uint64 // id of the first agent of each group
	point  ecs.Entity
}

// Build makes a world of the scene. The error names what is wrong.
func (s *Scene) Build(o Options) (*world.World, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	build := &crowd{Scene: s}
	config := world.Config{
		Seed: s.Seed, Dt: s.Dt, Workers: o.Workers,
		Bounds: s.Bounds, Box: s.Box, Scan: s.Scan, AvoidOutward: s.AvoidOutward,
		FaithfulFacing: s.FaithfulFacing, FaithfulArrivals: s.FaithfulArrivals,
		Measure: o.Measure, Profile: o.Profile, OnArrived: build.arrived,
	}
	if s.Pointer != nil {
		config.Sense = []any{&pointer{crowd: build}}
	}
	w, err := world.New(config)
	if err != nil {
		return nil, fmt.Errorf("scene %s: %w", s.Name, err)
	}
	if err := build.fill(w); err != nil {
		w.Close()
		return nil, fmt.Errorf("scene %s: %w", s.Name, err)
	}
	return w, nil
}

// check refuses what Build cannot make.
func (s *Scene) check() error {
	if n := s.Agents(); n < 1 || n > world.MaxAgents {
		return fmt.Errorf("scene %s: agents is %d, want 1 to %d", s.Name, n, world.MaxAgents)
	}
	for i := range s.Groups {
		g := &s.Groups[i]
		if (g.TargetPointer || g.FleePointer) && s.Pointer == nil {
			return fmt.Errorf("scene %s: group %d follows a pointer, but the scene has none", s.Name, i)
		}
		if g.Path != nil && int(g.Path.Index) >= len(s.Paths) {
			return fmt.Errorf("scene %s: group %d follows path %d, but the scene has %d", s.Name, i, g.Path.Index, len(s.Paths))
		}
	}
	if p := s.Pointer; p != nil && (len(p.Way) < 2 || !(p.Speed > 0) || math.IsInf(p.Speed, 1)) {
		return fmt.Errorf("scene %s: pointer has %d points and speed %v m/s, want 2 or more and a speed above 0", s.Name, len(p.Way), p.Speed)
	}
	return nil
}

func (s *crowd) fill(w *world.World) error {
	if err := s.obstacles(w); err != nil {
		return err
	}
	for _, path := range s.Paths {
		if _, err := w.AddPath(path); err != nil {
			return err
		}
	}
	if s.Pointer != nil {
		s.point = w.ECS.NewEntity()
		systems.Add(w.ECS, s.point, c.Position{Vec: s.Pointer.at(0)})
	}
	w.Obstacles.Sense(w.ECS) // so that places can be drawn clear of them
	first := uint64(1)
	for i := range s.Groups {
		s.firsts = append(s.firsts, first)
		first += uint64(s.Groups[i].Count)
		if err := s.spawn(w, i); err != nil {
			return err
		}
	}
	return nil
}

func (s *crowd) obstacles(w *world.World) error {
	circles := s.Obstacles.Circles
	if p := s.Obstacles.Pillars; p != nil {
		circles = append(circles[:len(circles):len(circles)], p.circles(s.Scene)...)
	}
	for _, o := range circles {
		if _, err := w.AddObstacle(o.At, c.Obstacle{Radius: o.Radius}); err != nil {
			return err
		}
	}
	for _, o := range s.Obstacles.Walls {
		if _, err := w.AddObstacle(o.A, c.Obstacle{Span: vec.Sub(o.B, o.A), Radius: o.Radius}); err != nil {
			return err
		}
	}
	for _, corners := range s.Obstacles.Polygons {
		if _, err := w.AddPolygon(corners); err != nil {
			return err
		}
	}
	return nil
}

// circles returns the pillars, row by row.
func (p *Pillars) circles(s *Scene) []Circle {
	centre := vec.Scale(0.5, vec.Add(s.Box.Min, s.Box.Max))
	var all []Circle
	for row := range p.Rows {
		for column := range p.Columns {
			k := uint64(len(all))
			jitter := func(axis uint64) float64 {
				return float64(p.Jitter * (float64(2*systems.Draw(s.Seed, k, axis, 4*usePillar)) - 1))
			}
			all = append(all, Circle{Radius: p.Radius, At: r2.Vec{
				X: centre.X + float64(p.Pitch*(float64(column)-float64(float64(p.Columns-1)/2))) + jitter(0),
				Y: centre.Y + float64(p.Pitch*(float64(row)-float64(float64(p.Rows-1)/2))) + jitter(1),
			}})
		}
	}
	return all
}

// spawn makes the agents of a group.
func (s *crowd) spawn(w *world.World, group int) error {
	g := &s.Groups[group]
	if g.Count == 0 {
		return nil
	}
	return w.Spawn(g.Count, g.components(s), func(r *world.Rows) {
		agent, pos, vel := world.Column[c.Agent](r), world.Column[c.Position](r), world.Column[c.Velocity](r)
		heading, target := world.Column[c.Heading](r), world.Column[c.Target](r)
		for i := range pos {
			id := agent[i].ID
			vel[i].Vec = g.Velocity
			if g.Speed > 0 {
				sin, cos := vec.SinCos(2 * math.Pi * systems.Draw(s.Seed, id, 0, 4*useDirection))
				vel[i].Vec = r2.Vec{X: g.Speed * cos, Y: g.Speed * sin}
			}
			if heading != nil && vel[i].Vec != (r2.Vec{}) {
				heading[i].Vec = vec.Unit(vel[i].Vec)
			}
			pos[i].Vec = g.At.at(s.Scene, w.Obstacles, i, g.Count, id, 0, useStart)
			if g.Target != nil {
				target[i].Vec = g.Target.at(s.Scene, w.Obstacles, i, g.Count, id, 0, useTarget)
			}
		}
		set(world.Column[c.Radius](r), func(i int, x *c.Radius) { x.Metres = g.Radius.Of(i) })
		set(world.Column[c.Mass](r), func(i int, x *c.Mass) { x.Kilograms = g.Mass.Of(i) })
		set(world.Column[c.Limits](r), func(i int, x *c.Limits) {
			x.MaxSpeed, x.MaxForce = g.MaxSpeed.Of(i), g.MaxForce.Of(i)
		})
		set(world.Column[c.Goal](r), func(i int, x *c.Goal) {
			x.Radius, x.Remove = g.Goal.Radius.Of(i), g.Goal.Then == Leave
		})
	})
}

func set[T any](column []T, to func(i int, x *T)) {
	for i := range column {
		to(i, &column[i])
	}
}

// components returns what the agents of a group start with.
func (g *Group) components(s *crowd) []any {
	var all []any
	add := func(has bool, comp any) {
		if has {
			all = append(all, comp)
		}
	}
	add(true, c.Limits{})
	add(!g.Radius.Zero(), c.Radius{})
	add(!g.Mass.Zero(), c.Mass{})
	add(g.Target != nil || g.TargetPointer || g.Path != nil, c.Target{})
	add(g.TargetPointer, c.Follow{Entity: s.point})
	add(g.FleePointer, c.FleeFrom{Entity: s.point})
	add(g.Goal != nil, c.Goal{})
	all = give(all, g.Seek)
	all = give(all, g.KinematicSeek)
	all = give(all, g.Flee)
	all = give(all, g.Arrival)
	all = give(all, g.OpposingArrival)
	all = give(all, g.DampedArrival)
	all = give(all, g.SmoothArrival)
	all = give(all, g.Facing)
	all = give(all, g.TurnTowards)
	all = give(all, g.TurnAway)
	all = give(all, g.Drive)
	all = give(all, g.Path)
	all = give(all, g.ThreatScan)
	all = give(all, g.Avoidance)
	return all
}

func give[T any](all []any, comp *T) []any {
	if comp == nil {
		return all
	}
	return append(all, *comp)
}

// arrived gives an agent that wanders its next target.
func (s *crowd) arrived(w *world.World, a systems.Arrived) {
	k := sort.Search(len(s.firsts), func(i int) bool { return s.firsts[i] > a.ID }) - 1
	if k < 0 {
		return // an agent that a host added
	}
	g := &s.Groups[k]
	if g.Goal == nil || g.Goal.Then != Wander || g.Target == nil {
		return
	}
	i := int(a.ID - s.firsts[k])
	w.Retarget(a.Entity, g.Target.at(s.Scene, w.Obstacles, i, g.Count, a.ID, uint64(a.Visit)+1, useTarget))
}
