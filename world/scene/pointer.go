package scene

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// pointer moves the point of a scene, before anything looks at it.
type pointer struct{ crowd *crowd }

// Sense puts the point where it is at this time.
func (p *pointer) Sense(w *ecs.World) {
	if !w.Alive(p.crowd.point) {
		return
	}
	clock := ecs.GetResource[systems.Clock](w)
	at := (*c.Position)(w.Get(p.crowd.point, ecs.ComponentID[c.Position](w)))
	at.Vec = p.crowd.Pointer.at(clock.Time)
}

// at returns the point of the way at a time in seconds.
func (p *Pointer) at(time float64) r2.Vec {
	round := 0.
	for i := range p.Way {
		round += vec.Norm(vec.Sub(p.Way[(i+1)%len(p.Way)], p.Way[i]))
	}
	if !(round > 0) {
		return p.Way[0]
	}
	left := math.Mod(time*p.Speed, round)
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
