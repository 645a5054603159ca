package menge

import (
	"context"
	"fmt"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Agent is one agent, and what it does.
type Agent struct {
	Profile, State  string // names of its profile, and of its first state
	Position        r2.Vec // m
	Radius          float64
	PreferredSpeed  float64 // m/s
	MaxSpeed        float64 // m/s
	MaxAcceleration float64 // m/s²
	NeighborDist    float64 // m
	MaxNeighbors    int
	TimeHorizon     float64 // s
	TimeHorizonObst float64 // s
	Stops           []Stop
	End             End
	Led             bool    // by a map, a mesh or a field: its ways are longer than straight ones
	Seconds         float64 // that all its stops take straight on, if nobody is in the way
}

// Kind says what an agent does at a stop.
type Kind int

const (
	Place Kind = iota // goes to a point
	Flow              // goes on in a direction
	Idle              // stays where it is
)

// Stop is one thing that an agent does.
type Stop struct {
	Kind      Kind
	At        r2.Vec  // m
	Reach     float64 // m, at which a place is reached
	Direction r2.Vec
	Duration  float64 // s, after which it is over in any case; 0: when it is reached, or never
	Speed     float64 // m/s, the agent's speed from then on; 0: as before
}

// End is what an agent does after its last stop.
type End int

const (
	Stays   End = iota
	Leaves      // it would walk on for ever in a final state
	Repeats     // it begins again with its first stop
)

// Uses of draws.
const (
	useProfile = iota + 1
	useMoved
	useDirection
	useNumber
	useWalk
)

// People returns all agents, as the seed draws what the project leaves to chance.
func (p *Project) People(ctx context.Context, seed uint64) ([]Agent, error) {
	total := 0
	for _, g := range p.groups {
		total += len(g.starts)
	}
	p.maxStops = min(max(mostStops/max(total, 1), 4), 40)
	for _, set := range p.sets {
		for _, goal := range set.goals {
			goal.taken = 0
		}
	}
	all := make([]Agent, 0, total)
	timers := map[*condition]float64{}
	for _, g := range p.groups {
		for _, s := range g.starts {
			if err := ctx.Err(); err != nil && len(all)%256 == 0 {
				return nil, err
			}
			base := hash.Mix(hash.Mix(seed) + uint64(len(all)))
			at := func(use uint64) uint64 { return hash.Mix(base + use) }
			profile := p.profiles[pick(g.profiles, at(useProfile))]
			of := func(i uint64, name string) float64 { return profile.of(name, at(useNumber)+i*64) }
			a := Agent{
				Profile: profile.name, State: g.state, Position: s.at,
				Radius: of(0, "r"), PreferredSpeed: of(1, "pref_speed"), MaxSpeed: of(2, "max_speed"), MaxAcceleration: of(3, "max_accel"),
				NeighborDist: of(4, "neighbor_dist"), MaxNeighbors: int(of(5, "max_neighbors")), TimeHorizon: of(6, "tau"), TimeHorizonObst: of(7, "tauObst"),
			}
			if s.moved != (draw{}) {
				sin, cos := vec.SinCos(6.283185307179586 * hash.Float(at(useDirection)))
				a.Position = vec.AddScaled(a.Position, s.moved.of(at(useMoved)), r2.Vec{X: cos, Y: sin})
			}
			if p.behaves {
				w := walk{Project: p, agent: &a, draws: at(useWalk), timers: timers, kept: map[*state]*goal{}}
				if err := w.run(p.byName[g.state]); err != nil {
					return nil, err
				}
			}
			all = append(all, a)
		}
	}
	return all, nil
}

// pick draws one of several names by their weights.
func pick(all []weighted, h uint64) string {
	return all[pickIndex(len(all), func(i int) float64 { return all[i].weight }, h)].name
}

// pickIndex draws one of n by their weights; the first where all are 0.
func pickIndex(n int, weight func(int) float64, h uint64) int {
	sum := 0.
	for i := range n {
		sum += weight(i)
	}
	at, last := float64(sum*hash.Float(h)), 0
	for i := range n {
		if w := weight(i); w > 0 {
			if last = i; at < w {
				break
			}
			at -= w
		}
	}
	return last
}

// loopError is for states that follow one another for ever at one time.
func loopError(s *state) error {
	return fmt.Errorf("%s: <State name=%q> follows itself without an end and without time: want a transition that takes time", s.place, s.name)
}
