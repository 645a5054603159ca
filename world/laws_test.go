package world

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestLaws holds that each behavior obeys the laws of its entry, and no others.
func TestLaws(t *testing.T) {
	for _, e := range systems.Catalog() {
		t.Run(e.Name, func(t *testing.T) {
			acts := e.Does&^(catalog.SeesAgents|catalog.SeesObstacles) != 0 || e.Phase == catalog.Choose
			if fault := checkEffect(t, &e); fault != "" && acts {
				t.Error(fault)
			}
			for law, check := range map[catalog.Law]func(*testing.T, *catalog.Entry) string{
				catalog.Translation:  checkTranslation,
				catalog.Rotation:     checkRotation,
				catalog.Mirror:       checkMirror,
				catalog.Finite:       checkFiniteness,
				catalog.NoAllocation: checkNoAllocation,
			} {
				fault := check(t, &e)
				switch {
				case e.Laws.Has(law) && fault != "":
					t.Errorf("law %b: %s", law, fault)
				case !e.Laws.Has(law) && fault == "":
					t.Errorf("law %b holds, and the entry does not say so", law)
				}
			}
		})
	}
}

// motion maps a crowd to another one that is to move alike.
type motion struct {
	point func(r2.Vec) r2.Vec
	turn  func(r2.Vec) r2.Vec // of what has a direction and no place
}

var identity = motion{func(p r2.Vec) r2.Vec { return p }, func(v r2.Vec) r2.Vec { return v }}

// linear returns a motion that leaves the origin where it is.
func linear(turn func(r2.Vec) r2.Vec) motion { return motion{turn, turn} }

func checkTranslation(t *testing.T, e *catalog.Entry) string {
	by := r2.Vec{X: 24, Y: -40}
	return compare(t, e, motion{func(p r2.Vec) r2.Vec { return vec.Add(p, by) }, identity.turn})
}

// checkRotation turns by any angle, and by a quarter where there are boxes, which have
// sides along the axes.
func checkRotation(t *testing.T, e *catalog.Entry) string {
	for _, p := range e.Params(e.New()) {
		if _, is := p.At.(*r2.Box); is {
			return compare(t, e, linear(vec.Left))
		}
	}
	sin, cos := math.Sincos(0.7)
	return compare(t, e, linear(func(v r2.Vec) r2.Vec { return vec.Rotate(v, cos, sin) }))
}

func checkMirror(t *testing.T, e *catalog.Entry) string {
	return compare(t, e, linear(func(v r2.Vec) r2.Vec { return r2.Vec{X: -v.X, Y: v.Y} }))
}

// compare runs crowds and their images side by side, and returns the first difference.
func compare(t *testing.T, e *catalog.Entry, m motion) string {
	size := 1e-6
	if e.Phase == catalog.Choose { // where borders that are nearly parallel cross, rounding shows
		size = 1e-5
	}
	for seed := range uint64(4) {
		one, image := lawCrowd(t, e, seed, 1, identity, true), lawCrowd(t, e, seed, 1, m, true)
		for range 8 {
			for i, a := range one.states(t) {
				b := image.states(t)[i]
				want := State{m.point(a.Position), m.turn(a.Velocity), m.turn(a.Heading)}
				if vec.Norm(vec.Sub(b.Position, want.Position))+vec.Norm(vec.Sub(b.Velocity, want.Velocity))+vec.Norm(vec.Sub(b.Heading, want.Heading)) > size {
					return reflect.TypeOf(e.Component).Name() + ": " + textOf(b) + ", want " + textOf(want)
				}
			}
			one.step(t)
			image.step(t)
		}
	}
	return ""
}

func textOf(s State) string { return text(reflect.ValueOf(s)) }

// checkFiniteness runs crowds of very small and very large sizes.
func checkFiniteness(t *testing.T, e *catalog.Entry) string {
	for _, scale := range []float64{1e-300, 1e-12, 1, 1e12, 1e150, 1e300} {
		for seed := range uint64(2) {
			crowd := lawCrowd(t, e, seed, scale, identity, true)
			for range 8 {
				crowd.step(t)
				for _, s := range crowd.states(t) {
					if !vec.Finite(s.Position) || !vec.Finite(s.Velocity) || !vec.Finite(s.Heading) {
						return textOf(s)
					}
				}
			}
		}
	}
	return ""
}

