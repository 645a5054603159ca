package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// FlowFieldFollowing keeps the Target of each agent with FlowField in the direction in which
// the way to the nearest goal of its field leads, and as far away as that way is long: so all
// that go to a Target go round obstacles, and slow down at the goal only. An agent from whom
// there is no way, or whose field does not exist, keeps its Target, and one that has settled at a CrowdedGoal its Place.
//
// A new field is worked out at once, and a look into it costs the same however many agents share
// it. When obstacles or rows of the table change, fields are worked out anew at the end of steps, sense.Fields.Cells
// cells a step, one after another, and agents go by the old one of each until it is done.
//
// Of those fields that go by the crowd (sense.FlowField.Every), ways are as slow as the agents on
// them, who all count: those who have Position, Radius, Velocity and Limits with a finite MaxSpeed, and get on
// with a share of that, toward the Target if they have one.
//
// All this is saved by frame.Keeper, as World.Save does, and not with components and resources alone.
//
// An agent looks into its field every 4 steps while the way is long, and in each step at the end.
//
// Reads Position, Agent and CrowdedGoal if there are any, those four and Target of the crowd, the resource sense.FlowFields, and Obstacles. Writes Target and FlowField.
// Source: Reynolds 1999, "flow field following"; the fields are floor fields by fast marching
// (Sethian 1996).
type FlowFieldFollowing struct {
	Fields *sense.Fields // to look into; nil: its own, over the Obstacles of the same frame

	fields *sense.Fields
	rows   frame.Walk
	crowd  crowdOfFields
	pos    frame.In[c.Position]
	agent  frame.In[c.Agent]
	settle frame.In[c.CrowdedGoal]
	field  frame.Out[c.FlowField]
	target frame.Out[c.Target]
}

// Attach finds the obstacles.
func (s *FlowFieldFollowing) Attach(f *frame.Frame, w *ecs.World) {
	s.fields = s.Fields
	if s.fields == nil {
		s.fields = &sense.Fields{Obstacles: sense.ObstaclesOf(f, s, nil)}
	}
	frame.Resource[sense.FlowFields](w)
	s.crowd.fields = s.fields
	s.rows.Attach(f, w, &s.crowd)
}

// Detach gives back what Attach took.
func (s *FlowFieldFollowing) Detach(w *ecs.World) { s.rows.Detach(w) }

// Keep keeps the fields: see sense.Fields.Keep.
func (s *FlowFieldFollowing) Keep(a *frame.Archive) { s.fields.Keep(a) }

// Sense reads the table, and works out the fields that are new.
func (s *FlowFieldFollowing) Sense(w *ecs.World) { s.fields.Set(*frame.Resource[sense.FlowFields](w)) }

// Observe looks at the crowd, if a field goes by it, and goes on with those that are out of date.
func (s *FlowFieldFollowing) Observe(w *ecs.World) {
	clock := frame.ClockOf(w)
	if clock.Dt == 0 {
		return
	}
	if s.fields.Look(clock.Time) {
		s.rows.Run(w)
	}
	s.fields.Update()
}

func (s *FlowFieldFollowing) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	n.Optional(&s.agent, &s.settle)
	n.Write(&s.field, &s.target)
	n.InFrame("sense.FlowFields")
	n.Once()
}

// From this many cells from the goal on, agents look into the field in each step, and else every so
// many steps, because the field is not in the cache.
const (
	looksAlways    = 16
	looksIntoEvery = 4
)

func (s *FlowFieldFollowing) Run(b *frame.Batch) {
	pos, agent, field, target, settle := s.pos.Of(b), s.agent.Of(b), s.field.Of(b), s.target.Of(b), s.settle.Of(b)
	for i := range pos {
		p, f := pos[i].Vec, &field[i]
		if settle != nil && settle[i].Settled {
			target[i].Vec, f.Looked = settle[i].Place, false
			continue
		}
		if f.Looked && (b.Tick+b.ID(agent, i))%looksIntoEvery != 0 {
			if near := looksAlways * s.fields.Cell(f.Index); vec.Norm2(vec.Sub(target[i].Vec, p)) > near*near {
				continue
			}
		}
		f.Looked = true
		if way, toward := s.fields.Read(f.Index, p); way <= math.MaxFloat64 {
			target[i].Vec = vec.AddScaled(p, way, toward)
		}
	}
}

var flowFieldEntry = catalog.Of(catalog.Entry{
	Name: "flow-field", Text: "follow a field to the nearest of its goals",
	Source: `Reynolds 1999, "flow field following"; Sethian 1996`,
	Needs:  []any{c.Target{}},
	System: func(o catalog.Options) any { return &FlowFieldFollowing{Fields: catalog.Get[*sense.Fields](o)} }, Phase: catalog.Steer,
	Does:    catalog.SetsTarget | catalog.FindsWay | catalog.SeesObstacles,
	Laws:    catalog.Translation | catalog.Finite | catalog.NoAllocation,
	Special: true,
	Doing:   "following a field",
}, func(b *c.FlowField) []catalog.Param {
	return []catalog.Param{
		catalog.Count("index", &b.Index, "which field of the resource, counted from 0").Or(uint32(0)).Of("fields"),
	}
})
