package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Drive moves each agent along its Heading. It takes the place of Integration
// for agents that have the component Drive.
//
// Reads Heading, Drive. Writes Position, and Velocity if there is one.
// Source: "XNA Series, Modular AI", Move.
type Drive struct {
	heading frame.In[c.Heading]
	drive   frame.In[c.Drive]
	pos     frame.Out[c.Position]
	vel     frame.Out[c.Velocity]
}

func (s *Drive) Needs(n *frame.Needs) {
	n.Read(&s.heading, &s.drive)
	n.Write(&s.pos)
	n.Optional(&s.vel)
	n.Once()
}

func (s *Drive) Run(b *frame.Batch) {
	heading, par, pos, vel := s.heading.Of(b), s.drive.Of(b), s.pos.Of(b), s.vel.Of(b)
	for i := range pos {
		p, v := drive(pos[i].Vec, heading[i].Vec, par[i].Speed, b.Dt)
		if !vec.Finite(p) {
			b.Skip()
			continue
		}
		pos[i].Vec = p
		if vel != nil {
			vel[i].Vec = v
		}
	}
}

// drive returns the new position and the velocity of an agent that moves along
// its heading.
func drive(p, heading r2.Vec, speed, dt float64) (r2.Vec, r2.Vec) {
	v := vec.Scale(speed, heading)
	return vec.AddScaled(p, dt, v), v
}

var driveEntry = catalog.Of(catalog.Entry{
	Name: "drive", Text: "move along the heading, like a vehicle",
	Source: `"XNA Series, Modular AI", Move`,
	Adds:   []any{eastward},
	System: func(catalog.Options) any { return &Drive{} }, Phase: catalog.Move,
	Does: catalog.Moves | catalog.SetsVelocity, Laws: catalog.AllLaws,
}, func(b *c.Drive) []catalog.Param {
	return []catalog.Param{
		catalog.Number("speed", &b.Speed, "m/s", "of the agent").Pausing(),
		catalog.Number("top-speed", &b.TopSpeed, "m/s", "from which smooth-arrival slows down"),
	}
})
