package view

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestTap holds what is seen of agents.
func TestTap(t *testing.T) {
	w := ecs.NewWorld()
	wall := w.NewEntity()
	tap := &tap{to: &snapshot{layers: layerTargets | layerThreats}}
	tap.to.grow(3)
	b := systems.BatchOf(systems.Clock{}, tap,
		systems.Over([]c.Agent{{ID: 1}, {ID: 2}, {ID: 3}, {ID: 4}}),
		systems.Over([]c.Position{{Vec: r2.Vec{X: 1}}, {Vec: r2.Vec{X: 2}}, {Vec: r2.Vec{X: math.NaN()}}, {Vec: r2.Vec{X: 4}}}),
		systems.Over([]c.Velocity{{Vec: r2.Vec{X: 3, Y: 4}}, {}, {}, {}}),
		systems.Over([]c.Flee{{Radius: 1}, {Radius: 1}, {}, {}}),
		systems.Over([]c.Threat{{}, {Obstacle: wall, Contact: r2.Vec{X: 5}, Distance: 2}, {}, {}}),
		systems.Over([]c.ThreatScan{{LookAhead: 4}, {LookAhead: 4}, {}, {}}),
		systems.Over([]c.Avoidance{{}, {MaxForce: 1}, {}, {}}),
	)
	tap.Run(b)
	to := tap.to
	if got := tap.sum().agents; got != 2 {
		t.Errorf("agents: got=%d, want=2: the third is nowhere, the fourth came too late", got)
	}
	first, second := to.look[0], to.look[1]
	if first.speed != 5 || first.behavior != fleeing || first.threat != 0 || finite(to.contact[0]) {
		t.Errorf("first: got=%+v, want one that flees at 5 m/s and sees nothing", first)
	}
	if second.behavior != avoiding || second.threat != 128 || to.contact[1] != (r2.Vec{X: 5}) || finite(to.target[1]) {
		t.Errorf("second: got=%+v, want one that avoids what is half as far as it looks", second)
	}
	if to.alive[2] {
		t.Error("an agent that is nowhere is shown")
	}
	if got := tap.archetypes.names(); len(got) != 1 || got[0] != "Flee, ThreatScan, Avoidance" {
		t.Errorf("archetypes: got=%v, want=[Flee, ThreatScan, Avoidance]", got)
	}
}

// TestPush holds that a steering is shown as the acceleration that is left of it.
func TestPush(t *testing.T) {
	p := &push{to: make([]r2.Vec, 2)}
	p.Run(systems.BatchOf(systems.Clock{}, p,
		systems.Over([]c.Agent{{ID: 2}, {ID: 1}, {ID: 9}}),
		systems.Over([]c.Steering{{Vec: r2.Vec{X: 10}}, {Vec: r2.Vec{Y: 4}}, {}}),
		systems.Over([]c.Limits{{MaxForce: 6}, {MaxForce: 6}, {}}),
		systems.Over([]c.Mass{{Kilograms: 2}, {Kilograms: 2}, {}}),
	))
	if want := [2]r2.Vec{{Y: 2}, {X: 3}}; [2]r2.Vec(p.to) != want {
		t.Errorf("got=%v, want=%v", p.to, want)
	}
}

// TestArchetypes holds that there is a number for every set, and one for all
// beyond what a byte can tell.
func TestArchetypes(t *testing.T) {
	var a archetypes
	for bits := range uint32(300) {
		if got, want := int(a.of(bits)), min(int(bits), math.MaxUint8); got != want {
			t.Fatalf("set %d: got=%d, want=%d", bits, got, want)
		}
	}
	if got := a.of(7); got != 7 {
		t.Errorf("known set: got=%d, want=7", got)
	}
	if got := len(a.names()); got != math.MaxUint8+1 {
		t.Errorf("names: got=%d, want=%d", got, math.MaxUint8+1)
	}
}
