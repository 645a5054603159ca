package world_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// foreign has the layout of a component of this module.
type foreign[T any] struct{ Value T }

func twin[T any]() frame.Binding { return frame.Bound[T, foreign[T]]() }

// foreigners binds a host's type in place of every component.
func foreigners() []frame.Binding {
	all := []frame.Binding{
		twin[c.Agent](), twin[c.Position](), twin[c.Velocity](), twin[c.Heading](), twin[c.Mass](), twin[c.Radius](),
		twin[c.Limits](), twin[c.Target](), twin[c.Steering](), twin[c.Layers](), twin[c.Destination](), twin[c.Obstacle](),
		twin[c.Door](), twin[c.Threat](), twin[c.PreferredVelocity](), twin[c.PreviousPosition](), twin[c.ForceCombination](),
	}
	for _, e := range systems.Catalog() {
		all = append(all, e.Twin())
	}
	return all
}

func crowdOf(t *testing.T, workers int, mode systems.Combination, bind []frame.Binding) *world.World {
	t.Helper()
	config := world.Default()
	config.Dt, config.Workers, config.Safety, config.Combination, config.Bind = 0.1, workers, true, mode, bind
	config.Areas, config.Lines = []r2.Box{{Max: r2.Vec{X: 20, Y: 20}}}, []measure.MeasurementLine{{A: r2.Vec{X: 10}, B: r2.Vec{X: 10, Y: 20}}}
	return made(t, config)
}

func TestForeignCrowd(t *testing.T) {
	t.Parallel()
	const some, steps = 20, 15 // agents of each kind
	for _, mode := range []systems.Combination{systems.CombineSum, systems.CombinePriority} {
		own := crowdOf(t, 1, mode, nil)
		all := []*world.World{own, crowdOf(t, 1, mode, foreigners()), crowdOf(t, 3, mode, foreigners())}
		for _, w := range all {
			everyone(t, w, some)
		}
		same := func(when string) {
			t.Helper()
			want := own.Hash()
			for i, w := range all[1:] {
				if got := w.Hash(); got != want {
					t.Fatalf("%v, %s, foreign crowd %d: hash: got=%016x, want=%016x", mode, when, i+1, got, want)
				}
			}
		}
		same("before the first step")
		for step := range steps {
			for _, w := range all {
				must(t, w.Step())
				change(t, w, step)
			}
			same(fmt.Sprint("step ", step))
		}
		sameExplanations(t, all, some)
		sameCounts(t, all)
		for i, w := range all[1:] {
			onlyForeign(t, w, mode == systems.CombineSum)
			if i == 0 && w.Stats().Arrived == 0 {
				t.Error("arrivals: got=0, want=some")
			}
		}
	}
}

func change(t *testing.T, w *world.World, step int) {
	t.Helper()
	e, ok := w.Entity(uint64(2 + step))
	if !ok {
		return
	}
	switch step % 5 {
	case 0:
		w.Remove(e)
	case 1:
		w.Restart(e, r2.Vec{X: float64(step)}, r2.Vec{Y: 1})
	case 2:
		w.SetDestination(e, r2.Vec{X: -40})
	case 4:
		w.SetTracked(0, e)
		moved := false
		w.Inspect().EachObstacle(func(o world.ObstacleShape) {
			if moved || o.Corners == nil && step%2 == 0 {
				return
			}
			moved = true
			if err := w.MoveObstacle(o.Entity, r2.Add(o.A, r2.Vec{X: 0.1, Y: 0.2})); err != nil {
				t.Error(err)
			}
		})
		if !moved {
			t.Error("obstacles moved: got=0, want=1")
		}
	}
}

func sameExplanations(t *testing.T, all []*world.World, some int) {
	t.Helper()
	said, id := 0, uint64(some)
	for ; id < all[0].NextID(); id += uint64(some) {
		var texts []string
		for _, w := range all {
			e, ok := w.Entity(id)
			if !ok {
				break
			}
			x := world.Value(w.Inspect().Explain(e))
			if x.Components == nil || x.ID != id {
				t.Errorf("agent %d: got=ID %d and components %v, want=its ID, and some components", id, x.ID, x.Components)
			}
			x.Components = nil
			text := world.Value(json.Marshal([]any{x, w.Inspect().Diagnose(e)}))
			texts = append(texts, string(text))
		}
		for _, text := range texts {
			said++
			testkit.Equal(t, text, texts[0], "agent %d: explanation", id)
		}
	}
	if said < 40 {
		t.Errorf("explanations: got=%d, want=40 or more", said)
	}
}

func sameCounts(t *testing.T, all []*world.World) {
	t.Helper()
	want := timeless(all[0].Stats())
	for i, w := range all[1:] {
		if got := timeless(w.Stats()); !reflect.DeepEqual(got, want) {
			t.Errorf("world %d: counts: got=%+v, want=%+v", i+1, got, want)
		}
	}
	if want.ObstacleCollisions.Steps == 0 || want.AgentCollisions.Collisions == 0 || want.Areas[0].Steps == 0 || want.Lines[0].Passed == 0 || want.Trips.Agents == 0 {
		t.Errorf("counts: got=%+v, want=numbers above 0 in all measurements", want)
	}
}

