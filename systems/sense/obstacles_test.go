package sense

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

type site struct {
	*stage
	*rand.Rand
	index *Obstacles
	rings *Polygons
	all   []ecs.Entity
}

func newSite(t *testing.T, seed uint64) *site {
	s := &site{Rand: rand.New(rand.NewPCG(seed, 1)), index: &Obstacles{}, rings: &Polygons{}}
	s.stage = newStage(t, 0.1, s.index)
	for range 4 {
		*s.rings = append(*s.rings, s.ring())
	}
	ecs.AddResource(s.World, s.rings)
	for range 24 {
		s.add()
	}
	return s
}

// somewhere returns a random point in a square with the given side, centered on the origin.
func (s *site) somewhere(side float64) r2.Vec {
	return xy(side*(s.Float64()-0.5), side*(s.Float64()-0.5))
}

func (s *site) one() ecs.Entity { return s.all[s.IntN(len(s.all))] }

func (s *site) ring() []r2.Vec {
	return []r2.Vec{s.somewhere(8), s.somewhere(8), s.somewhere(8), s.somewhere(8)}[:2+s.IntN(3)]
}

// obstacle returns a random circle, wall or polygon. The polygon may be one that rings lacks.
func (s *site) obstacle() c.Obstacle {
	switch s.IntN(3) {
	case 0:
		return c.Obstacle{Radius: 2 * s.Float64()}
	case 1:
		return c.Obstacle{Span: s.somewhere(20), Radius: 0.2 * s.Float64()}
	}
	return c.Obstacle{Polygon: 1 + uint32(s.IntN(5)), Radius: float64(s.IntN(2)) / 4}
}

func (s *site) add() {
	s.all = append(s.all, s.Put(c.Position{Vec: s.somewhere(60)}, s.obstacle()))
}

func (s *site) remove(e ecs.Entity) {
	s.RemoveEntity(e)
	s.all = slices.DeleteFunc(s.all, func(other ecs.Entity) bool { return other == e })
}

func (s *site) nudge() {
	for _, e := range s.all {
		p, o := testkit.ComponentOf[c.Position](s.stage, e), testkit.ComponentOf[c.Obstacle](s.stage, e)
		if o.Polygon == 0 && o.Radius >= 0 && vec.Finite(r2.Add(p.Vec, o.Span)) {
			p.Vec = r2.Add(p.Vec, s.somewhere(0.05))
		}
	}
}

func (s *site) change() {
	e := s.one()
	p, o := testkit.ComponentOf[c.Position](s.stage, e), testkit.ComponentOf[c.Obstacle](s.stage, e)
	switch s.IntN(14) {
	case 0, 1:
		p.Vec = r2.Add(p.Vec, s.somewhere(0.1))
	case 2:
		s.nudge()
	case 3:
		p.Vec = s.somewhere(60)
	case 4:
		o.Radius *= 2 * s.Float64()
	case 5: // a wall turns, a circle becomes a wall, or a wall becomes a circle
		o.Span = r2.Scale(float64(s.IntN(4)), s.somewhere(6))
	case 6:
		o.Polygon = uint32(s.IntN(6))
	case 7:
		rings := *s.rings
		if k := s.IntN(len(rings)); s.IntN(2) == 0 {
			rings[k] = s.ring()
		} else {
			rings[k][s.IntN(len(rings[k]))] = s.somewhere(8)
		}
	case 8:
		*[]*float64{&p.X, &p.Y, &o.Span.X, &o.Span.Y, &o.Radius}[s.IntN(5)] = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[s.IntN(3)]
	case 9: // makes all obstacles finite again
		for _, e := range s.all {
			p, o := testkit.ComponentOf[c.Position](s.stage, e), testkit.ComponentOf[c.Obstacle](s.stage, e)
			if sum := p.X + p.Y + o.Span.X + o.Span.Y + o.Radius; sum-sum != 0 {
				p.Vec, *o = s.somewhere(60), s.obstacle()
			}
		}
	case 10:
		if len(s.all) < 40 {
			s.add()
		}
	case 11:
		if len(s.all) > 8 {
			s.remove(e)
		}
	case 12: // moves to another archetype
		if tag := ecs.ComponentID[ballast](s.World); s.Has(e, tag) {
			s.Remove(e, tag)
		} else {
			s.Add(e, tag)
		}
	case 13: // replaces an obstacle with another one with the same values, and possibly the same ID
		comps := []any{*p, *o}
		s.remove(e)
		s.all = append(s.all, s.Put(comps...))
	}
}

