package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// WallFollowing steers each agent at full speed along the nearest obstacle, at an
// offset from it. It looks at where the agent will be after the horizon, or where
// its body would touch an obstacle before that, takes the point of the surface
// that is nearest to there, and goes to beside it. With o that point, n the normal
// there and a the direction along the surface that is nearer to the course, to the
// right if both are as near:
//
//	desired = (o + n·(Offset + body) + a·MaxSpeed·Horizon - p)^ · MaxSpeed; steering = desired - v
//
// With nothing within the range it does nothing.
//
// In the mode Faithful it is the source's rule, without a and without the look at
// what is touched before. That stops an agent that comes straight at a wall, and
// leads one through a thin wall if the point that it predicts is beyond it.
//
// Reads Position, Velocity, Limits, WallFollowing, Radius if there is one, and
// Obstacles. Adds to Steering.
// Source: Reynolds 1999, "wall following".
type WallFollowing struct {
	Obstacles *sense.Obstacles // the snapshot to look into, of a frame that runs before; nil: that of the same frame
	Faithful  bool             // as the source has it

	obstacleReach
	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	limits frame.In[c.Limits]
	follow frame.In[c.WallFollowing]
	radius frame.In[c.Radius]
	steer  frame.Out[c.Steering]
}

func (s *WallFollowing) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.limits, &s.follow)
	n.Optional(&s.radius)
	n.Add(&s.steer)
	n.Scratch(&s.seen)
	n.Once()
}

// Attach finds the obstacles.
func (s *WallFollowing) Attach(f *frame.Frame, _ *ecs.World) {
	s.find(f, s, s.Obstacles)
}

func (s *WallFollowing) Run(b *frame.Batch) {
	pos, vel, limits, par := s.pos.Of(b), s.vel.Of(b), s.limits.Of(b), s.follow.Of(b)
	radius, steer, seen := s.radius.Of(b), s.steer.Of(b), s.seen.Of(b)
	for i := range pos {
		p, v, maxSpeed, body := pos[i].Vec, vel[i].Vec, limits[i].MaxSpeed, bodyOf(radius, i)
		horizon := max(par[i].Horizon, 0)
		var wall c.Threat
		ok := false
		if !s.Faithful {
			wall, ok = ahead(s.index(s.Obstacles), p, v, horizon, body, seen)
		}
		if !ok {
			seen.look(par[i].Range)
			if wall, ok = s.index(s.Obstacles).Nearest(vec.AddScaled(p, horizon, v), par[i].Range+body); !ok {
				continue
			}
		}
		along := 0.
		if !s.Faithful {
			along = float64(maxSpeed * horizon)
		}
		to := beside(vec.Sub(wall.Contact, p), wall.Normal, v, par[i].Offset+body, along)
		e := vec.Sub(vec.WithNorm(to, maxSpeed), v)
		steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
	}
}

// beside returns the way to the point at an offset from the surface, and so far
// along it, where to is the way to a point of the surface and normal its normal
// there.
func beside(to, normal, v r2.Vec, offset, along float64) r2.Vec {
	to = vec.AddScaled(to, offset, normal)
	side := vec.Left(normal) // which is to the right of who faces the surface
	if vec.Dot(v, side) < 0 {
		along = -along
	}
	return vec.AddScaled(to, along, side)
}

var wallFollowingEntry = catalog.Of(catalog.Entry{
	Name: "wall-following", Text: "move along the nearest obstacle at an offset",
	Source: `Reynolds 1999, "wall following"`,
	Needs:  []any{c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(o catalog.Options) any {
		return &WallFollowing{Obstacles: catalog.Get[*sense.Obstacles](o), Faithful: settings(o).FaithfulWalls}
	}, Phase: catalog.Steer,
	Does: catalog.Steers | catalog.SeesObstacles, Priority: 20, Laws: catalog.AllLaws,
}, func(b *c.WallFollowing) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		catalog.Number("horizon", &b.Horizon, "s", "how far it looks ahead"),
		catalog.Number("offset", &b.Offset, "m", "between the surfaces of obstacle and body"),
		catalog.Number("range", &b.Range, "m", "from the predicted point; farther obstacles are ignored"),
	}
})
