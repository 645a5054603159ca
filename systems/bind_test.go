package systems

import (
	"fmt"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

type (
	ownPlace struct{ X, Y float64 }
	ownSeek  struct{ Strength float64 }
	ownForce struct{ X, Y float64 }
	swapped  struct{ Y, X float64 }
	singles  struct{ X, Y float32 }
)

// TestBind verifies what Bind rejects, and that it keeps the bindings before a rejected one.
func TestBind(t *testing.T) {
	f := frame.New(&Integration{})
	for _, test := range []struct {
		err  error
		want string
	}{
		{frame.Bind[c.Position, swapped](f), "crowd: cannot bind: field Y of systems.swapped is where components.Position has Vec.X: the axes are swapped"},
		{frame.Bind[c.Velocity, singles](f), "crowd: cannot bind: systems.singles has float32 at 0"},
		{f.Bind(frame.Bound[c.Position, ownPlace](), frame.Bound[c.Velocity, ownPlace]()), "crowd: cannot bind: systems.ownPlace stands in for components.Position already"},
		{f.Bind(frame.Binding{}), "crowd: cannot bind: the zero Binding"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("got=%v, want=an error that contains %q", test.err, test.want)
		}
	}
	testkit.Equal(t, len(f.Bindings()), 1, "number of bindings")
	w := ecs.NewWorld()
	f.Initialize(&w)
	defer f.Finalize(&w)
	defer func() {
		if got := fmt.Sprint(recover()); got != "crowd: Bind called after Initialize" {
			t.Errorf("Bind after Initialize: got=%q, want=a panic: crowd: Bind called after Initialize", got)
		}
	}()
	_ = frame.Bind[c.Mass, ownSeek](f)
}

// TestFrameAdd verifies that AddBound adds a host's types in place of the components to which they are bound.
func TestFrameAdd(t *testing.T) {
	f := frame.New(&Seek{}, &Integration{})
	testkit.Must(t, f.Bind(frame.Bound[c.Position, ownPlace](), frame.Bound[c.Seek, ownSeek](), frame.Bound[c.Steering, ownForce]()))
	w := ecs.NewWorld()
	e := w.NewEntity()
	AddBound(f, &w, e, ownPlace{X: 1}, c.Velocity{}, c.Target{Vec: xy(9, 0)}, c.Limits{MaxSpeed: 1, MaxForce: 5}, ownSeek{2})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	if w.Has(e, ecs.ComponentID[c.Steering](&w)) || !w.Has(e, ecs.ComponentID[ownForce](&w)) {
		t.Error("got=Steering, or no ownForce, want=ownForce alone")
	}
	if got := (*ownPlace)(w.Get(e, ecs.ComponentID[ownPlace](&w))); !(got.X > 1) {
		t.Errorf("place after a step: got=%v, want=a place nearer to the target", *got)
	}
}