// replaceLast removes the obstacle in the last row, which moves no other row, and may put an equal one in its
// place. It keeps at least 8 obstacles.
func (s *site) replaceLast() {
	rows := s.index.entities
	if len(s.all) <= 8 {
		return
	}
	e := rows[len(rows)-1]
	comps := []any{*testkit.ComponentOf[c.Position](s.stage, e), *testkit.ComponentOf[c.Obstacle](s.stage, e)}
	if s.Has(e, ecs.ComponentID[ballast](s.World)) {
		comps = append(comps, ballast{})
	}
	s.remove(e)
	if s.IntN(2) == 0 {
		s.all = append(s.all, s.Put(comps...))
	}
}

// check compares the snapshot with a fresh one at a random point.
func (s *site) check(t *testing.T, fresh *Obstacles) {
	t.Helper()
	p, limit, radius := s.somewhere(70), 12*s.Float64(), s.Float64()
	if near := testkit.ComponentOf[c.Position](s.stage, s.one()).Vec; s.IntN(2) == 0 && r2.Norm(near) < 1e3 {
		p = r2.Add(near, s.somewhere(3))
	}
	if s.IntN(8) == 0 {
		limit = 1e3
	}
	sin, cos := math.Sincos(2 * math.Pi * s.Float64())
	dir := xy(cos, sin)

	answers := func(o *Obstacles) []any {
		near, found := o.Nearest(p, limit)
		swept, hit := o.Sweep(p, dir, limit, radius)
		in, inside := o.Inside(p)
		all := []any{near, found, swept, hit, in, inside}
		o.Within(p, limit, func(e ecs.Entity, distance float64) bool {
			all = append(all, e, distance)
			return true
		})
		return all
	}
	if got, want := answers(s.index), answers(fresh); !slices.Equal(got, want) {
		t.Fatalf("at %v along %v, limit %v, radius %v: got=%+v, want=%+v", p, dir, limit, radius, got, want)
	}
}

func TestObstaclesAreAsNew(t *testing.T) {
	moved, built := 0, 0
	for seed := range uint64(5) {
		s := newSite(t, seed)
		for step := range 60 {
			switch kind := s.IntN(8); {
			case step == 0:
			case kind == 0: // alone, because other changes would hide a mistake
				s.replaceLast()
			case kind == 1: // a longer look-ahead, which does not affect answers
				s.index.Expect(20 * s.Float64())
			case kind < 4: // after the first snapshot, the index need not be built
				s.nudge()
			default:
				for range s.IntN(4) {
					s.change()
				}
			}
			s.Step()
			switch {
			case s.index.changed:
				built++
			case len(s.index.moved) > 0:
				moved++
			}

			fresh := &Obstacles{}
			f := frame.New(fresh)
			f.Workers = 1
			f.Initialize(s.World)
			f.Update(s.World)
			if got, want := s.index.Len(), fresh.Len(); got != want || got != len(s.all) {
				t.Fatalf("seed %d, step %d: Len: got=%v, want=%v, as in a new snapshot, and %v, the number of obstacles", seed, step, got, want, len(s.all))
			}
			if got, want := s.index.Skipped(), fresh.Skipped(); got != want {
				t.Fatalf("seed %d, step %d: Skipped: got=%v, want=%v", seed, step, got, want)
			}
			for range 30 {
				s.check(t, fresh)
			}
			f.Finalize(s.World)
		}
	}
	t.Logf("%d snapshots rebuilt, %d with moved obstacles", built, moved)
	if moved == 0 || built == 0 {
		t.Errorf("snapshots: got=%v rebuilt and %v with moved obstacles, want=some of each", built, moved)
	}
}

func TestWallsOfMovingObstacles(t *testing.T) {
	o := &Obstacles{}
	s := newStage(t, 0.05, o)
	disc := s.Put(c.Position{Vec: xy(0, -4)}, c.Obstacle{Radius: 1})
	wall := s.Put(c.Position{Vec: xy(0, 4)}, c.Obstacle{Span: xy(0, 1), Radius: 0.1})
	for step := range 200 {
		testkit.ComponentOf[c.Position](s, disc).Y = -4 + 0.03*float64(step)
		if step == 60 {
			s.RemoveEntity(wall)
		}
		s.Step()
		o.PrepareWalls(5)
		fresh := Obstacles{}
		fresh.shapes = append(fresh.shapes, o.shapes...)
		fresh.index.Build(fresh.shapes, 5, 0)
		fresh.PrepareWalls(5)
		if got, want := o.edges.walls, fresh.edges.walls; !reflect.DeepEqual(got, want) {
			t.Fatalf("step %d: walls: got=%v, want=%v", step, got, want)
		}
	}
}