func checkNoAllocation(t *testing.T, e *catalog.Entry) string {
	crowd := lawCrowd(t, e, 1, 1, identity, true)
	crowd.step(t)
	crowd.step(t)
	if n := testing.AllocsPerRun(20, func() { crowd.step(t) }); n > 0 && !column.Copies {
		return "a step allocates"
	}
	return ""
}

// checkEffect returns what is wrong if the crowd moves as one without the behavior.
func checkEffect(t *testing.T, e *catalog.Entry) string {
	for seed := range uint64(4) {
		with, without := lawCrowd(t, e, seed, 1, identity, true), lawCrowd(t, e, seed, 1, identity, false)
		for range 8 {
			with.step(t)
			without.step(t)
		}
		if !slices.Equal(with.states(t), without.states(t)) {
			return ""
		}
	}
	return "agents with it move as those without"
}

// TestHiddenState holds that what a behavior does next is told by the components of the
// world and the clock, but for the behaviors whose entry names what else they keep.
func TestHiddenState(t *testing.T) {
	for _, e := range systems.Catalog() {
		hidden := false
		for seed := range uint64(4) {
			one, copied := lawCrowd(t, &e, seed, 1, identity, true), lawCrowd(t, &e, seed, 1, identity, true)
			for range 7 {
				one.step(t)
			}
			copied.become(one)
			for range 8 {
				one.step(t)
				copied.step(t)
				hidden = hidden || !slices.Equal(one.states(t), copied.states(t))
			}
		}
		if hidden != (e.State != "") {
			t.Errorf("%s: keeps something outside components: %v, the entry says %q", e.Name, hidden, e.State)
		}
	}
}

// become copies the clock and all components from a crowd with the same entities.
func (l *lawful) become(from *lawful) {
	*l.Clock = *from.Clock
	query := from.ECS.Query(ecs.All())
	for query.Next() {
		for _, id := range query.Ids() {
			info, _ := ecs.ComponentInfo(from.ECS, id)
			to := l.ECS.Get(query.Entity(), ecs.TypeID(l.ECS, info.Type))
			reflect.NewAt(info.Type, to).Elem().Set(reflect.NewAt(info.Type, query.Get(id)).Elem())
		}
	}
}

// TestEveryBehaviorIsExplained holds that Explain foretells each step of agents with
// each behavior, to the last bit.
func TestEveryBehaviorIsExplained(t *testing.T) {
	for _, e := range systems.Catalog() {
		crowd := lawCrowd(t, &e, 3, 1, identity, true)
		for range 6 {
			var want []State
			for _, agent := range crowd.agents {
				x, err := crowd.Explain(agent)
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, x.After)
			}
			crowd.step(t)
			if got := crowd.states(t); !slices.Equal(got, want) {
				t.Errorf("%s: got=%v, want=%v", e.Name, got, want)
				break
			}
		}
	}
}

// lawful is a small crowd of one behavior, among obstacles.
type lawful struct {
	*World
	agents []ecs.Entity
}

func (l *lawful) step(t *testing.T) {
	if err := l.Step(); err != nil {
		t.Fatal(err)
	}
}

func (l *lawful) states(t *testing.T) (all []State) {
	for _, e := range l.agents {
		all = append(all, stateOf(l.ECS, nil, e))
	}
	return all
}

