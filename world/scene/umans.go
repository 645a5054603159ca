package scene

import (
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/formats/umans"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

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
