package sense_test

import (
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func obstaclesWith(t *testing.T, all ...[2]any) *sense.Obstacles {
	w := ecs.NewWorld()
	o := &sense.Obstacles{}
	f := frame.New(o)
	f.Initialize(&w)
	t.Cleanup(func() { f.Finalize(&w) })
	polygons := frame.Resource[sense.Polygons](&w)
	*polygons = append(*polygons, []r2.Vec{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}})
	for _, x := range all {
		systems.Add(&w, w.NewEntity(), c.Position{Vec: x[0].(r2.Vec)}, x[1])
	}
	f.Update(&w)
	return o
}

// The observer is at the origin. Bodies have the radius 0.25 m and keep 0.75 m from surfaces.
func TestCover(t *testing.T) {
	at := func(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }
	pillar := [2]any{at(10, 0), c.Obstacle{Radius: 2}}
	for _, tc := range []struct {
		name string
		all  [][2]any
		p    r2.Vec
		want r2.Vec
		ok   bool
	}{
		{"nothing", nil, at(10, 5), r2.Vec{}, false},
		{"a pillar", [][2]any{pillar}, at(11, 5), at(13, 0), true},
		{"too far off", [][2]any{pillar}, at(11, 9.5), r2.Vec{}, false},
		{"the observer is nearer", [][2]any{{at(3, 0), c.Obstacle{Radius: 0.5}}}, at(3, 6.5), r2.Vec{}, false},
		{"the nearer one of two", [][2]any{pillar, {at(0, 10), c.Obstacle{Radius: 1}}}, at(6, 8), at(0, 12), true},
		{"another one is in the place", [][2]any{pillar, {at(13, 0), c.Obstacle{Radius: 0.5}}}, at(11, 5), at(14.5, 0), true},
		{"a wall, at the point that is nearest", [][2]any{{at(6, -5), c.Obstacle{Span: at(0, 10), Radius: 0.5}}}, at(9, 0), at(7.5, 0), true},
		{"a box", [][2]any{{at(8, 0), c.Obstacle{Polygon: 1}}}, at(9, 3), at(10, 0), true},
	} {
		got, ok := obstaclesWith(t, tc.all...).Cover(tc.p, r2.Vec{}, 0.25, 0.75, 6)
		if ok != tc.ok || vec.Norm(vec.Sub(got, tc.want)) > 1e-9 {
			t.Errorf("%s: got=%v, %v, want=%v, %v", tc.name, got, ok, tc.want, tc.ok)
		}
	}
}

func TestCoverHides(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	point := func() r2.Vec { return r2.Vec{X: 40 * rnd.Float64(), Y: 40 * rnd.Float64()} }
	var all [][2]any
	for k := range 30 {
		o := c.Obstacle{Radius: 0.2 + rnd.Float64()}
		switch k % 3 {
		case 1:
			o.Span = vec.Scale(0.1, point())
		case 2:
			o.Polygon = 1
		}
		all = append(all, [2]any{point(), o})
	}
	o := obstaclesWith(t, all...)
	found := 0
	for range 500 {
		p, observer := point(), point()
		place, ok := o.Cover(p, observer, 0.3, 0.2, 15)
		if !ok {
			continue
		}
		found++
		way := vec.Sub(place, observer)
		if _, blocked := o.Ray(observer, vec.Unit(way), vec.Norm(way)); !blocked {
			t.Fatalf("place %v from %v: got in view, want hidden", place, observer)
		}
		if hit, touches := o.Nearest(place, 0.29); touches {
			t.Fatalf("place %v: got=%v m from an obstacle, want at least 0.29 m", place, hit.Distance)
		}
	}
	if found < 100 {
		t.Errorf("got cover %d times out of 500, want at least 100 times", found)
	}
	testkit.NoAllocs(t, 50, func() { o.Cover(r2.Vec{X: 20, Y: 20}, r2.Vec{X: 5, Y: 5}, 0.3, 0.2, 15) })
}
