package systems

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Slide keeps solid bodies out of obstacles. It sweeps each body along its path in this step up to the first
// contact, then along the surface, up to four times. Bodies stop in corners. An agent loses the part of its
// velocity that points into a surface that stopped it, so other agents see its actual motion.
//
// No center passes through a wall, a circle or the outline of a polygon, however long the step is; bodies at
// most touch them. A body that already overlaps an obstacle gets no deeper. It moves out of the nearest
// obstacle, at most at Limits.MaxSpeed or, without Limits, at once. A polygon does not stop an agent if it
// contains the agent's center. An agent without Radius counts as a disc of a few nanometers, larger far from
// the origin.
//
// Obstacles count as they are at the start of the step. A moving obstacle pushes agents no faster than they
// can go, and passes over agents if it moves by more than their radius in a step. If Bounds wraps, put it
// after Slide; otherwise, put it before Slide and, with BoundsBounce or BoundsClamp, set the Box of Slide.
//
// Slide needs PreviousPosition in the same frame, before Integration, Drive and ResolveOverlaps; otherwise
// frame.Frame.Initialize panics. A step panics if an entity with Solid lacks the component
// PreviousPosition; Add and world.World.Spawn add it.
//
// Reads Solid, PreviousPosition, Obstacles and, if present, Radius and Limits. Writes Position and, if
// present, Velocity.
//
// Source: "collide and slide", as in Quake and in Godot's move_and_slide; the rules for overlaps are ours.
type Slide struct {
	Obstacles *sense.Obstacles // of an earlier frame; nil means those of the same frame
	Box       r2.Box           // m; no agent slides out of it; zero means none

	obstacleIndex
	from   frame.In[c.PreviousPosition]
	radius frame.In[c.Radius]
	limits frame.In[c.Limits]
	pos    frame.Out[c.Position]
	vel    frame.Out[c.Velocity]
	swept  frame.Scratch[swept]
}

type swept struct {
	farSight
	rows   int // sweeps in this step
	beyond int // sweeps too long for one query
	ways   [waysAtOnce]space.Way
	hits   [waysAtOnce]space.Hit
	sweeps space.Sweeps
}

func (s *Slide) Needs(n *frame.Needs) {
	frame.With[c.Solid](n)
	frame.Require[c.Solid, c.PreviousPosition](n)
	n.Read(&s.from)
	n.Write(&s.pos)
	n.Optional(&s.radius, &s.limits, &s.vel)
	n.Scratch(&s.swept)
	frame.After[*Integration](n, "hold bodies before they move, and let them through walls")
	frame.After[*Drive](n, "hold bodies before they move, and let them through walls")
	frame.After[*ResolveOverlaps](n, "hold bodies before they are pushed, and let them through walls")
	n.Once()
}

func (s *Slide) Attach(f *frame.Frame, _ *ecs.World) {
	s.find(f, s, s.Obstacles)
	s.wantDeparture(f)
}

// wantDeparture panics if a system that moves bodies precedes Slide without a PreviousPosition before it.
func (s *Slide) wantDeparture(f *frame.Frame) {
	for _, other := range f.Systems() {
		if other == any(s) {
			return
		}
		switch other.(type) {
		case *PreviousPosition:
			return
		case *Integration, *Drive, *ResolveOverlaps:
			panic(fmt.Sprintf("crowd: Slide without PreviousPosition: put PreviousPosition before %s in the same frame", frame.NameOf(other)))
		}
	}
}

// Observe tells the obstacles how far sweeps reach: as far as in a step of one radius, or twice the current
// range if more than one sweep in 32 exceeds that range.
func (s *Slide) Observe(*ecs.World) {
	rows, beyond := 0, 0
	s.swept.Each(func(w *swept) {
		s.index(s.Obstacles).Expect(w.reach)
		rows, beyond = rows+w.rows, beyond+w.beyond
		w.rows, w.beyond = 0, 0
	})
	const few = 32
	if beyond*few > rows {
		s.index(s.Obstacles).Expect(2 * s.index(s.Obstacles).Reach())
	}
}

func (s *Slide) Run(b *frame.Batch) {
	if s.index(s.Obstacles).Len() == 0 {
		return
	}
	from, radius, pos := s.from.Of(b), s.radius.Of(b), s.pos.Of(b)
	w, reach := s.swept.Of(b), s.index(s.Obstacles).Reach()
	w.rows += len(pos)
	for first := 0; first < len(pos); first += waysAtOnce {
		last := min(first+waysAtOnce, len(pos))
		ways, hits := w.ways[:last-first], w.hits[:last-first]
		for k := range ways {
			i := first + k
			w.way(&ways[k], from[i].Vec, pos[i].Vec, solidBody(radius, i), reach)
		}
		for _, hit := range hits[:s.index(s.Obstacles).SweepAll(ways, hits, &w.sweeps)] {
			s.slide(b, first+hit.Way, ways[hit.Way].Body)
		}
	}
}

func (w *swept) way(to *space.Way, from, at r2.Vec, body, reach float64) {
	way := vec.Sub(at, from)
	length := vec.Norm(way)
	to.From, to.Dir, to.Length, to.Body = from, vec.Unit(way), length, space.Least(from, body)
	w.look(float64(1.5 * body))
	if float64(length/2)+to.Body > reach {
		w.beyond++
	}
}

func solidBody(radius []c.Radius, i int) float64 {
	if r := bodyOf(radius, i); r > 0 {
		return r
	}
	return 0
}

// slide moves agent i along its path again, past obstacles, or skips the agent if a number is not finite.
func (s *Slide) slide(b *frame.Batch, i int, body float64) {
	from, pos, vel, limits := s.from.Of(b), s.pos.Of(b), s.vel.Of(b), s.limits.Of(b)
	d := space.Disc{At: from[i].Vec, Way: vec.Sub(pos[i].Vec, from[i].Vec), Radius: body, Out: math.MaxFloat64, Box: s.Box}
	if limits != nil {
		d.Out = min(float64(limits[i].MaxSpeed*b.Dt), math.MaxFloat64)
	}
	if vel != nil {
		d.Velocity = vel[i].Vec
	}
	if !s.index(s.Obstacles).Slide(&d) || !vec.Finite(d.At) {
		b.Skip()
		return
	}
	pos[i].Vec = d.At
	if vel != nil {
		vel[i].Vec = d.Velocity
	}
}

var solidEntry = catalog.Of(catalog.Entry{
	Name: "solid", Text: "obstacles stop the body, and overlapping bodies are pushed apart",
	Source: `DetourCrowd by Mononen; "collide and slide", as in Quake and in Godot's move_and_slide; the rules for overlaps are ours`,
	Adds:   []any{c.PreviousPosition{}},
	System: func(catalog.Options) any { return &ResolveOverlaps{} }, By: []any{(*Slide)(nil), (*ResolveOverlaps)(nil)}, Phase: catalog.Move,
	Does: catalog.SetsPosition | catalog.SetsVelocity | catalog.SeesAgents | catalog.SeesObstacles, Laws: catalog.AllLaws,
}, func(b *c.Solid) []catalog.Param {
	return []catalog.Param{catalog.Number("push", &b.Push, "", "share of its half of an overlap that a body moves per step; 0 means that only obstacles are solid").Within(catalog.Share).Or(0.8)}
})
