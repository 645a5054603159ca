package crowdtest

import (
	"fmt"
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

func (k *kit) translation() string {
	by := r2.Vec{X: 24, Y: -40}
	return k.moved(motion{func(p r2.Vec) r2.Vec { return vec.Add(p, by) }, identity.turn})
}

// rotation rotates crowds by an arbitrary angle, or by 90° if the behavior has axis-aligned boxes.
func (k *kit) rotation() string {
	if k.entry != nil {
		for _, p := range k.entry.Params(k.entry.New()) {
			if _, is := p.At.(*r2.Box); is {
				return k.moved(linear(vec.Left))
			}
		}
	}
	sin, cos := math.Sincos(0.7)
	return k.moved(linear(func(v r2.Vec) r2.Vec { return vec.Rotate(v, cos, sin) }))
}

func (k *kit) mirror() string {
	return k.moved(linear(func(v r2.Vec) r2.Vec { return r2.Vec{X: -v.X, Y: v.Y} }))
}

// moved verifies that the images of crowds under m move as the crowds do.
func (k *kit) moved(m motion) string {
	tolerance := k.tolerance()
	for seed := range uint64(seeds) {
		v := plain(seed)
		v.motion = m
		image := k.crowd(v)
		for step, states := range k.track(seed).states {
			for i, b := range image.states() {
				a := states[i]
				want := world.State{Position: m.point(a.Position), Velocity: m.turn(a.Velocity), Heading: m.turn(a.Heading)}
				if off := vec.Norm(vec.Sub(b.Position, want.Position)) + vec.Norm(vec.Sub(b.Velocity, want.Velocity)) + vec.Norm(vec.Sub(b.Heading, want.Heading)); !(off <= tolerance) {
					return fmt.Sprintf("seed %d, after step %d: agent %d has %s, want %s", seed, step, i+1, stateText(b), stateText(want))
				}
			}
			image.step()
		}
	}
	return ""
}

func (k *kit) tolerance() float64 {
	switch {
	case k.options.Tolerance > 0:
		return k.options.Tolerance
	case k.entry != nil && k.entry.Phase == catalog.Choose: // intersections of nearly parallel lines amplify rounding errors
		return 1e-5
	}
	return 1e-6
}

// track is a plain crowd after all steps, with its history.
type track struct {
	crowd  *crowd
	states [][]world.State // initial states, and states after each step
}

// track returns the track of a seed, which it makes once.
func (k *kit) track(seed uint64) *track {
	if tr, ok := k.tracks[seed]; ok {
		return tr
	}
	crowd := k.crowd(plain(seed))
	tr := &track{crowd, [][]world.State{crowd.states()}}
	for range steps {
		crowd.step()
		tr.states = append(tr.states, crowd.states())
	}
	k.tracks[seed] = tr
	return tr
}

func stateText(s world.State) string {
	return fmt.Sprintf("position (%v, %v), velocity (%v, %v), heading (%v, %v)",
		s.Position.X, s.Position.Y, s.Velocity.X, s.Velocity.Y, s.Heading.X, s.Heading.Y)
}
