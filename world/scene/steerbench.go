package scene

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/formats/steerbench"
	"github.com/8f878440/crowd/internal/formats/umans"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

// What SteerBench files leave to the simulator.
const (
	steerbenchDt = 0.05 // s, its clock of 20 frames a second
	// Its RVO and social-force agents leave within this many radii of their goal.
	steerbenchGoal = 2.5
	// A file has no end: it runs for three times as long as the longest way takes and half
	// a minute, and for as long as all agents but one take to pass a door, but not longer than the most.
	steerbenchSlack, doorSeconds, steerbenchMost = 30, 1, 600 // s
)

// openSteerbench reads a SteerBench test case and places what it leaves to
// chance, by the seed.
func openSteerbench(path string, o OpenOptions) (*Scene, error) {
	if o.Obstacles != "" {
		return nil, fmt.Errorf("%s: a SteerBench file has obstacles of its own, and takes none from another file", path)
	}
	test, err := steerbench.Read(path, steerbench.Options{Lenient: o.Lenient, Context: o.Context})
	if err != nil {
		return nil, err
	}
	placed, err := test.Place(o.context(), o.seed())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s := &Scene{
		Name: baseName(path), Text: "SteerBench test case", Seed: o.seed(), Dt: steerbenchDt, Files: []string{path}, Warnings: test.Warnings,
		Notes: []string{
			fmt.Sprintf("agents leave within %v radii of their last goal", steerbenchGoal),
		},
	}
	for _, o := range placed.Obstacles {
		switch len(o.Outline) {
		case 0:
			s.Obstacles.Circles = append(s.Obstacles.Circles, Circle{o.Center, o.Radius})
		case 2:
			s.Obstacles.Walls = append(s.Obstacles.Walls, Wall{A: o.Outline[0], B: o.Outline[1]})
		default:
			s.Obstacles.Polygons = append(s.Obstacles.Polygons, o.Outline)
		}
	}
	longest := 0.
	var where []member // of each agent
	for _, kind := range []struct {
		agents []steerbench.Agent
		then   Then
	}{{placed.Agents, Leave}, {placed.Emitters, Again}} {
		for _, a := range kind.agents {
			if err := ended(o.context(), len(where), dearRows); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			stops, took := stopsOf(&a, placed.Agents)
			longest = max(longest, took)
			where = append(where, s.walker(&a, kind.then, stops))
		}
	}
	s.number(where)
	if len(s.Groups) == 0 {
		return nil, fmt.Errorf("%s:%d: no agents: want at least one <agent>, <agentRegion> or <agentEmitter>", path, test.Line)
	}
	s.steer(o.model())
	s.Steps = int(math.Ceil(min(float64(3*longest)+steerbenchSlack+float64(doorSeconds*(len(where)-1)), steerbenchMost) / s.Dt))
	return s, nil
}

// baseName returns the name of a file without folders and endings.
func baseName(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".xml")
}

// stopsOf returns what an agent does, and how long that takes on straight ways, to
// where others are at the start. Stops that go by another agent have its index
// among all. A goal that names no agent is left out: the reader has said so.
func stopsOf(a *steerbench.Agent, all []steerbench.Agent) (stops []systems.Stop, took float64) {
	at := a.Position
	for _, g := range a.Goals {
		stop := systems.Stop{Speed: g.Speed}
		if !math.IsInf(g.Duration, 1) {
			stop.Duration = g.Duration
		}
		to := at
		if g.Agent >= 0 {
			stop.Other = uint32(g.Agent)
		}
		switch g.Kind {
		case steerbench.SeekMoving, steerbench.FleeMoving:
			if g.Agent < 0 {
				continue
			}
			stop.Kind = systems.StopFleeFrom
			if g.Kind == steerbench.SeekMoving {
				stop.Kind, to = systems.StopFollow, all[g.Agent].Position
			}
		case steerbench.FlowMoving:
			stop.Kind = systems.StopFlowWith
			if g.Agent < 0 {
				stop.Kind, stop.Direction = systems.StopFlow, a.Direction
			}
		case steerbench.SeekTarget:
			stop.At, to = g.Target, g.Target
		case steerbench.SeekRegion:
			stop.Kind, stop.Box = systems.StopBox, g.Region
			to = r2.Vec{X: min(max(at.X, g.Region.Min.X), g.Region.Max.X), Y: min(max(at.Y, g.Region.Min.Y), g.Region.Max.Y)}
		case steerbench.FleeTarget:
			stop.Kind, stop.At = systems.StopFlee, g.Target
		case steerbench.Flow:
			stop.Kind, stop.Direction = systems.StopFlow, g.Direction
		case steerbench.Idle:
			stop.Kind = systems.StopIdle
		}
		if stop.Kind >= systems.StopFlee && stop.Kind != systems.StopFollow {
			took += stop.Duration // there is no place to reach
		} else if g.Speed > 0 {
			took += vec.Norm(vec.Sub(to, at)) / g.Speed
		}
		at = to
		stops = append(stops, stop)
	}
	return stops, took
}

// member is an agent of a group.
type member struct{ group, index int }

// number gives stops that go by another agent its number in the scene, in place
// of that in the file.
func (s *Scene) number(where []member) {
	before := make([]int, len(s.Groups)) // agents
	for i := 1; i < len(before); i++ {
		before[i] = before[i-1] + s.Groups[i-1].Count
	}
	for i := range s.Groups {
		for _, stops := range s.Groups[i].Itineraries {
			for k := range stops {
				if stops[k].GoesBy() {
					m := where[stops[k].Other]
					stops[k].Other = uint32(before[m.group] + m.index + 1)
				}
			}
		}
	}
}

