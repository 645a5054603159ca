package view

import (
	"context"
	"fmt"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// MaxAgents is the greatest number of agents that viewers can start.
const MaxAgents = 2_000_000

// Scenes are what viewers can choose from, and how worlds are made of them.
type Scenes struct {
	List []Named
	Open func(ctx context.Context, name string) (*scene.Scene, error) // opens one of the list; may give up when the context ends

	// Options are those of the worlds. The view adds what it needs to Steer, and sets
	// Point, Context, Profile and, up to 200,000 agents, Measure.
	Options scene.Options

	Admit func(*scene.Scene, scene.Options) error // refuses a scene before its world is built; may be nil
	Fit   func(*scene.Scene, *world.World) r2.Box // m, what a page shows at first of a scene without a box; may be nil

	// Record begins to record a crowd that will run, each one that viewers start: what they do by hand is
	// noted as a scene.Input. It may be nil.
	Record func(*scene.Scene, *world.World) (Recorder, error)
}

// Named is a scene that viewers can choose.
type Named struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// NewScenes returns a view whose viewers choose what is shown: scenes, with as many
// agents and from the seed that they like. It builds the first one, and gives up when
// the context ends. The worlds are its own: step them by Run, and Close ends them. Of
// the options only Beside and Recording, for that scene, ReadOnly, Hosts and Version count.
func NewScenes(ctx context.Context, name string, first *scene.Scene, s Scenes, o Options) (*View, error) {
	sim := newSimulation(&s, &o)
	sim.steps, sim.accompanied, sim.company = viewKeepsPace, name, o.Beside
	sim.recording = o.Recording
	c := crowdOf(name, first)
	c.film = sim.filmOf(name)
	if err := sim.fill(ctx, c); err != nil {
		return nil, err
	}
	if err := sim.show(c); err != nil {
		sim.close()
		return nil, err
	}
	return newView(sim, &o), nil
}

// open opens the scene with a name of the list.
func (s *Scenes) open(ctx context.Context, name string) (*scene.Scene, error) {
	for _, n := range s.List {
		if n.Name == name {
			return s.Open(ctx, name)
		}
	}
	return nil, fmt.Errorf("no scene is named %.40q here", name)
}
