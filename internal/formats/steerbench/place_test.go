package steerbench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

// checkPlacement verifies that nothing is random, and that agents placed at random overlap no obstacle
// and no agent placed before them.
func checkPlacement(t *testing.T, test *TestCase, p *Placement) {
	t.Helper()
	var random []Agent // as in the file, in the order of the placement
	random = append(random, test.Agents...)
	for _, region := range test.Regions {
		for range region.Count {
			random = append(random, region.Agent)
		}
	}
	for i, a := range p.Agents {
		if a.Random || a.RandomDirection {
			t.Errorf("%s: agent %d: got=%+v, want=nothing random", test.Name, i, a)
			return
		}
		for _, g := range a.Goals {
			if g.Random || g.Agent < -1 || g.Agent >= len(p.Agents) {
				t.Errorf("%s: agent %d: got=%+v, want=nothing random, and agent -1 to %d", test.Name, i, g, len(p.Agents)-1)
			}
		}
		if !random[i].Random {
			continue
		}
		for j, o := range p.Obstacles {
			if o.overlaps(a.Position, a.Radius) {
				t.Errorf("%s: got=agent %d at %v in obstacle %d %v, want=outside", test.Name, i, a.Position, j, o)
				return
			}
		}
		for j, b := range p.Agents {
			if (j < i || !random[j].Random) && j != i && overlap(a.Position, b.Position, a.Radius+b.Radius) {
				t.Errorf("%s: got=agent %d at %v in agent %d at %v, want=apart", test.Name, i, a.Position, j, b.Position)
				return
			}
		}
	}
}

var square = r2.Box{Min: r2.Vec{X: -5, Y: -5}, Max: r2.Vec{X: 5, Y: 5}}

// crowded returns a test case with everything that can be random.
func crowded() *TestCase {
	goals := []Goal{
		{Kind: SeekTarget, Random: true, Agent: -1}, {Kind: Flow, Random: true, Agent: -1},
		{Kind: SeekMoving, Random: true, Agent: -1}, {Kind: FleeMoving, Name: "b", Agent: -1}, {Kind: SeekMoving, Name: "0", Agent: -1},
		{Kind: SeekMoving, Name: "none", Agent: -1}, {Kind: Idle, Random: true, Agent: -1},
	}
	a := Agent{Radius: 0.3, Random: true, Bounds: square, RandomDirection: true, Goals: goals}
	return &TestCase{
		Name: "crowded", Bounds: r2.Box{Min: r2.Vec{X: -20, Y: -20}, Max: r2.Vec{X: 20, Y: 20}},
		Agents:          []Agent{a, {Name: "b", Radius: 2, Goals: goals}},
		Regions:         []AgentRegion{{Count: 30, Agent: a}, {Count: 0, Agent: a}},
		Emitters:        []Agent{a},
		Obstacles:       []Obstacle{{Center: r2.Vec{X: 3, Y: 3}, Radius: 1}, {Outline: []r2.Vec{{X: -3, Y: -9}, {X: -3, Y: 9}}}},
		ObstacleRegions: []ObstacleRegion{{Count: 5, Size: 0.5, Bounds: square}},
	}
}

func TestPlace(t *testing.T) {
	test := crowded()
	p, err := test.Place(t.Context(), 7)
	testkit.Must(t, err)
	if !reflect.DeepEqual(test, crowded()) {
		t.Errorf("got=%+v after Place, want=unchanged", test)
	}
	checkPlacement(t, test, p)
	testkit.Equal(t, [3]int{len(p.Agents), len(p.Emitters), len(p.Obstacles)}, [3]int{32, 1, 7}, "counts")
	for i, a := range p.Agents {
		if x := math.Max(math.Abs(a.Position.X), math.Abs(a.Position.Y)); x > 5-0.3 {
			t.Errorf("agent %d: got=%v, want=0.3 m or more inside %v", i, a.Position, square)
		}
		if n := math.Hypot(a.Direction.X, a.Direction.Y); i != 1 && math.Abs(n-1) > 1e-12 {
			t.Errorf("agent %d: got=direction of length %v, want=1", i, n)
		}
		if g := a.Goals; g[2].Agent == i || g[2].Agent < 0 || g[3].Agent != 1 || g[4].Agent != 0 || g[5].Agent != -1 {
			t.Errorf("agent %d: got=goals after %d, %d, %d, %d, want=another, 1, 0, -1", i, g[2].Agent, g[3].Agent, g[4].Agent, g[5].Agent)
		}
	}
	again, _ := crowded().Place(t.Context(), 7)
	if !reflect.DeepEqual(again, p) {
		t.Errorf("got=%+v, want=%+v, as with the same seed before", again, p)
	}
	if other, _ := crowded().Place(t.Context(), 8); other.Agents[0].Position == p.Agents[0].Position {
		t.Errorf("agent 0: got=%v with seeds 7 and 8, want=different places", p.Agents[0].Position)
	}
}

