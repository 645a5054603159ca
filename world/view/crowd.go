package view

import (
	"context"
	"slices"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// measuredAgents is up to how many agents of a scene their collisions are counted: that
// costs as much as a step.
const measuredAgents = 200_000

// crowd is a world that is shown, and the scene that it was built from.
type crowd struct {
	name, text string
	scene      *scene.Scene // with the changes of viewers; nil: none
	sliders    sliders      // of the scene, as it was opened
	copied     bool         // from the scene that ran before
	units      units        // of its figures, which a change of dt does not change
	own        bool         // the view made the world, and closes it
	box        r2.Box       // m, what a page shows at first
	agents     int          // at first
	measured   bool         // collisions are counted
	crowding   crowding     // how many are many
	world      *world.World
	recorder   *recorder
	frame      *frame.Frame // of the recorder
	steering   *Steering
	beside     *Beside // who is shown beside it; nil: nobody
	film       *film   // that it is shown from; nil: none
}

// crowdOf returns the crowd of a scene that has just been opened, without a world.
func crowdOf(name string, sc *scene.Scene) *crowd {
	return &crowd{name: name, text: sc.Text, scene: sc, units: unitsOf(sc)}
}

// carryOut makes the crowd of an order. It touches nothing that runs.
func (s *simulation) carryOut(ctx context.Context, o *order) (*crowd, error) {
	c, err := o.open(ctx, s)
	if err != nil {
		return nil, err
	}
	return c, s.fill(ctx, c)
}

// fill makes the world of a crowd, and all that it takes to show it. It gives up
// when the context ends.
func (s *simulation) fill(ctx context.Context, c *crowd) (err error) {
	c.own = true
	if c.name == s.accompanied {
		c.beside = s.company
	}
	options := s.options(ctx, c)
	if s.scenes.Admit != nil {
		if err := s.scenes.Admit(c.scene, options); err != nil {
			return err
		}
	}
	if c.world, err = c.film.build(c.scene, options); err != nil {
		return err
	}
	if c.sliders == nil {
		c.sliders = newSliders(c.scene)
	}
	if c.box = c.scene.Box; s.scenes.Fit != nil && empty(c.box) {
		c.box = s.scenes.Fit(c.scene, c.world)
	}
	if err := ctx.Err(); err != nil {
		c.world.Close()
		return err
	}
	c.watch()
	return nil
}

// options returns how the world of a crowd is made, and gives the crowd what the view needs in there.
func (s *simulation) options(ctx context.Context, c *crowd) scene.Options {
	c.steering = &Steering{}
	o := s.scenes.Options
	o.Measure = o.Measure || c.scene.Agents() <= measuredAgents
	o.Steer = append(slices.Clone(o.Steer), c.steering)
	o.Profile, o.Context = true, ctx
	o.Point = nil // inputs hold the pointer
	return o
}

// watch begins to look at the world of the crowd, and notes what it is like at first.
func (c *crowd) watch() {
	config := c.world.Config()
	all := takeCensus(c.world)
	c.agents, c.measured = all.agents, config.Measure || config.Safety
	if empty(c.box) {
		c.box = config.Box
	}
	if empty(c.box) {
		c.box = all.around(c.world)
	}
	c.crowding = crowdingOf(all, c.box)
	c.look()
}

// look begins to look at the world of the crowd.
func (c *crowd) look() {
	var firsts []uint64
	if c.scene != nil {
		firsts = c.scene.FirstIDs()
	}
	c.recorder = newRecorder(c.world, activitiesOf(c.world, behaviorsOf(c.world)), c.crowding, firsts)
	c.frame = frameOver(c.world, c.recorder.near, c.recorder)
	c.recorder.to = &snapshot{} // without room for agents: it only names the archetypes
	c.frame.Update(c.world.ECS)
	c.recorder.sum()
	if c.steering != nil {
		c.steering.grow(placesOf(c.world))
	}
}

// behaviorsOf returns the entries of all behaviors of a world, ours and the host's.
func behaviorsOf(w *world.World) []catalog.Entry {
	return append(systems.Catalog(), w.Config().Behaviors...)
}

// frameOver returns a frame of systems over a world, with its workers and the types that
// are bound in it.
func frameOver(w *world.World, list ...any) *frame.Frame {
	config := w.Config()
	f := frame.New(list...)
	f.Workers, f.BatchRows = config.Workers, config.BatchRows
	if err := f.Bind(config.Bind...); err != nil {
		panic(err) // the world has bound them
	}
	f.Initialize(w.ECS)
	return f
}

// close ends the looking, and the world if it is the view's own.
func (c *crowd) close() {
	c.frame.Finalize(c.world.ECS)
	if c.own {
		c.world.Close()
	}
}

func empty(b r2.Box) bool { return !(b.Max.X > b.Min.X && b.Max.Y > b.Min.Y) }
