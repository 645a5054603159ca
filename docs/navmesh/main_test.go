package main

import (
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func newGame(t *testing.T) *Game {
	t.Helper()
	g, err := NewGame()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.World.Close)
	return g
}

func step(t *testing.T, g *Game) {
	t.Helper()
	if err := g.Step(); err != nil {
		t.Fatal(err)
	}
}

func (g *Game) each(f func(e ecs.Entity, at, to r2.Vec)) {
	w := g.World.ECS
	position, destination := ecs.ComponentID[c.Position](w), ecs.ComponentID[c.Destination](w)
	filter := ecs.All(position, destination)
	for q := w.Query(&filter); q.Next(); {
		f(q.Entity(), (*c.Position)(q.Get(position)).Vec, (*c.Destination)(q.Get(destination)).Vec)
	}
}

func in(p r2.Vec, box r2.Box) bool {
	return p.X > box.Min.X && p.X < box.Max.X && p.Y > box.Min.Y && p.Y < box.Max.Y
}

func through(way []r2.Vec, box r2.Box) bool {
	for i := 1; i < len(way); i++ {
		for k := 0.; k <= 1000; k++ {
			if in(r2.Add(way[i-1], r2.Scale(k/1000, r2.Sub(way[i], way[i-1]))), box) {
				return true
			}
		}
	}
	return false
}

// TestEverybodyArrives also verifies that no agent is in a wall or a closed door, and how many paths the mesh
// plans.
func TestEverybodyArrives(t *testing.T) {
	g := newGame(t)
	for g.World.Stats().Arrived < people && g.World.Clock.Time < 300 {
		closed := north
		if g.World.Clock.Time >= change {
			closed = south
		}
		g.each(func(e ecs.Entity, at, _ r2.Vec) {
			for _, wall := range append([]r2.Box{closed}, walls...) {
				if in(at, wall) {
					t.Fatalf("%.1f s: agent %d: got=%.2f, in the wall %v, want=outside", g.World.Clock.Time, e.ID(), at, wall)
				}
			}
		})
		step(t, g)
	}
	if got := g.World.Stats().Arrived; got != people {
		t.Errorf("arrived: got=%d, want=%d", got, people)
	}
	if g.Mesh.Ways < 2*people || g.Mesh.Longest < 30 {
		t.Errorf("got=%d paths, the longest of %.1f m, want=%d or more, the longest of 30 m or more", g.Mesh.Ways, g.Mesh.Longest, 2*people)
	}
}

// A step after the first plans at most 50 paths, so 300 people need six steps.
func TestWaysAreThoseOfTheMesh(t *testing.T) {
	g := newGame(t)
	for _, x := range []struct {
		from         float64 // s
		open, closed r2.Box
	}{{0, south, north}, {change, north, south}} {
		for g.World.Clock.Time < x.from {
			step(t, g)
		}
		step(t, g)
		ways := 0 // planned at the end of this step
		g.each(func(e ecs.Entity, at, to r2.Vec) {
			if want, ok := g.Mesh.Plan(at, to, radius, nil); ok && slices.Equal(g.World.Inspect().Path(e), want) {
				ways++
			}
		})
		if ways < 50 {
			t.Errorf("%v s: got=%d paths of the mesh after a step, want=at least 50", x.from, ways)
		}
		for range people/50 - 1 {
			step(t, g)
		}
		all := 0
		g.each(func(e ecs.Entity, at, _ r2.Vec) {
			all++
			way := append([]r2.Vec{at}, g.World.Inspect().Path(e)...)
			if !through(way, x.open) || slices.ContainsFunc(append([]r2.Box{x.closed}, walls...), func(b r2.Box) bool { return through(way, b) }) {
				t.Errorf("%v s: agent %d: got=path %.2f, want=a path through the door %v and no wall", x.from, e.ID(), way, x.open)
			}
		})
		if all != people {
			t.Errorf("%v s: agents on their way: got=%d, want=%d", x.from, all, people)
		}
	}
}

func TestPlan(t *testing.T) {
	m := Mesh{Radius: 0.25}
	rooms := append([]r2.Box{south, north}, walls...)
	if m.Changed() {
		t.Error("mesh before Build: got=changed, want=unchanged")
	}
	if err := m.Build(floor, rooms[1:]); err != nil {
		t.Fatal(err)
	}
	if !m.Changed() || m.Changed() {
		t.Error("two calls to Changed after Build: got other results, want true, then false")
	}
	hall, next := r2.Vec{X: 3, Y: 10}, r2.Vec{X: 30, Y: 10}
	for _, x := range []struct {
		name     string
		from, to r2.Vec
		radius   float64
		ok       bool
	}{
		{"from room to room", hall, next, 0.25, true},
		{"and back", next, hall, 0.25, true},
		{"to the same place", hall, hall, 0.25, true},
		{"from a place at a wall", r2.Vec{X: 0.35, Y: 10}, next, 0.25, true},
		{"for a larger body", hall, next, 0.3, false},
		{"into a bar", hall, r2.Vec{X: 20, Y: 10}, 0.25, false},
		{"out of doors", hall, r2.Vec{X: 50, Y: 10}, 0.25, false},
		{"from outside", r2.Vec{X: 50, Y: 10}, hall, 0.25, false},
	} {
		before := []r2.Vec{{X: 1, Y: 2}}
		got, ok := m.Plan(x.from, x.to, x.radius, before)
		if ok != x.ok || !slices.Equal(got[:1], before) || !ok && len(got) > 1 {
			t.Errorf("%s: got=%v, %v, want=a path that begins with %v, %v", x.name, got, ok, before, x.ok)
		} else if end := got[len(got)-1]; ok && r2.Norm(r2.Sub(end, x.to)) > 0.01 {
			t.Errorf("%s: got=%v, want=%v at the end", x.name, got, x.to)
		}
	}
	if err := m.Build(floor, rooms); err != nil {
		t.Fatal(err)
	}
	if way, ok := m.Plan(hall, next, 0.25, nil); ok {
		t.Errorf("through closed doors: got=%v, want=no path", way)
	}
	if err := m.Build(r2.NewBox(0, 0, 0.4, 0.4), nil); err == nil {
		t.Error("floor of 0.4 m: got=no error, want=an error")
	}
}