// walker adds an agent to the group of those that begin like it, a new one if
// there is none.
func (s *Scene) walker(a *steerbench.Agent, then Then, stops []systems.Stop) member {
	velocity := vec.Scale(a.Speed, vec.Unit(a.Direction))
	var g *Group
	var m member
	for i := range s.Groups {
		if h := &s.Groups[i]; h.Velocity == velocity && (h.Goal == nil) == (len(stops) == 0) && (h.Goal == nil || h.Goal.Then == then) {
			g, m.group = h, i
		}
	}
	if g == nil {
		s.Groups = append(s.Groups, Group{Velocity: velocity})
		m.group = len(s.Groups) - 1
		g = &s.Groups[m.group]
		if len(stops) > 0 {
			g.Goal, g.Target = &Goal{Then: then}, &Place{}
		}
	}
	m.index = g.Count
	g.Count++
	g.At.Points = append(g.At.Points, a.Position)
	g.Radius.Each = append(g.Radius.Each, a.Radius)
	speed := a.Speed
	if len(stops) > 0 {
		g.Goal.Radius.Each = append(g.Goal.Radius.Each, steerbenchGoal*a.Radius)
		g.Target.Points = append(g.Target.Points, a.Position)
		g.Itineraries = append(g.Itineraries, stops)
		speed = max(speed, stops[0].Speed)
	}
	if speed == 0 {
		speed = steerbench.DefaultSpeed
	}
	g.MaxSpeed.Each = append(g.MaxSpeed.Each, speed)
	return m
}

// What UMANS files leave to the simulator.
const (
	umansDt = 0.1 // s, for a bare file of agents
	// A file without an end runs for as long as the longest way takes, half as long
	// again, and as long as all agents but one take to pass a door, within these bounds.
	umansLeastTime, umansMostTime = 100, 600 // s
)

// openUMANS reads a UMANS file. Agents walk at their preferred speed. Those that
// leave at their goal walk up to it, those that stay arrive there.
func openUMANS(path string, o OpenOptions) (*Scene, error) {
	sim, err := umans.Read(path, umans.Options{Obstacles: o.Obstacles, Lenient: o.Lenient, OtherRoots: otherRoots, Allow: o.Allow, Context: o.Context})
	if err != nil {
		return nil, err
	}
	s := &Scene{
		Name: sim.Name, Text: "UMANS scenario", Seed: 1, Dt: umansDt, Files: sim.Files, Warnings: sim.Warnings,
	}
	if sim.Dt > 0 {
		s.Dt = sim.Dt
	}
	end := sim.EndTime
	if end <= 0 {
		end = umansLeastTime
		for _, a := range sim.Agents {
			end = max(end, 1.5*r2.Norm(r2.Sub(a.Goal, a.Position))/max(walkingSpeed(a), 0.1))
		}
		end = min(end+float64(doorSeconds*max(len(sim.Agents)-1, 0)), umansMostTime)
	}
	s.Steps = int(max(1, min(math.Round(end/s.Dt), math.MaxInt32)))
	if sim.Toric {
		half := r2.Vec{X: sim.Width / 2, Y: sim.Height / 2}
		s.Box, s.Bounds = r2.Box{Min: r2.Scale(-1, half), Max: half}, systems.BoundsWrap
	}
	for _, line := range sim.Obstacles {
		if len(line) == 2 {
			s.Obstacles.Walls = append(s.Obstacles.Walls, Wall{A: line[0], B: line[1]})
			continue
		}
		s.Obstacles.Polygons = append(s.Obstacles.Polygons, line)
	}
	goalRadius := sim.GoalRadius
	if goalRadius == 0 {
		goalRadius = umans.DefaultGoalRadius
	}
	var idle, leave, stay []umans.Agent
	late := false
	for _, a := range sim.Agents {
		late = late || a.StartTime > 0
		switch {
		case !a.HasGoal:
			idle = append(idle, a)
		case a.RemoveAtGoal:
			leave = append(leave, a)
		default:
			stay = append(stay, a)
		}
	}
	if late {
		s.Notes = append(s.Notes, "agents with a start time stand at their place until then")
	}
	if err := o.context().Err(); err != nil && len(sim.Agents) >= cheapRows {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.add(idle, goalRadius, func(g *Group) { g.Target, g.Goal = nil, nil })
	s.add(leave, goalRadius, func(g *Group) { g.Goal.Then = Leave })
	s.add(stay, goalRadius, func(*Group) {})
	s.steer(o.model())
	return s, nil
}

// add adds a group of agents from a file, with what set gives them.
func (s *Scene) add(agents []umans.Agent, goalRadius float64, set func(*Group)) {
	if len(agents) == 0 {
		return
	}
	g := Group{Count: len(agents), Target: &Place{}, Goal: &Goal{}}
	late := slices.ContainsFunc(agents, func(a umans.Agent) bool { return a.StartTime > 0 })
	for _, a := range agents {
		force := a.MaxAcceleration
		if force == 0 {
			force = modelForce // m/s² here
		}
		g.At.Points = append(g.At.Points, a.Position)
		g.Target.Points = append(g.Target.Points, a.Goal)
		g.Radius.Each = append(g.Radius.Each, a.Radius)
		g.MaxSpeed.Each = append(g.MaxSpeed.Each, walkingSpeed(a))
		g.MaxForce.Each = append(g.MaxForce.Each, force)
		g.Goal.Radius.Each = append(g.Goal.Radius.Each, goalRadius*a.Radius)
		if late {
			g.Delay.Each = append(g.Delay.Each, max(a.StartTime, 0))
		}
	}
	set(&g)
	s.Groups = append(s.Groups, g)
}

// walkingSpeed returns the speed in m/s at which an agent walks.
func walkingSpeed(a umans.Agent) float64 { return min(a.PreferredSpeed, a.MaxSpeed) }
