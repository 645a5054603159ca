package scene

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// pointer moves the point of a scene, before anything looks at it.
type pointer struct{ crowd *crowd }

// pace is how far the point has come on its way, so that it goes on from where
// it is when its speed changes.
type pace struct {
	speed float64 // m/s, since then
	since float64 // s
	way   float64 // m, that it had gone by then
}

// Keep writes how far the point has come and where it is held, or reads it.
func (p *pointer) Keep(a *frame.Archive) { a.Keep(&p.crowd.pace, &p.crowd.hand) }

// gone returns how far the point has come at a time in seconds.
func (p *pace) gone(time float64) float64 { return p.way + float64((time-p.since)*p.speed) }

// Sense puts the point where somebody holds it, or where it is on its way; in a pause it stands.
func (p *pointer) Sense(w *ecs.World) {
	clock := ecs.GetResource[frame.Clock](w)
	if clock.Dt == 0 || !w.Alive(p.crowd.point) {
		return
	}
	to := (*c.Position)(w.Get(p.crowd.point, ecs.ComponentID[c.Position](w)))
	if p.crowd.hold != nil {
		if at, held := p.crowd.hold(); held && vec.Finite(at) {
			to.Vec = at
			return
		}
	}
	if p.crowd.hand.holds {
		to.Vec = p.crowd.hand.at
		return
	}
	to.Vec = p.crowd.Pointer.along(p.crowd.pace.gone(clock.Time))
}

// PointerOf returns where the pointer of the scene that the world was built from
// is, in meters, as of the start of the last step; false if it has none.
func PointerOf(w *world.World) (at r2.Vec, ok bool) {
	s, err := crowdOf(w)
	if err != nil || s.Pointer == nil || !w.ECS.Alive(s.point) {
		return r2.Vec{}, false
	}
	return (*c.Position)(w.ECS.Get(s.point, ecs.ComponentID[c.Position](w.ECS))).Vec, true
}

// at returns the point of the way at a time in seconds.
func (p *Pointer) at(time float64) r2.Vec { return p.along(time * p.Speed) }

// along returns the point of the path at a distance from its beginning.
func (p *Pointer) along(gone float64) r2.Vec {
	round := 0.
	for i := range p.Way {
		round += vec.Norm(vec.Sub(p.Way[(i+1)%len(p.Way)], p.Way[i]))
	}
	if !(round > 0) {
		return p.Way[0]
	}
	left := math.Mod(gone, round)
	for i, from := range p.Way {
		leg := vec.Sub(p.Way[(i+1)%len(p.Way)], from)
		length := vec.Norm(leg)
		if left <= length && length > 0 {
			return vec.AddScaled(from, left/length, leg)
		}
		left -= length
	}
	return p.Way[0]
}
