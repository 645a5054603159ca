package scene

import (
	"math"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestPointIsHeld(t *testing.T) {
	s := loaded(t, "seek-kinematic")
	at, held, asked := r2.Vec{}, false, 0
	w := builtWith(t, s, Options{Workers: 1, Point: func() (r2.Vec, bool) { asked++; return at, held }})
	for i, tc := range []struct {
		at   r2.Vec
		held bool
	}{
		{r2.Vec{}, false}, {r2.Vec{X: 700, Y: 500}, true}, {r2.Vec{X: -1e6, Y: 3}, true}, {r2.Vec{X: 9, Y: 9}, false},
		{r2.Vec{X: math.NaN()}, true}, {r2.Vec{Y: math.Inf(-1)}, true}, {r2.Vec{X: 1, Y: 1}, true},
	} {
		at, held = tc.at, tc.held
		want := s.Pointer.at(w.Clock.Time)
		if tc.held && !math.IsNaN(at.X) && !math.IsInf(at.Y, 0) {
			want = at
		}
		before := map[uint64]r2.Vec{}
		agents(w, func(id uint64, p, _, _ r2.Vec) { before[id] = p })
		noError(t, w.Step())
		if got, ok := PointerOf(w); got != want || !ok {
			t.Errorf("step %d: PointerOf: got=%v, %v, want=%v, true", i, got, ok, want)
		}
		if asked != i+1 {
			t.Errorf("step %d: calls of Point: got=%d, want=%d", i, asked, i+1)
		}
		agents(w, func(id uint64, p, v, _ r2.Vec) {
			way := r2.Sub(want, before[id])
			if got := r2.Cross(v, way) / (r2.Norm(v) * r2.Norm(way)); !(math.Abs(got) < 1e-6 && r2.Dot(v, way) > 0) {
				t.Errorf("step %d, agent %d: got=%v from %v, want=toward %v", i, id, v, before[id], want)
			}
		})
	}
}

func TestPointNotHeld(t *testing.T) {
	for _, name := range []string{"seek", "avoidance-cocos"} {
		s := loaded(t, name)
		w := builtWith(t, s, Options{Workers: 1, Point: func() (r2.Vec, bool) { return r2.Vec{X: 1, Y: 2}, s.Pointer == nil }})
		testkit.Equal(t, steps(t, w, 30), hashAfter(t, s, 30), "%s: hash", name)
		if _, ok := PointerOf(w); ok != (s.Pointer != nil) {
			t.Errorf("%s: pointer: got=%v, want=%v", name, ok, s.Pointer != nil)
		}
	}
}

type counter struct{ n int }

func (c *counter) Sense(*ecs.World)  { c.n++ }
func (c *counter) Update(*ecs.World) { c.n++ }

func TestHostSystems(t *testing.T) {
	for _, name := range []string{"seek", "plaza"} {
		s := loaded(t, name)
		s.Resize(50)
		var sense, steer struct{ counter }
		w := builtWith(t, s, Options{Workers: 1, Sense: []any{&sense}, Steer: []any{&steer}})
		testkit.Equal(t, steps(t, w, 10), hashAfter(t, s, 10), "%s: hash", name)
		if sense.n != 20 || steer.n != 20 { // Sense and Update in each of ten steps
			t.Errorf("%s: got=%d, %d calls of Sense and Update, want=20 each", name, sense.n, steer.n)
		}
	}
}
