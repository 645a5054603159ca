package menge

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

// Format reads projects. Agents follow the state machine as if nothing were in their way.
var Format = formats.Format{What: "a Menge project", Ending: ".xml", Begins: formats.XMLWith("<Project", "<Experiment", "<BFSM"), Read: readCrowd}

const (
	leastTime   = 100 // s, minimum length of a run without a duration
	doorSeconds = 1   // s, time that an agent takes to pass through a door
)

func readCrowd(path string, o *formats.Options) (*formats.Crowd, error) {
	seed := o.SeedOr(1)
	p, err := Read(path, *o)
	if err != nil {
		return nil, err
	}
	agents, err := p.People(o.Context, seed)
	if err != nil {
		return nil, err
	}
	f := &formats.Crowd{
		Name: p.Name, Text: "Menge project", Seed: seed, Dt: p.Step, Files: p.Files, Warnings: p.Warnings, Steps: math.Round(seconds(p, agents) / p.Step),
		Notes: []string{"agents follow the state machine of the file as if nothing were in their way"},
	}
	if p.Model != "" && p.Model != "orca" {
		f.Notes = append(f.Notes, fmt.Sprintf("the file asks for the model %q", p.Model))
	}
	for _, line := range p.Obstacles {
		if line.Solid {
			f.Polygons = append(f.Polygons, line.Corners)
			continue
		}
		for i, corner := range line.Corners {
			if next := (i + 1) % len(line.Corners); len(line.Corners) > 2 || next > i {
				f.AddOutline([]r2.Vec{corner, line.Corners[next]})
			}
		}
	}
	f.Groups = groups(agents)
	return f, nil
}

// seconds returns the length of a run, in s. For a project without a duration, it is an estimate from the
// stops, but at most Menge's default.
func seconds(p *Project, agents []Agent) float64 {
	if p.Duration > 0 {
		return p.Duration
	}
	longest := float64(leastTime)
	for i := range agents {
		if agents[i].End == formats.Repeat || agents[i].Led {
			return DefaultDuration
		}
		longest = max(longest, 1.5*agents[i].Seconds)
	}
	return min(longest+float64(doorSeconds*max(len(agents)-1, 0)), DefaultDuration)
}

func groups(agents []Agent) (all []formats.Group) {
	type kind struct {
		profile, state             string
		then                       formats.Then
		horizon, horizonObst, dist float64
		most                       int
	}
	known, names := map[kind]int{}, map[string]bool{}
	for i := range agents {
		a := &agents[i]
		k := kind{a.Profile, a.State, formats.Nothing, a.TimeHorizon, a.TimeHorizonObst, a.NeighborDist, a.MaxNeighbors}
		if len(a.Stops) > 0 {
			k.then = a.End
		}
		at, is := known[k]
		if !is {
			at = len(all)
			name := fmt.Sprintf("%s: %s", a.Profile, a.State)
			for n := 2; names[name]; n++ {
				name = fmt.Sprintf("%s: %s %d", a.Profile, a.State, n)
			}
			known[k], names[name] = at, true
			all = append(all, formats.Group{Name: name, Then: k.then, ORCA: func(o *c.ORCA) {
				o.TimeHorizon, o.TimeHorizonObst, o.NeighborDist, o.MaxNeighbors = k.horizon, k.horizonObst, k.dist, k.most
			}})
		}
		g := &all[at]
		g.Add(a.Position, a.Radius, min(a.PreferredSpeed, a.MaxSpeed))
		g.MaxForce = append(g.MaxForce, a.MaxAcceleration) // for a mass of 1 kg
		if k.then != formats.Nothing {
			stops, reach := make([]systems.Stop, len(a.Stops)), 1. // m; less if a place has a smaller Reach
			for k, stop := range a.Stops {
				if stops[k] = stop.Stop; stop.Kind == systems.StopPlace {
					reach = min(reach, stop.Reach)
				}
			}
			g.Goes(a.Position, reach, stops)
		}
	}
	return all
}
