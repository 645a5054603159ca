package systems_test

import (
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// army returns a world of 300 m by 200 m with groups of units of three sizes, and the units of each group.
func army(t *testing.T, groups, each int, with ...any) (w *world.World, members [][]ecs.Entity) {
	t.Helper()
	config := world.Default()
	config.Dt, config.Workers = 1./30, 2
	config.Bounds, config.Box = systems.BoundsClamp, r2.NewBox(0, 0, 300, 200)
	w = startWorld(t, config)
	values := append(with, c.Limits{MaxSpeed: 4, MaxForce: 20}, c.Target{}, c.Radius{}, c.Arrival{Gain: 2, SlowingRadius: 3}, c.Solid{Push: 0.8},
		c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 4, MaxNeighbors: 10})
	for g := range groups {
		_, err := w.AddFlowField(sense.FlowField{Goals: []r2.Box{{}}, Radius: 0.9, Cell: 0.5})
		testkit.Must(t, err)
		members = append(members, nil)
		testkit.Must(t, w.Spawn(each, values, func(r *world.Rows) {
			pos, radius := world.Column[c.Position](r), world.Column[c.Radius](r)
			for i := range pos {
				pos[i].Vec = r2.Vec{X: 12 + 25*float64(g%2) + 2*float64(i%10), Y: 8 + 19*float64(g/2) + 1.9*float64(i/10)}
				radius[i].Meters = []float64{0.3, 0.5, 0.9}[i%3]
			}
		}))
		for i := range each {
			e, _ := w.Entity(uint64(g*each + i + 1))
			members[g] = append(members[g], e)
		}
	}
	return w, members
}

// house puts a building into a world, with its lower left corner at (x, y).
func house(t *testing.T, w *world.World, x, y float64) ecs.Entity {
	t.Helper()
	e, err := w.AddPolygon(r2.NewBox(x, y, x+8, y+6).Vertices())
	testkit.Must(t, err)
	return e
}

// TestSendGroup verifies that a group of three sizes comes to rest within 10 s of the last arrival or of the
// rise of a building, without overlaps and outside obstacles.
func TestSendGroup(t *testing.T) {
	route, field := []any{c.Route{}, c.Destination{}}, []any{c.FlowField{}}
	open := r2.Vec{X: 80, Y: 30}
	for _, x := range []struct {
		name  string
		with  []any
		to    r2.Vec
		gap   float64 // m, gap in a wall on the way; 0 means no wall
		house float64 // s, time at which a building rises on the goal; 0 means none
		built bool    // the building is present from the start
	}{
		{name: "open", to: open}, {name: "open, by routes", with: route, to: open}, {name: "open, by fields", with: field, to: open},
		{name: "choke point, by routes", with: route, to: open, gap: 3}, {name: "choke point, by fields", with: field, to: open, gap: 3},
		{name: "into a building", with: route, to: open, built: true}, {name: "to the corner", with: route, to: r2.Vec{X: 90, Y: -7}},
		{name: "a building on the way", with: route, to: open, house: 6}, {name: "a building on the way, by fields", with: field, to: open, house: 6},
		{name: "a building on top", with: route, to: open, house: 40}, {name: "a building on top, by fields", with: field, to: open, house: 40},
	} {
		const n = 30
		w, members := army(t, 1, n, x.with...)
		if x.gap > 0 {
			obstruct(t, w, r2.Vec{X: 50}, c.Obstacle{Span: r2.Vec{Y: 30 - x.gap/2}, Radius: 0.2})
			obstruct(t, w, r2.Vec{X: 50, Y: 30 + x.gap/2}, c.Obstacle{Span: r2.Vec{Y: 170 - x.gap/2}, Radius: 0.2})
		}
		if x.built {
			house(t, w, x.to.X-3, x.to.Y-3)
		}
		run(t, w, 1)
		testkit.Must(t, w.SendGroup(members[0], x.to))
		last := 0.
		for w.Clock.Time < 60 && (w.Stats().ArrivedOnce < n || w.Clock.Time < max(last, x.house)+10) {
			if x.house > 0 && w.Clock.Time < x.house && w.Clock.Time+w.Clock.Dt >= x.house {
				house(t, w, x.to.X-3, x.to.Y-3)
			}
			before := w.Stats().ArrivedOnce
			if run(t, w, 1); w.Stats().ArrivedOnce > before {
				last = w.Clock.Time
			}
		}
		if fast, overlaps, inside := unrest(w); fast+overlaps+inside > 0 || w.Stats().ArrivedOnce < n {
			t.Errorf("%s: got=%d arrived, the last after %.1f s; at %.1f s: %d faster than 0.1 m/s, %d overlaps, %d in obstacles, want=%d, 0, 0, 0",
				x.name, w.Stats().ArrivedOnce, last, w.Clock.Time, fast, overlaps, inside, n)
		}
	}
}

// TestSendGroups verifies that groups that cross each other, among buildings that rise and disappear, come to rest.
func TestSendGroups(t *testing.T) {
	groups, each, rest, most := 4, 12, 90., 0
	if *full {
		groups, each, rest, most = 20, 100, 220, 20
	}
	w, members := army(t, groups, each, c.Route{}, c.Destination{})
	for g := range members {
		testkit.Must(t, w.SendGroup(members[g], r2.Vec{X: 230 + 45*float64(g%2), Y: 10 + 19*float64((groups-1-g)/2)}))
	}
	draw := rand.New(rand.NewPCG(1, 2))
	var built []ecs.Entity
	for step := 1; w.Clock.Time < rest; step++ {
		if run(t, w, 1); step%60 == 0 && w.Clock.Time < rest-40 {
			built = append(built, house(t, w, 70+130*draw.Float64(), 190*draw.Float64()))
			if len(built) > 12 {
				testkit.Must(t, w.RemoveObstacle(built[0]))
				built = built[1:]
			}
		}
	}
	fast, overlaps, inside := unrest(w)
	t.Logf("%d units: %d arrived, %d faster than 0.1 m/s, %d overlaps, %d in obstacles", groups*each, w.Stats().ArrivedOnce, fast, overlaps, inside)
	if fast > most || overlaps > 0 || inside > 0 || w.Stats().ArrivedOnce < groups*each-most {
		t.Errorf("got=%d arrived of %d, %d faster than 0.1 m/s, %d overlaps, %d in obstacles, want=all but %d, at most %[6]d, 0, 0",
			w.Stats().ArrivedOnce, groups*each, fast, overlaps, inside, most)
	}
}

// TestSendGroupErrors verifies that SendGroup rejects a group with a dead member, and sends no member.
func TestSendGroupErrors(t *testing.T) {
	w, members := army(t, 1, 2)
	w.Remove(members[0][1])
	if err := w.SendGroup(members[0], r2.Vec{X: 9}); err == nil {
		t.Error("group with a dead member: got=nil, want=an error")
	}
	testkit.Equal(t, *componentOf[c.Target](w, members[0][0]), c.Target{}, "target of the living member")
}
