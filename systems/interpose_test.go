package systems_test

import (
	"fmt"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// The guard goes to the midpoint between two agents.
func ExampleInterpose() {
	interpose := &systems.Interpose{}
	steering := make([]c.Steering, 1)
	interpose.Run(frame.BatchOf(frame.Clock{Dt: 1}, interpose,
		frame.Over([]c.Position{{}}),
		frame.Over([]c.Velocity{{}}),
		frame.Over([]c.Limits{{MaxSpeed: 5, MaxForce: 10}}),
		frame.Over([]c.Interpose{{
			Gain: 1, First: c.TrackedEntity{At: r2.Vec{Y: 8}, Seen: true}, Second: c.TrackedEntity{At: r2.Vec{X: 6}, Seen: true},
		}}),
		frame.Over(steering),
	))
	fmt.Printf("%.1f N\n", steering[0].Vec)
	// Output: {3.0 4.0} N
}

func TestInterposeUnseen(t *testing.T) {
	for _, seen := range [][2]bool{{false, true}, {true, false}} {
		s, steering := &systems.Interpose{}, make([]c.Steering, 1)
		s.Run(frame.BatchOf(frame.Clock{Dt: 1}, s,
			frame.Over(make([]c.Position, 1)), frame.Over(make([]c.Velocity, 1)), frame.Over([]c.Limits{{MaxSpeed: 5}}),
			frame.Over([]c.Interpose{{Gain: 1, First: c.TrackedEntity{At: r2.Vec{Y: 8}, Seen: seen[0]}, Second: c.TrackedEntity{At: r2.Vec{X: 6}, Seen: seen[1]}}}),
			frame.Over(steering)))
		testkit.Equal(t, steering[0].Vec, r2.Vec{}, "seen: %v", seen)
	}
}

func TestInterposeInScene(t *testing.T) {
	read := func(second string) (*scene.Scene, error) {
		const text = `
box = [[0, 0], [40, 30]]
groups = [
	{name = "star", at = [10, 20], velocity = [1, 0], max-speed = 1},
	{name = "crowd", at = [10, 10], velocity = [1, 0], max-speed = 1},
	{name = "guard", at = [2, 2], max-speed = 3, interpose = {first = "star", %s horizon = 5, slowing-radius = 2}},
]
`
		return scene.Read(strings.NewReader(fmt.Sprintf(text, second)), "guard.toml", scene.OpenOptions{})
	}
	if _, err := read(""); err == nil || !strings.Contains(err.Error(), "second") {
		t.Errorf("without the second one: got=%v, want an error that names second", err)
	}
	s, err := read(`second = "crowd",`)
	testkit.Must(t, err)
	w, err := s.Build(scene.Options{Workers: 1})
	testkit.Must(t, err)
	defer w.Close()
	run(t, w, 900)
	guard, _ := w.Entity(3)
	x, err := w.Inspect().Explain(guard)
	testkit.Must(t, err)
	if len(x.Shares) != 1 || x.Shares[0].Behavior != "Interpose" || x.Shares[0].Force == nil {
		t.Errorf("shares: got=%+v, want=the force of Interpose", x.Shares)
	}
	place := func(id uint64) r2.Vec {
		e, _ := w.Entity(id)
		return componentOf[c.Position](w, e).Vec
	}
	between := vec.Scale(0.5, vec.Add(place(1), place(2)))
	if off := vec.Norm(vec.Sub(place(3), between)); !(off < 1) {
		t.Errorf("guard: got=%v, %.2f m from %v, want=less than 1 m from it", place(3), off, between)
	}
}
