package scene

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// With -full, the test runs all scenes that fit a model, and also mirrors crowds whose rules allow it.
func TestOriginAndRows(t *testing.T) {
	t.Parallel()
	type crowd struct {
		name  string
		model Model
	}
	few, seconds := 12, 16.
	all := []crowd{{"bottleneck", ModelCollisionFreeSpeed}, {"bottleneck", ModelAnticipationVelocity}}
	if *full {
		few, seconds, all = 40, 40, nil
		for _, name := range Names() {
			if s, _ := Named(name); s.SetModel(ModelORCA) == nil {
				all = append(all, crowd{name, ""})
				for _, m := range models {
					all = append(all, crowd{name, m.Model})
				}
			}
		}
	}
	for _, of := range all {
		t.Run(of.name+"/"+string(of.model), func(t *testing.T) {
			s := loaded(t, of.name)
			shrink(s, few)
			if of.model != "" {
				noError(t, s.SetModel(of.model))
			}
			s.Steps = min(s.Steps, int(seconds/s.Dt))
			testkit.Equal(t, shuffledHash(t, s, true), shuffledHash(t, s, false), "rows shuffled")
			same := func(what string, from func(*Scene) *Scene, at func(r2.Vec) r2.Vec) {
				const seeds = 5
				var got, want int
				for seed := range uint64(seeds) {
					s.Seed = seed + 1
					there := from(s)
					want += arrivals(t, there)
					got += arrivals(t, elsewhere(there, at))
				}
				if off := math.Abs(float64(got - want)); off > max(0.02*float64(want), seeds) {
					t.Errorf("%s: arrivals with %d seeds: got=%d, want=about %d", what, seeds, got, want)
				}
			}
			same("moved", (*Scene).Clone, func(p r2.Vec) r2.Vec { return vec.Add(p, xy(16, 7.9)) })
			if *full && hasMirrorLaw(s) {
				same("mirrored", func(s *Scene) *Scene { return standing(t, s) }, func(p r2.Vec) r2.Vec { return xy(p.X, -p.Y) }) // agents face along x at the start
			}
		})
	}
}

func arrivals(t *testing.T, s *Scene) int {
	t.Helper()
	w := built(t, s)
	steps(t, w, s.Steps)
	return w.Stats().Arrived
}

// shuffledHash returns the hash after about one second. With shuffle, it shuffles the rows halfway.
func shuffledHash(t *testing.T, s *Scene, shuffle bool) uint64 {
	t.Helper()
	w := built(t, s)
	half := int(math.Ceil(0.5 / s.Dt))
	steps(t, w, half)
	if shuffle {
		shuffleRows(w)
	}
	return steps(t, w, half)
}

// shuffleRows moves each agent to the end of its archetype, in random order.
func shuffleRows(w *world.World) {
	type moving struct{}
	tag := ecs.ComponentID[moving](w.ECS)
	var all []ecs.Entity
	q := w.ECS.Query(ecs.All(ecs.ComponentID[c.Agent](w.ECS)))
	for q.Next() {
		all = append(all, q.Entity())
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	for _, e := range all {
		w.ECS.Add(e, tag)
		w.ECS.Remove(e, tag)
	}
}

// hasMirrorLaw reports whether a mirrored crowd moves as the mirror image, because no rule prefers a
// side.
func hasMirrorLaw(s *Scene) bool {
	o := &s.Obstacles
	return o.Pillars == nil && len(o.Random) == 0 && !slices.ContainsFunc(s.Groups, func(g Group) bool {
		return g.Source != nil || g.followsField() || g.Goal != nil && g.Goal.Then == Wander || slices.ContainsFunc(g.Behaviors, func(b any) bool {
			e := s.entry(b)
			return isOneOf([]any{c.Passing{}}, b) || e == nil || e.Laws&catalog.Mirror == 0
		})
	})
}

// standing returns a copy of the scene with fixed places of agents and targets.
func standing(t *testing.T, s *Scene) *Scene {
	t.Helper()
	w := built(t, s)
	s = s.Clone()
	firsts := s.FirstIDs()
	for i := range s.Groups {
		g := &s.Groups[i]
		if g.At = (Place{Points: make([]r2.Vec, g.Count)}); g.Target != nil {
			g.Target = &Place{Points: make([]r2.Vec, g.Count)}
		}
	}
	agent, pos, target := ecs.ComponentID[c.Agent](w.ECS), ecs.ComponentID[c.Position](w.ECS), ecs.ComponentID[c.Target](w.ECS)
	q := w.ECS.Query(ecs.All(agent, pos))
	for q.Next() {
		id := (*c.Agent)(q.Get(agent)).ID
		k, _ := slices.BinarySearch(firsts, id+1)
		g := &s.Groups[k-1]
		g.At.Points[id-firsts[k-1]] = (*c.Position)(q.Get(pos)).Vec
		if g.Target != nil {
			g.Target.Points[id-firsts[k-1]] = (*c.Target)(q.Get(target)).Vec
		}
	}
	return s
}

// elsewhere returns a copy of the scene with at applied to all places and directions.
func elsewhere(s *Scene, at func(r2.Vec) r2.Vec) *Scene {
	s = s.Clone()
	put(reflect.ValueOf(s).Elem(), at)
	return s
}

func put(v reflect.Value, at func(r2.Vec) r2.Vec) {
	switch x := v.Addr().Interface().(type) {
	case *r2.Vec:
		*x = at(*x)
		return
	case *r2.Box:
		if *x != (r2.Box{}) { // empty means none
			*x = around(at(x.Min), at(x.Max))
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			switch f := v.Type().Field(i); {
			case !f.IsExported() || f.Name == "Catalog":
			case f.Name == "Velocity" || f.Name == "Direction" || f.Name == "Up":
				put(v.Field(i), func(d r2.Vec) r2.Vec { return vec.Sub(at(d), at(r2.Vec{})) })
			default:
				put(v.Field(i), at)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			put(v.Index(i), at)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			put(v.Elem(), at)
		}
	case reflect.Interface:
		if !v.IsNil() {
			x := reflect.New(v.Elem().Type()).Elem()
			x.Set(v.Elem())
			put(x, at)
			v.Set(x)
		}
	}
}