// The bits must be the same on every machine.
func TestPlaceBits(t *testing.T) {
	p, err := crowded().Place(t.Context(), 7)
	testkit.Must(t, err)
	got := [...]uint64{draw(1, 2, 3), math.Float64bits(p.Agents[0].Position.X), math.Float64bits(p.Agents[31].Position.Y),
		math.Float64bits(p.Agents[5].Direction.X), math.Float64bits(p.Obstacles[6].Outline[0].X)}
	want := [...]uint64{0xd0734750fde362b3, 0x3ff7293ba765478c, 0xbfe9f383cd909a38, 0xbf6662aab8c0f5e2, 0x4000b61987998b2c}
	testkit.Equal(t, got, want, "bits")
}

func TestPlaceErrors(t *testing.T) {
	ofTwo := func(change func(*TestCase)) *TestCase {
		test := &TestCase{Name: "tight", Regions: []AgentRegion{{Count: 2, Agent: Agent{Radius: 1, Random: true, Bounds: r2.Box{Max: r2.Vec{X: 3, Y: 3}}}}}}
		change(test)
		return test
	}
	for _, c := range []struct {
		name string
		test *TestCase
		want string
	}{
		{"second agent", ofTwo(func(*TestCase) {}),
			"tight: agent 2 of 2: no free place for a radius of 1 m in x 0 to 3 m, y 0 to 3 m: gave up after 10000 attempts with seed 3"},
		{"obstacle", ofTwo(func(t *TestCase) {
			t.ObstacleRegions = []ObstacleRegion{{Count: 2, Size: 1, Bounds: r2.Box{Max: r2.Vec{X: 3, Y: 3}}}}
		}), "tight: obstacle 2 of 2: no free place for a radius of 1 m in x 0 to 3 m, y 0 to 3 m: gave up after 10000 attempts with seed 3"},
		{"goal", ofTwo(func(t *TestCase) {
			t.Obstacles = []Obstacle{{Center: r2.Vec{X: 9}, Radius: 5}}
			t.Bounds = r2.Box{Min: r2.Vec{X: 8}, Max: r2.Vec{X: 10}}
			t.Regions[0].Count, t.Regions[0].Agent.Goals = 1, []Goal{{Kind: SeekTarget, Random: true}}
		}), "tight: agent 1 of 1: goal 1: no free place for a radius of 1 m in x 8 to 10 m, y 0 to 0 m: gave up after 10000 attempts with seed 3"},
		{"emitter", ofTwo(func(t *TestCase) {
			t.Regions[0].Count = 1
			t.Emitters = []Agent{t.Regions[0].Agent}
		}), "tight: emitter 1: no free place for a radius of 1 m in x 0 to 3 m, y 0 to 3 m: gave up after 10000 attempts with seed 3"},
	} {
		_, err := c.test.Place(t.Context(), 3)
		testkit.Equal(t, fmt.Sprint(err), c.want, "%s", c.name)
	}
}

func TestPlaceEnds(t *testing.T) {
	small := Agent{Radius: 1e-3, Random: true, Bounds: square}
	regions := []AgentRegion{{Count: 200_000, Agent: small}}
	star := make([]r2.Vec, 1_000_000)
	for i := range star {
		star[i] = r2.Vec{X: float64(i) * 1e-9, Y: float64(i % 2)}
	}
	for name, test := range map[string]*TestCase{
		"one large agent":  {Agents: []Agent{{Radius: 1e6, Position: r2.Vec{X: 1e9}}}, Regions: regions},
		"one long outline": {Obstacles: []Obstacle{{Outline: star}, {Outline: append(star, square.Min, square.Max)}}, Regions: regions},
	} {
		if _, err := test.place(t.Context(), 1, maxChecks/16); err == nil || !strings.Contains(err.Error(), "checks in total") {
			t.Errorf("%s: got=%v, want=an error with %q", name, err, "checks in total")
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	test := crowded()
	test.Regions[0].Count = 100_000
	if _, err := test.Place(ctx, 7); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: got=%v, want=%v", err, context.Canceled)
	}
}

func TestOverlaps(t *testing.T) {
	box := Obstacle{Outline: r2.NewBox(0, 0, 4, 2).Vertices()}
	thin := Obstacle{Outline: []r2.Vec{{}, {X: 4}}}
	for _, c := range []struct {
		name string
		o    Obstacle
		at   r2.Vec
		r    float64
		want bool
	}{
		{"inside", box, r2.Vec{X: 2, Y: 1}, 0.1, true},
		{"beside", box, r2.Vec{X: 5, Y: 1}, 0.9, false},
		{"touching", box, r2.Vec{X: 5, Y: 1}, 1, false},
		{"over the edge", box, r2.Vec{X: 5, Y: 1}, 1.1, true},
		{"off the corner", box, r2.Vec{X: 5, Y: 3}, 1.4, false},
		{"over the corner", box, r2.Vec{X: 5, Y: 3}, 1.5, true},
		{"on a thin wall", thin, r2.Vec{X: 2}, 0.1, true},
		{"beside a thin wall", thin, r2.Vec{X: 2, Y: 1}, 0.9, false},
		{"in a circle", Obstacle{Radius: 2}, r2.Vec{X: 1}, 0.1, true},
		{"beside a circle", Obstacle{Radius: 2}, r2.Vec{X: 3}, 1, false},
	} {
		testkit.Equal(t, c.o.overlaps(c.at, c.r), c.want, "%s", c.name)
	}
}
