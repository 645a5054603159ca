package steerbench

import (
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

// Format reads test cases. The seed determines whatever is random.
var Format = formats.Format{What: "a SteerBench file", Ending: ".xml", Begins: formats.XMLWith("SteerBenchTestCase", "SteerSuiteSubSpace"), Read: readCrowd}

const (
	dt        = 0.05 // s, as in SteerSuite
	goalRadii = 2.5  // distance from a goal, in radii, at which RVO and social-force agents of SteerSuite leave
	// A run takes three times as long as the longest straight path takes, plus slack, plus doorSeconds
	// for each agent after the first, but at most mostTime.
	slack, doorSeconds, mostTime = 30, 1, 600 // s
)

func readCrowd(path string, o *formats.Options) (*formats.Crowd, error) {
	seed := o.SeedOr(1)
	test, err := Read(path, *o)
	if err != nil {
		return nil, err
	}
	placed, err := test.Place(o.Context, seed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f := &formats.Crowd{
		Text: "SteerBench test case", Seed: seed, Dt: dt, Warnings: test.Warnings,
		Notes: []string{fmt.Sprintf("agents leave within %v radii of their last goal", goalRadii)},
	}
	for _, o := range placed.Obstacles {
		if len(o.Outline) == 0 {
			f.Circles = append(f.Circles, formats.Disc{Center: o.Center, Radius: o.Radius})
		} else {
			f.AddOutline(o.Outline)
		}
	}
	longest := 0.
	var where []member // place of each agent in the groups
	for i, a := range slices.Concat(placed.Agents, placed.Emitters) {
		if i%32 == 31 && o.Context.Err() != nil {
			return nil, fmt.Errorf("%s: %w", path, o.Context.Err())
		}
		then := formats.Leave
		if i >= len(placed.Agents) {
			then = formats.Again
		}
		stops, took := stopsOf(&a, placed.Agents)
		longest = max(longest, took)
		where = append(where, add(f, &a, then, stops))
	}
	number(f.Groups, where)
	if len(f.Groups) == 0 {
		return nil, fmt.Errorf("%s:%d: no agents: want at least one <agent>, <agentRegion> or <agentEmitter>", path, test.Line)
	}
	f.Steps = math.Ceil(min(float64(3*longest)+slack+float64(doorSeconds*(len(where)-1)), mostTime) / dt)
	return f, nil
}

// stopsOf returns the stops of an agent, and the time, in s, that they take on straight paths if all other
// agents stay where they start. Stop.Other becomes an index in the given slice. Goals to follow a missing
// agent, or to flee from one, are left out.
func stopsOf(a *Agent, all []Agent) (stops []systems.Stop, took float64) {
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
		case SeekMoving, FleeMoving:
			if g.Agent < 0 {
				continue
			}
			stop.Kind = systems.StopFleeFrom
			if g.Kind == SeekMoving {
				stop.Kind, to = systems.StopFollow, all[g.Agent].Position
			}
		case FlowMoving:
			stop.Kind = systems.StopFlowWith
			if g.Agent < 0 {
				stop.Kind, stop.Direction = systems.StopFlow, a.Direction
			}
		case SeekTarget:
			stop.At, to = g.Target, g.Target
		case SeekRegion:
			stop.Kind, stop.Box = systems.StopBox, g.Region
			to = r2.Vec{X: min(max(at.X, g.Region.Min.X), g.Region.Max.X), Y: min(max(at.Y, g.Region.Min.Y), g.Region.Max.Y)}
		case FleeTarget:
			stop.Kind, stop.At = systems.StopFlee, g.Target
		case Flow:
			stop.Kind, stop.Direction = systems.StopFlow, g.Direction
		case Idle:
			stop.Kind = systems.StopIdle
		}
		if stop.Kind == systems.StopFlow && stop.Direction == (r2.Vec{}) {
			stop.Kind = systems.StopIdle
		}
		if stop.Kind >= systems.StopFlee && stop.Kind != systems.StopFollow {
			took += stop.Duration // no place to reach
		} else if g.Speed > 0 {
			took += vec.Norm(vec.Sub(to, at)) / g.Speed
		}
		at = to
		stops = append(stops, stop)
	}
	return stops, took
}

type member struct{ group, index int }

// number replaces the indexes of other agents in stops with the IDs of these agents in the scene.
func number(groups []formats.Group, where []member) {
	before := make([]int, len(groups)) // number of agents before each group
	for i := 1; i < len(before); i++ {
		before[i] = before[i-1] + groups[i-1].Count
	}
	for i := range groups {
		for _, stops := range groups[i].Itineraries {
			for k := range stops {
				if stops[k].GoesBy() {
					m := where[stops[k].Other]
					stops[k].Other = uint32(before[m.group] + m.index + 1)
				}
			}
		}
	}
}

func add(f *formats.Crowd, a *Agent, then formats.Then, stops []systems.Stop) member {
	velocity, speed := vec.Scale(a.Speed, vec.Unit(a.Direction)), a.Speed
	if len(stops) == 0 {
		then = formats.Nothing
	} else {
		speed = max(speed, stops[0].Speed)
	}
	if speed == 0 {
		speed = DefaultSpeed
	}
	k := slices.IndexFunc(f.Groups, func(g formats.Group) bool { return g.Velocity == velocity && g.Then == then })
	if k < 0 {
		k = len(f.Groups)
		f.Groups = append(f.Groups, formats.Group{Velocity: velocity, Then: then})
	}
	g := &f.Groups[k]
	g.Add(a.Position, a.Radius, speed)
	if len(stops) > 0 {
		g.Goes(a.Position, goalRadii*a.Radius, stops)
	}
	return member{k, g.Count - 1}
}
