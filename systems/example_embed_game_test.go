package systems_test

import (
	"fmt"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
)

// Position is the small game's own type, in meters.
type Position struct{ X, Y float64 }

// Velocity is the small game's own type, in meters per second.
type Velocity struct{ X, Y float64 }

// before is a game in which a guard walks through a pillar and past its home at the origin.
func before() {
	world := ecs.NewWorld()
	guards := generic.NewMap2[Position, Velocity](&world)
	guard := guards.NewWith(&Position{X: 20}, &Velocity{X: -1.5})
	pillars := generic.NewMap1[Position](&world)
	pillar := pillars.NewWith(&Position{X: 10, Y: -0.5})
	check(draw("pillar", pillars.Get(pillar)))
	for tick := 1; tick <= 1200; tick++ {
		move(&world)
		if position, _ := guards.Get(guard); tick%200 == 0 {
			check(draw("guard", position))
		}
	}
}

// after is that game, in which the guard steers around the pillar and stops at its home.
func after() {
	world := ecs.NewWorld()
	guards := generic.NewMap2[Position, Velocity](&world)
	guard := guards.NewWith(&Position{X: 20}, &Velocity{X: -1.5})
	pillars := generic.NewMap1[Position](&world)
	pillar := pillars.NewWith(&Position{X: 10, Y: -0.5})
	check(draw("pillar", pillars.Get(pillar)))
	systems.Add(&world, guard, c.Target{}, c.Limits{MaxSpeed: 1.5, MaxForce: 9}, c.Arrival{Gain: 2, SlowingRadius: 3},
		c.ThreatScan{LookAhead: 5}, c.Avoidance{MaxForce: 3})
	systems.Add(&world, pillar, c.Obstacle{Radius: 1})
	f := frame.New(&sense.Obstacles{}, &systems.Arrival{}, &systems.ThreatScan{}, &systems.Avoidance{}, &systems.Integration{})
	check(frame.Bind[c.Position, Position](f))
	check(frame.Bind[c.Velocity, Velocity](f))
	f.Initialize(&world)
	for tick := 1; tick <= 1200; tick++ {
		f.Step(&world, 1./60)
		if position, _ := guards.Get(guard); tick%200 == 0 {
			check(draw("guard", position))
		}
	}
}

func move(w *ecs.World) {
	query := generic.NewFilter2[Position, Velocity]().Query(w)
	for query.Next() {
		p, v := query.Get()
		p.X += v.X / 60
		p.Y += v.Y / 60
	}
}

func draw(what string, p *Position) error {
	_, err := fmt.Printf("%s at %.1f, %.1f\n", what, p.X, p.Y)
	return err
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// A small game gains arrival and obstacle avoidance by changing eight lines.
func Example_smallGame() {
	fmt.Println("before:")
	before()
	fmt.Println("after:")
	after()
	// Output:
	// before:
	// pillar at 10.0, -0.5
	// guard at 15.0, 0.0
	// guard at 10.0, 0.0
	// guard at 5.0, 0.0
	// guard at 0.0, 0.0
	// guard at -5.0, 0.0
	// guard at -10.0, 0.0
	// after:
	// pillar at 10.0, -0.5
	// guard at 15.0, 0.1
	// guard at 10.0, 0.5
	// guard at 5.1, 0.3
	// guard at 0.8, 0.0
	// guard at 0.1, 0.0
	// guard at 0.0, 0.0
}

func TestSmallGame(t *testing.T) {
	source := read(t, "example_embed_game_test.go")
	old, now := function(source, "before"), function(source, "after")
	got := changedLines(strings.Split(old, "\n"), strings.Split(now, "\n"))
	if got == 0 || got >= 10 {
		t.Errorf("changed lines: got=%d, want=1 to 9", got)
	}
}

// function returns the source of a function from its parameters to its end.
func function(source, name string) string {
	_, rest, _ := strings.Cut(source, "\nfunc "+name+"(")
	text, _, _ := strings.Cut(rest, "\n}\n")
	return text
}

// changedLines returns an edit distance; a line that replaces another counts once.
func changedLines(old, now []string) int {
	// fewest[j] is the distance from old[:i] to now[:j].
	fewest := make([]int, len(now)+1)
	for j := range fewest {
		fewest[j] = j
	}
	for i, line := range old {
		diagonal := fewest[0]
		fewest[0] = i + 1
		for j := range now {
			best := 1 + min(fewest[j], fewest[j+1], diagonal)
			if line == now[j] {
				best = diagonal
			}
			diagonal, fewest[j+1] = fewest[j+1], best
		}
	}
	return fewest[len(now)]
}
