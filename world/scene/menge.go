package scene

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/formats/menge"
	"github.com/8f878440/crowd/systems"
)

// A project of Menge without a duration runs as long as one of UMANS without an end; where agents
// go round for ever, or by paths that are not known yet, it runs for this long, as in Menge.
const mengeMost = menge.DefaultDuration // s

// openMenge reads a project of Menge, and lets its agents do what its state machine makes of
// agents with nothing in their way.
func openMenge(path string, o OpenOptions) (*Scene, error) {
	if o.Obstacles != "" {
		return nil, fmt.Errorf("%s: a project of Menge has obstacles of its own, and takes none from another file", path)
	}
	p, err := menge.Read(path, menge.Options{Lenient: o.Lenient, Allow: o.Allow, Context: o.Context})
	if err != nil {
		return nil, err
	}
	agents, err := p.People(o.context(), o.seed())
	if err != nil {
		return nil, err
	}
	s := &Scene{
		Name: p.Name, Text: "Menge project", Seed: o.seed(), Dt: p.Step, Files: p.Files, Warnings: p.Warnings,
		Notes: []string{"agents do what the state machine of the file makes of agents with nothing in their way"},
	}
	if p.Model != "" && p.Model != "orca" {
		s.Notes = append(s.Notes, fmt.Sprintf("the file asks for the model %q", p.Model))
	}
	for _, line := range p.Obstacles {
		if line.Solid {
			s.Obstacles.Polygons = append(s.Obstacles.Polygons, line.Corners)
			continue
		}
		for i, corner := range line.Corners {
			if next := (i + 1) % len(line.Corners); len(line.Corners) > 2 || next > i {
				s.Obstacles.Walls = append(s.Obstacles.Walls, Wall{A: corner, B: line.Corners[next]})
			}
		}
	}
	numbers := s.addMenge(agents)
	s.steer(o.model())
	for i := range s.Groups {
		if orca, has := Behavior[c.ORCA](&s.Groups[i]); has {
			n := numbers[i]
			orca.TimeHorizon, orca.TimeHorizonObst, orca.NeighborDist, orca.MaxNeighbors = n.horizon, n.obstacles, n.dist, n.most
			s.Groups[i].Set(orca)
		}
	}
	s.Steps = int(max(1, min(math.Round(mengeSeconds(p, agents)/s.Dt), maxSteps)))
	return s, nil
}

// mengeSeconds returns how long a project runs.
func mengeSeconds(p *menge.Project, agents []menge.Agent) float64 {
	if p.Duration > 0 {
		return p.Duration
	}
	longest := float64(umansLeastTime)
	for i := range agents {
		if agents[i].End == menge.Repeats || agents[i].Led {
			return mengeMost
		}
		longest = max(longest, 1.5*agents[i].Seconds)
	}
	return min(longest+float64(doorSeconds*max(len(agents)-1, 0)), mengeMost)
}

// mengeNumbers are those of an agent's ORCA.
type mengeNumbers struct {
	horizon, obstacles float64 // s
	dist               float64 // m
	most               int
}

// addMenge adds groups of agents alike, and returns the numbers of each.
func (s *Scene) addMenge(agents []menge.Agent) (numbers []mengeNumbers) {
	type kind struct {
		profile, state string
		end            menge.End
		goes           bool
		mengeNumbers
	}
	groups, names := map[kind]int{}, map[string]bool{}
	for i := range agents {
		a := &agents[i]
		k := kind{a.Profile, a.State, a.End, len(a.Stops) > 0, mengeNumbers{a.TimeHorizon, a.TimeHorizonObst, a.NeighborDist, a.MaxNeighbors}}
		at, known := groups[k]
		if !known {
			at = len(s.Groups)
			groups[k], numbers = at, append(numbers, k.mengeNumbers)
			g := Group{Name: fmt.Sprintf("%s: %s", a.Profile, a.State)}
			for n := 2; names[g.Name]; n++ {
				g.Name = fmt.Sprintf("%s: %s %d", a.Profile, a.State, n)
			}
			names[g.Name] = true
			if k.goes {
				g.Target, g.Goal = &Place{}, &Goal{Then: map[menge.End]Then{menge.Stays: Stay, menge.Leaves: Leave, menge.Repeats: Repeat}[a.End]}
			}
			s.Groups = append(s.Groups, g)
		}
		g := &s.Groups[at]
		g.Count++
		g.At.Points = append(g.At.Points, a.Position)
		g.Radius.Each = append(g.Radius.Each, a.Radius)
		g.MaxSpeed.Each = append(g.MaxSpeed.Each, min(a.PreferredSpeed, a.MaxSpeed))
		g.MaxForce.Each = append(g.MaxForce.Each, a.MaxAcceleration) // with a mass of 1 kg
		if k.goes {
			stops, reach := mengeStops(a.Stops)
			g.Target.Points = append(g.Target.Points, a.Position)
			g.Goal.Radius.Each = append(g.Goal.Radius.Each, reach)
			g.Itineraries = append(g.Itineraries, stops)
		}
	}
	return numbers
}

// mengeStops returns the stops of an agent, and within which distance it reaches those that
// are places: the least of theirs.
func mengeStops(all []menge.Stop) (stops []systems.Stop, reach float64) {
	kinds := map[menge.Kind]systems.StopKind{menge.Place: systems.StopPlace, menge.Flow: systems.StopFlow, menge.Idle: systems.StopIdle}
	reach = 1 // m, if there are none
	for _, m := range all {
		if m.Kind == menge.Place {
			reach = min(reach, m.Reach)
		}
		stops = append(stops, systems.Stop{Kind: kinds[m.Kind], At: m.At, Direction: m.Direction, Duration: m.Duration, Speed: m.Speed})
	}
	return stops, reach
}
