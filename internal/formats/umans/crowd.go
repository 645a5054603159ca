package umans

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/formats"
	"gonum.org/v1/gonum/spatial/r2"
)

// Format reads simulations and files of agents. Agents walk at their preferred or maximum speed,
// whichever is lower.
var Format = formats.Format{What: "a UMANS file", Ending: ".xml", Obstacles: true, Begins: formats.XMLWith(), Read: readCrowd}

var otherRoots = []string{"Project", "Experiment", "SteerBenchTestCase", "SteerSuiteSubSpace"}

const (
	bareDt = 0.1 // s, for a bare file of agents
	// Without an end time, a run takes 1.5 times as long as the longest straight path takes (at least
	// leastTime), plus doorSeconds for each agent after the first, but at most mostTime.
	leastTime, doorSeconds, mostTime = 100, 1, 600 // s
)

func readCrowd(path string, o *formats.Options) (*formats.Crowd, error) {
	sim, err := Read(path, *o)
	if err != nil {
		return nil, err
	}
	f := &formats.Crowd{
		Name: sim.Name, Text: "UMANS scenario", Seed: 1, Dt: cmp.Or(sim.Dt, bareDt),
		Files: sim.Files, Warnings: sim.Warnings, Wraps: sim.Toric,
	}
	end := sim.EndTime
	if end <= 0 {
		end = leastTime
		for i := range sim.Agents {
			a := &sim.Agents[i]
			end = max(end, 1.5*r2.Norm(r2.Sub(a.Goal, a.Position))/max(a.speed(), 0.1))
		}
		end = min(end+float64(doorSeconds*(len(sim.Agents)-1)), mostTime)
	}
	f.Steps = math.Round(end / f.Dt)
	if sim.Toric {
		f.Box = r2.NewBox(-sim.Width/2, -sim.Height/2, sim.Width/2, sim.Height/2)
	}
	for _, line := range sim.Obstacles {
		f.AddOutline(line)
	}
	late := func(a Agent) bool { return a.StartTime > 0 }
	if slices.ContainsFunc(sim.Agents, late) {
		f.Notes = append(f.Notes, "agents with a start time stand still until that time")
	}
	sim.GoalRadius = cmp.Or(sim.GoalRadius, DefaultGoalRadius)
	if err := o.Context.Err(); err != nil && len(sim.Agents) >= 4096 {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, then := range []formats.Then{formats.Nothing, formats.Leave, formats.Stay} {
		g := formats.Group{Then: then}
		anyLate := slices.ContainsFunc(sim.Agents, func(a Agent) bool { return a.then() == then && late(a) })
		for i := range sim.Agents {
			a := &sim.Agents[i]
			if a.then() != then {
				continue
			}
			g.Add(a.Position, a.Radius, a.speed())
			g.MaxForce = append(g.MaxForce, cmp.Or(a.MaxAcceleration, formats.MaxForce))
			if then != formats.Nothing {
				g.Goes(a.Goal, sim.GoalRadius*a.Radius, nil)
			}
			if anyLate {
				g.Delay = append(g.Delay, max(a.StartTime, 0))
			}
		}
		if g.Count > 0 {
			f.Groups = append(f.Groups, g)
		}
	}
	return f, nil
}

func (a *Agent) speed() float64 { return min(a.PreferredSpeed, a.MaxSpeed) }

func (a *Agent) then() formats.Then {
	switch {
	case !a.HasGoal:
		return formats.Nothing
	case a.RemoveAtGoal:
		return formats.Leave
	}
	return formats.Stay
}
