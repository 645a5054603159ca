package crowdtest

import (
	"math/rand/v2"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	crowdSize = 12
	seeds     = 4
	steps     = 8   // for most crowds
	dt        = 0.1 // s
)

// variant describes how a crowd is drawn and run.
type variant struct {
	seed      uint64
	scale     float64 // scale of places and velocities
	motion    motion
	workers   int // number of workers; 0 means 1
	batchRows int
	shuffled  bool         // agents are spawned in a different order
	only      int          // number, from 1, of the only agent with the behavior; 0 means all agents
	without   bool         // no agent has the behavior
	lacks     reflect.Type // component that agents lack; nil means none
	together  bool         // all agents and targets are at one place
}

// plain returns the variant of a seed with the defaults.
func plain(seed uint64) variant { return variant{seed: seed, scale: 1, motion: identity} }

// crowd is a small crowd among obstacles.
type crowd struct {
	*world.World
	kit    *kit
	types  column.Bindings
	agents []ecs.Entity
	system any // system under test; nil if the kit has an entry
}

// crowd returns a new crowd, drawn and spawned as v says.
func (k *kit) crowd(v variant) *crowd {
	k.t.Helper()
	config, system := k.config(!v.without)
	config.Workers, config.BatchRows = max(1, v.workers), v.batchRows
	w, err := world.New(config)
	k.must(err)
	w.Frame.ShareRows = 1
	k.t.Cleanup(w.Close)
	types, err := column.NewBindings(config.Bind...)
	k.must(err)
	cr := &crowd{World: w, kit: k, types: types, agents: make([]ecs.Entity, crowdSize), system: system}
	d := &Draw{rand.New(rand.NewPCG(v.seed, 7)), v.scale, v.motion}
	cr.surround(d)
	all := behaviors(&config)
	agents := k.drawAgents(d, v, all, types)
	order := rand.New(rand.NewPCG(v.seed, 8)).Perm(crowdSize)
	if !v.shuffled {
		slices.Sort(order)
	}
	for len(order) > 0 { // spawn runs of agents with the same components
		first := k.componentsIn(v, order[0], agents)
		n := 1
		for n < len(order) && sameTypes(first, k.componentsIn(v, order[n], agents)) {
			n++
		}
		k.must(w.Spawn(n, first, func(r *world.Rows) {
			for row, i := range order[:n] {
				cr.agents[i] = r.Entity(row)
				for _, value := range k.componentsIn(v, i, agents) {
					column.Set(w.ECS, cr.agents[i], types.ToHost(value))
				}
			}
		}))
		order = order[n:]
	}
	for i := range agents {
		cr.meet(i, agents[i], all)
	}
	return cr
}

// componentsIn returns the components that agent i has in a crowd of the variant.
func (k *kit) componentsIn(v variant, i int, agents [][]any) []any {
	values := []any{c.Agent{ID: uint64(i) + 1}}
	if k.entry != nil {
		values = append(values, k.entry.Adds...) // even without the behavior
	}
	has := (!v.without || k.entry == nil) && (v.only == 0 || v.only == i+1)
	for _, value := range agents[i] {
		t := reflect.TypeOf(value)
		if v.lacks != nil && (t == v.lacks || value == any(seek)) { // Seek may need the component
			continue
		}
		if has || !k.own(t) {
			values = put(values, value)
		}
	}
	return values
}

func sameTypes(a, b []any) bool {
	return slices.EqualFunc(a, b, func(a, b any) bool { return reflect.TypeOf(a) == reflect.TypeOf(b) })
}

// surround adds obstacles, a path, an itinerary, and a field if needed.
func (cr *crowd) surround(d *Draw) {
	cr.kit.t.Helper()
	must := cr.kit.must
	if around := cr.kit.options.Around; around != nil {
		must(around(d, cr.World))
	} else {
		for range 4 {
			span := d.within(2)
			if d.IntN(2) == 0 {
				span = r2.Vec{}
			}
			_, err := cr.AddObstacle(d.Point(6), c.Obstacle{Span: d.motion.turn(span), Radius: d.Float64()})
			must(err)
		}
	}
	_, err := cr.AddPath([]r2.Vec{d.Point(6), d.Point(6), d.Point(6)})
	must(err)
	_, err = cr.AddItinerary([]systems.Stop{
		{At: d.Point(6)}, {Kind: systems.StopFlow, Direction: d.Vector(1), Duration: 0.4}, {Kind: systems.StopFlee, At: d.Point(6)},
	})
	must(err)
	if contains(cr.kit.values, c.FlowField{}) { // only then, because a field is slow to compute
		goal := d.motion.point(r2.Vec{X: 5 * d.Scale, Y: 5 * d.Scale})
		_, err = cr.AddFlowField(sense.FlowField{Goals: []r2.Box{{Min: goal, Max: goal}}, Radius: 0.2 * d.Scale, Cell: 0.3 * d.Scale, Most: 100_000})
		must(err)
	}
}

func (cr *crowd) step() {
	cr.kit.t.Helper()
	cr.kit.must(cr.Step())
}

func (cr *crowd) states() (all []world.State) {
	for _, e := range cr.agents {
		all = append(all, world.State{
			Position: of[c.Position](cr, e).Vec, Velocity: of[c.Velocity](cr, e).Vec, Heading: of[c.Heading](cr, e).Vec,
		})
	}
	return all
}

// of returns a component of an agent, or its zero value.
func of[T any](cr *crowd, e ecs.Entity) T {
	source := column.SourceIn[T](cr.types, cr.ECS)
	value, _ := column.At[T](cr.ECS, &source, e)
	return value
}

func (k *kit) must(err error) {
	if err != nil {
		k.t.Helper()
		k.t.Fatalf("%s: %v", k.name, err)
	}
}