func onlyForeign(t *testing.T, w *world.World, sum bool) {
	t.Helper()
	ours := reflect.TypeFor[c.Agent]().PkgPath()
	registered := map[reflect.Type]ecs.ID{}
	for _, id := range ecs.ComponentIDs(w.ECS) {
		info, _ := ecs.ComponentInfo(w.ECS, id)
		registered[info.Type] = id
		if info.Type.PkgPath() == ours {
			t.Errorf("registered types: got=%v, want=only the host's type in its place", info.Type)
		}
	}
	testkit.Equal(t, len(foreigners()), len(systems.Components()), "bindings")
	for typ, id := range registered {
		q := w.ECS.Query(ecs.All(id))
		n := q.Count()
		q.Close()
		if none := sum && typ == reflect.TypeFor[foreign[c.ForceCombination]](); (n == 0) != none {
			t.Errorf("entities with %v: got=%d, want=none: %v", typ, n, none)
		}
	}
	missing := len(systems.Components()) - len(registered)
	if sum {
		missing--
	}
	if missing > 0 {
		t.Errorf("component types missing from the world: got=%d, want=0", missing)
	}
}

// Types of a game.
type (
	Position struct{ X, Y float64 }
	Velocity struct{ X, Y float64 }
)

var bound = []frame.Binding{frame.Bound[c.Position, Position](), frame.Bound[c.Velocity, Velocity]()}

func TestSpawnForeign(t *testing.T) {
	w := crowdOf(t, 1, systems.CombineSum, bound)
	walker := []any{c.Target{Vec: r2.Vec{X: 9}}, c.Limits{MaxSpeed: 1, MaxForce: 5}, c.Seek{Gain: 1}}
	must(t, w.Spawn(1, append(walker, Position{X: 1}), nil))
	must(t, w.Spawn(1, append(walker, c.Position{Vec: r2.Vec{X: 2}}), nil))
	for _, fill := range []func(*world.Rows){
		func(r *world.Rows) { world.Column[Position](r)[0].X = 3 },
		func(r *world.Rows) { world.Column[c.Position](r)[0].X = 4 },
	} {
		must(t, w.Spawn(1, walker, fill))
	}
	e := w.ECS.NewEntity()
	systems.AddBound(w.Frame, w.ECS, e, append(walker, c.Agent{ID: 5}, Position{X: 5}, c.Velocity{})...)
	position, velocity := ecs.ComponentID[Position](w.ECS), ecs.ComponentID[Velocity](w.ECS)
	for id := uint64(1); id <= 5; id++ {
		e, ok := w.Entity(id)
		if !ok || !w.ECS.Has(e, position) || !w.ECS.Has(e, velocity) {
			t.Fatalf("agent %d: got=%v %v, want=the host's types", id, e, ok)
		}
		testkit.Equal(t, (*Position)(w.ECS.Get(e, position)).X, float64(id), "agent %d: x", id)
	}
	must(t, w.Step())
	if got := *(*Velocity)(w.ECS.Get(e, velocity)); got.X <= 0 {
		t.Errorf("velocity after a step: got=%v, want=a velocity toward the target", got)
	}
	world.WantError(t, w.Spawn(1, append(walker, Position{}, c.Position{}), nil), "component components.Position is given twice")
}

func TestUnboundTypes(t *testing.T) {
	w := crowdOf(t, 1, systems.CombineSum, bound[:1])
	err := w.Spawn(1, []any{Position{X: 3}, Velocity{X: 1}}, nil)
	world.WantError(t, err, "world_test.Velocity is not bound")
	world.WantError(t, err, "frame.Bound[components.Velocity, world_test.Velocity]()")
	must(t, w.Spawn(1, []any{Velocity{X: 1}, c.Velocity{}}, nil)) // alongside the component
	for name, test := range map[string]struct {
		do   func()
		want string
	}{
		"Add": {func() { systems.AddBound(w.Frame, w.ECS, w.ECS.NewEntity(), Velocity{}) }, "crowd: world_test.Velocity is not bound"},
		"Column": {func() { _ = w.Spawn(1, nil, func(r *world.Rows) { world.Column[Velocity](r) }) },
			"crowd: Column of world_test.Velocity, which is not bound"},
		"Column twice": {func() {
			_ = w.Spawn(1, nil, func(r *world.Rows) {
				world.Column[c.Position](r)[0].X = 1
				world.Column[Position](r)[0].X = 2
			})
		}, "crowd: Column of components.Position and of world_test.Position, which are the same"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, test.want) {
					t.Errorf("got=%v, want=a panic that contains %q", got, test.want)
				}
			}()
			test.do()
		})
	}
	must(t, w.Run(context.Background(), 2))
}