// lawCrowd returns a crowd that is drawn with a seed, and moved by a motion, with a
// behavior or without. Places and velocities are as large as the scale.
func lawCrowd(t *testing.T, e *catalog.Entry, seed uint64, scale float64, m motion, with bool) *lawful {
	config := Default()
	config.Workers, config.Dt = 1, 0.1
	w, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	rnd := rand.New(rand.NewPCG(seed, 7))
	within := func(size float64) r2.Vec {
		return vec.Scale(scale*size, r2.Vec{X: 2*rnd.Float64() - 1, Y: 2*rnd.Float64() - 1})
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		span := within(2)
		if rnd.IntN(2) == 0 {
			span = r2.Vec{}
		}
		_, err := w.AddObstacle(m.point(within(6)), c.Obstacle{Span: m.turn(span), Radius: rnd.Float64()})
		must(err)
	}
	_, err = w.AddPath([]r2.Vec{m.point(within(6)), m.point(within(6)), m.point(within(6))})
	must(err)
	_, err = w.AddItinerary([]systems.Stop{
		{At: m.point(within(6))}, {Kind: systems.StopFlow, Direction: m.turn(within(1)), Duration: 0.4}, {Kind: systems.StopFlee, At: m.point(within(6))},
	})
	must(err)

	if e.Component == any(c.FlowField{}) { // it takes time to work out
		goal := m.point(r2.Vec{X: 5 * scale, Y: 5 * scale})
		_, err = w.AddFlowField(sense.FlowField{Goals: []r2.Box{{Min: goal, Max: goal}}, Radius: 0.2 * scale, Cell: 0.3 * scale})
		must(err)
	}

	const n = 12
	values := []any{c.Target{}, c.Limits{}, c.Mass{}, c.Radius{}, c.Heading{Vec: r2.Vec{X: 1}}}
	if slices.Contains(e.Needs, any(c.Destination{})) {
		values = append(values, c.Destination{})
	}
	if e.Does&(catalog.SetsTarget|catalog.LimitsSpeed) != 0 || e.Does == 0 || e.Phase == catalog.Choose { // something goes there
		values = append(values, c.Seek{Gain: 1})
	}
	mine := map[reflect.Type]*catalog.Entry{}
	var need func(*catalog.Entry)
	need = func(e *catalog.Entry) { // what it needs, and what that needs
		for _, value := range e.Needs {
			for i := range w.behaviors {
				if b := &w.behaviors[i]; reflect.TypeOf(b.Component) == reflect.TypeOf(value) && mine[reflect.TypeOf(value)] == nil {
					need(b)
					mine[reflect.TypeOf(value)], values = b, append(values, value)
				}
			}
		}
	}
	need(e)
	if with {
		mine[reflect.TypeOf(e.Component)], values = e, append(values, e.Component)
	}
	// Values differ from agent to agent, and Spawn checks them before entities are known.
	l := &lawful{World: w}
	must(w.Spawn(n, values, func(r *Rows) {
		for i := range r.Len {
			l.agents = append(l.agents, r.Entity(i))
			Column[c.Position](r)[i].Vec = m.point(within(5))
			Column[c.Velocity](r)[i].Vec = m.turn(within(1))
			Column[c.Heading](r)[i].Vec = m.turn(vec.Unit(within(1)))
			Column[c.Target](r)[i].Vec = m.point(within(5))
			if dest := Column[c.Destination](r); dest != nil {
				dest[i].Vec = Column[c.Target](r)[i].Vec
			}
			Column[c.Limits](r)[i] = c.Limits{MaxSpeed: scale * (1 + rnd.Float64()), MaxForce: scale * (1 + 3*rnd.Float64())}
			Column[c.Mass](r)[i].Kilograms = 1 + rnd.Float64()
			Column[c.Radius](r)[i].Meters = 0.3 * rnd.Float64()
		}
		for _, value := range values {
			b := mine[reflect.TypeOf(value)]
			if b == nil {
				continue
			}
			b.Each(r.column(reflect.TypeOf(value), b.Column), r.Len, func(i int, component any, params []catalog.Param) {
				drawParams(b, component, params, rnd, within, m)
			})
		}
	}))
	for _, b := range mine {
		id := ecs.TypeID(w.ECS, reflect.TypeOf(b.Component))
		for i, agent := range l.agents {
			for _, p := range b.Params(reflect.NewAt(reflect.TypeOf(b.Component), w.ECS.Get(agent, id)).Interface()) {
				if whom, is := p.At.(*ecs.Entity); is {
					*whom = l.agents[(i+1)%n]
				}
			}
		}
	}
	return l
}

// drawParams draws the parameters of a component until they are allowed.
func drawParams(e *catalog.Entry, component any, params []catalog.Param, rnd *rand.Rand, within func(float64) r2.Vec, m motion) {
	for {
		for _, p := range params {
			switch at := p.At.(type) {
			case *float64:
				if *at = 3 * rnd.Float64(); !p.Limits.Allow(*at) {
					*at = p.Limits.Min + float64((p.Limits.Max-p.Limits.Min)*rnd.Float64())
				}
			case *bool:
				*at = rnd.IntN(2) == 0
			case *int:
				*at = rnd.IntN(8)
			case *uint32:
				if *at = rnd.Uint32N(6); p.List != "" {
					*at = 0
				}
			case *r2.Vec:
				*at = m.point(within(5))
			case *r2.Box:
				a, b := m.point(r2.Vec{X: -6, Y: -4}), m.point(r2.Vec{X: 5, Y: 6})
				*at = r2.NewBox(a.X, a.Y, b.X, b.Y)
			}
		}
		if _, problem := problemOf(e, component, params, 1, 0.1); problem == "" {
			return
		}
	}
}
