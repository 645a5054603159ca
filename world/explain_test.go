package world_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func at[T any](w *world.World, e ecs.Entity) *T {
	if id := ecs.ComponentID[T](w.ECS); w.ECS.Has(e, id) {
		return (*T)(w.ECS.Get(e, id))
	}
	return nil
}

func stateOf(w *world.World, e ecs.Entity) (s world.State) {
	s.Position = at[c.Position](w, e).Vec
	if v := at[c.Velocity](w, e); v != nil {
		s.Velocity = v.Vec
	}
	if h := at[c.Heading](w, e); h != nil {
		s.Heading = h.Vec
	}
	return s
}

func sameBits(a, b world.State) bool { return fmt.Sprintf("%b", a) == fmt.Sprintf("%b", b) }

func everything(w *world.World) string { return fmt.Sprint(slices.Collect(w.Inspect().States())) }

// Step lengths, as multiples of the initial one.
var dts = []float64{1, 1, 0.5, 1, 1.75, 0, 1}

// follow steps a world. It checks that the agents that pick returns do what Explain predicted, and, in
// every tenth step, that Explain changes nothing.
func follow(t *testing.T, w *world.World, steps int, pick func(step int) []ecs.Entity) {
	t.Helper()
	arrived := map[ecs.Entity]world.State{}
	w.BeforeArrival(func(a systems.Arrived) { arrived[a.Entity] = stateOf(w, a.Entity) })
	dt := w.Clock.Dt
	for step := range steps {
		w.Clock.Dt = dt * dts[step%len(dts)]
		clear(arrived)
		said, agents, before := map[ecs.Entity]*world.Explanation{}, pick(step), ""
		looks := step%10 == 0 // comparing the whole world is slow
		if looks {
			before = everything(w)
		}
		for _, e := range agents {
			if !w.ECS.Alive(e) {
				continue
			}
			x := world.Value(w.Inspect().Explain(e))
			said[e] = x
			checkSums(t, x)
		}
		if looks && everything(w) != before {
			t.Fatalf("step %d: after Explain: got=a changed world, want=an unchanged one", step)
		}
		must(t, w.Step())
		for e, x := range said {
			got, arrives := arrived[e]
			if !arrives {
				if !w.ECS.Alive(e) {
					t.Fatalf("step %d: agent %d: got=removed without an arrival, want=alive", step, x.ID)
				}
				got = stateOf(w, e)
			}
			if w.Clock.Dt == 0 { // Explain describes a step of Config.Dt
				if !sameBits(got, x.Before) || x.Dt != w.Config().Dt {
					t.Fatalf("step %d, a pause, agent %d: got=%+v, want=%+v", step, x.ID, got, x.Before)
				}
				continue
			}
			target := "" // the last, which other systems have not replaced
			for _, s := range x.Shares {
				if s.Target != nil && s.Behavior != "FleeFrom" { // sets Flee.From
					target = fmt.Sprint(*s.Target)
				}
			}
			if target != "" && !arrives && fmt.Sprint(at[c.Target](w, e).Vec) != target {
				t.Errorf("step %d, agent %d: target: got=%v, want=%s", step, x.ID, at[c.Target](w, e).Vec, target)
			}
			if !sameBits(got, x.After) || arrives != x.Arrives || w.ECS.Alive(e) == x.Leaves {
				t.Fatalf("step %d, agent %d: got=%+v arrives=%v, want=%+v arrives=%v leaves=%v\n%+v", step, x.ID, got, arrives, x.After, x.Arrives, x.Leaves, *x)
			}
		}
	}
}

func checkSums(t *testing.T, x *world.Explanation) {
	t.Helper()
	var force, left r2.Vec
	scale, used, some := 0., 0., 0
	for _, s := range x.Shares {
		if f := s.Force; f != nil {
			granted := f.Newtons
			if f.Granted != nil {
				if granted = *f.Granted; granted != (r2.Vec{}) {
					used, some = used+r2.Norm(granted), some+1
				}
			}
			force, left = r2.Add(force, granted), r2.Add(left, f.Truncated)
			scale += r2.Norm(f.Newtons) + r2.Norm(granted)
			if n := r2.Norm(f.Raw) + r2.Norm(f.Newtons); n-n != 0 {
				return // not finite
			}
			if f.Gain == 0 && f.GainUnit != "" && f.Newtons != (r2.Vec{}) {
				t.Errorf("agent %d, %s: got=%v N with a gain of 0, want=no force", x.ID, s.Behavior, f.Newtons)
			}
			if want := r2.Scale(f.Gain, f.Raw); f.GainUnit != "" && !near(f.Newtons, want, r2.Norm(want)) {
				t.Errorf("agent %d, %s: got=%v, want=%v, gain times raw", x.ID, s.Behavior, f.Newtons, want)
			}
		}
	}
	if x.Combination == systems.CombinePriority && x.MaxForce >= 0 && used > x.MaxForce*(1+1e-12) {
		t.Errorf("agent %d: granted by priority: got=%v N, want=at most %v", x.ID, used, x.MaxForce)
	}
	if x.Combination == systems.CombineDithering && some > 1 {
		t.Errorf("agent %d: granted by dithering: got=%d forces, want=at most 1", x.ID, some)
	}
	if !near(force, x.Force, scale) {
		t.Errorf("agent %d: sum of the forces: got=%v, want=%v", x.ID, force, x.Force)
	}
	if !near(left, x.Truncated, scale) {
		t.Errorf("agent %d: sum of the truncated forces: got=%v, want=%v", x.ID, left, x.Truncated)
	}
	if n := r2.Norm(x.Truncated); n > x.MaxForce*(1+1e-12) {
		t.Errorf("agent %d: truncated force: got=%v N, want=at most %v", x.ID, n, x.MaxForce)
	}
}

func near(a, b r2.Vec, scale float64) bool {
	return r2.Norm(r2.Sub(a, b)) <= 1e-12*scale
}

func build(t *testing.T, name string, agents int, mode systems.Combination) *world.World {
	t.Helper()
	s := world.Value(scene.Named(name))
	if s.Agents() > agents {
		s.Resize(agents)
	}
	if s.Combination = mode; mode != systems.CombineSum {
		s.Priority = []string{"seek"}
	}
	w := world.Value(s.Build(scene.Options{Workers: 2, Measure: true}))
	t.Cleanup(w.Close)
	return w
}

// agentsOf returns the agents with the IDs 1, 2, … up to the first missing ID.
func agentsOf(w *world.World) (all []ecs.Entity) {
	for id := uint64(1); ; id++ {
		e, ok := w.Entity(id)
		if !ok {
			return all
		}
		all = append(all, e)
	}
}

func TestExplainScenes(t *testing.T) {
	t.Parallel()
	for i, name := range scene.Names() {
		for _, mode := range []systems.Combination{systems.CombineSum, []systems.Combination{systems.CombinePriority, systems.CombineDithering}[i%2]} {
			t.Run(mode.String()+"/"+name, func(t *testing.T) {
				w, plain := build(t, name, 60, mode), build(t, name, 60, mode)
				all, steps := agentsOf(w), 15
				if mode == systems.CombineSum {
					steps = 40
				}
				follow(t, w, steps, func(step int) []ecs.Entity {
					testkit.Equal(t, w.Hash(), plain.Hash(), "hash after %d steps", step)
					plain.Clock.Dt = w.Clock.Dt
					must(t, plain.Step())
					return []ecs.Entity{all[0], all[len(all)-1], all[step%len(all)], all[step*7%len(all)]}
				})
				got, want := w.Stats(), plain.Stats()
				for _, s := range []*world.Stats{&got, &want} {
					s.StepTime, s.Frame.Workers = 0, nil // the share of each worker is random
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("counts: got=%+v, want=%+v", got, want)
				}
				testkit.Equal(t, w.Obstacles.Occupancy(), plain.Obstacles.Occupancy(), "index")
			})
		}
	}
}

func TestExplainLeavesTheIndex(t *testing.T) {
	for _, comp := range []any{c.Containment{Gain: 1, Horizon: 40}, c.WallFollowing{Gain: 1, Range: 40}, c.ThreatScan{LookAhead: 40}} {
		for _, steps := range []int{0, 3} {
			var got [2]sense.Occupancy
			for i := range got {
				w := made(t, world.Default())
				world.Value(w.AddObstacle(r2.Vec{X: 3}, c.Obstacle{Radius: 1}))
				must(t, w.Spawn(1, []any{c.Velocity{Vec: r2.Vec{X: 1}}, c.Limits{MaxSpeed: 1, MaxForce: 1}, comp}, nil))
				run(t, w, steps)
				e, _ := w.Entity(1)
				scan := cmp.Or(at[c.ThreatScan](w, e), &c.ThreatScan{})
				if i == 1 {
					scan.LookAhead += 260
					world.Value(w.Inspect().Explain(e))
					scan.LookAhead -= 260
				}
				run(t, w, 1)
				got[i] = w.Obstacles.Occupancy()
			}
			testkit.Equal(t, got[1], got[0], "%T, after %d steps: index", comp, steps)
		}
	}
}

// Components of a host; blank is a tag.
type (
	hunger struct {
		Grams float32
		since [2]int
		Food  ecs.Entity
	}
	blank struct{}
	rank  uint8
)

type wind struct{ steer frame.Out[c.Steering] }

func (s *wind) Needs(n *frame.Needs) { n.Write(&s.steer) }
func (s *wind) Run(b *frame.Batch)   { s.steer.Of(b)[0].X++ }

// scout sends an agent in Sense, and processes no rows.
type scout struct{}

func (*scout) Sense(*ecs.World) {}

type look struct{ pos frame.In[c.Position] }

func (s *look) Needs(n *frame.Needs) { n.Read(&s.pos) }
func (s *look) Run(*frame.Batch)     {}

func TestExplainHost(t *testing.T) {
	config := world.Default()
	config.Sense, config.Steer = []any{&look{}}, []any{&scout{}, &wind{}}
	w := made(t, config)
	e := w.ECS.NewEntity()
	systems.Add(w.ECS, e, c.Position{Vec: r2.Vec{X: 1, Y: 2}}, hunger{Grams: 0.1, since: [2]int{3, 4}, Food: e}, blank{}, rank(7))
	x := world.Value(w.Inspect().Explain(e))
	want := []world.Component{
		{"Position", []world.Field{{"X", "1"}, {"Y", "2"}}},
		{"world_test.blank", []world.Field{}},
		{"world_test.hunger", []world.Field{{"Grams", "0.1"}, {"since", "[3, 4]"}, {"Food", "entity 1"}}},
		{"world_test.rank", []world.Field{{"", "7"}}},
	}
	if !reflect.DeepEqual(x.Components, want) {
		t.Errorf("components: got=%v, want=%v", x.Components, want)
	}
	if !slices.Equal(x.LeftOut, []string{"scout"}) || x.MovedBy != "" || x.After != x.Before {
		t.Errorf("without Steering and Velocity: got=%+v, want=only the Sensor left out, nothing moved", x)
	}
	systems.Add(w.ECS, e, c.Steering{})
	if x := world.Value(w.Inspect().Explain(e)); !slices.Equal(x.LeftOut, []string{"scout", "wind"}) {
		t.Errorf("left out: got=%v, want=[scout wind]", x.LeftOut)
	}
}

// Rules that send agents with Destination there, rather than to Target, show it as the target.
func TestExplainDestination(t *testing.T) {
	w := made(t, world.Default())
	to := r2.Vec{X: 7, Y: 3}
	other := w.ECS.NewEntity()
	systems.Add(w.ECS, other, c.Position{Vec: to})
	e := w.ECS.NewEntity()
	systems.Add(w.ECS, e, c.Position{}, c.Velocity{}, c.Target{}, c.Destination{}, c.Route{}, c.Follow{Entity: other})
	must(t, w.Step())
	to = r2.Vec{X: -2, Y: 5}
	at[c.Position](w, other).Vec = to
	x := world.Value(w.Inspect().Explain(e))
	i := slices.IndexFunc(x.Shares, func(s world.Share) bool { return s.Behavior == "Follow" })
	if i < 0 || x.Shares[i].Target == nil || *x.Shares[i].Target != to {
		t.Errorf("shares: got=%+v, want one of Follow with target %v", x.Shares, to)
	}
}

func TestExplainErrors(t *testing.T) {
	w := made(t, world.Default())
	nowhere, dead := w.ECS.NewEntity(), w.ECS.NewEntity()
	w.ECS.RemoveEntity(dead)
	for want, e := range map[string]ecs.Entity{
		"cannot explain entity 1: it has no Position":   nowhere,
		"cannot explain entity 2: it is dead":           dead,
		"cannot explain the zero entity, want an agent": {},
	} {
		testkit.Equal(t, fmt.Sprint(world.Failure(w.Inspect().Explain(e))), want, "error")
	}
}

func TestExplanationJSON(t *testing.T) {
	w := made(t, world.Default())
	world.Value(w.AddObstacle(r2.Vec{X: 3}, c.Obstacle{Radius: 1}))
	must(t, w.Spawn(1, []any{
		c.Velocity{Vec: r2.Vec{X: 1}}, c.Target{Vec: r2.Vec{Y: 5}}, c.Limits{MaxSpeed: 2, MaxForce: math.Inf(1)},
		c.Seek{Gain: 3}, c.KinematicSeek{}, c.Facing{Rate: 1}, c.ThreatScan{LookAhead: 4}, c.Avoidance{MaxForce: 6},
	}, nil))
	e, _ := w.Entity(1)
	x := world.Value(w.Inspect().Explain(e))
	text := world.Value(json.Marshal(*x))
	for _, want := range []string{
		`{"id":1,"time":0,`, `"before":{"position":{"X":0,"Y":0},"velocity":{"X":1,"Y":0},"heading":{"X":1,"Y":0}}`,
		`{"behavior":"KinematicSeek","velocity":{"X":0,"Y":0}}`,
		`{"behavior":"Seek","raw":{"X":-1,"Y":2},"rawUnit":"m/s","gain":3,"gainUnit":"kg/s","force":{"X":-3,"Y":6},"truncated":{"X":-3,"Y":6}}`,
		`"maxForce":"Infinity","maxSpeed":2,"mass":1`, `"lookAhead":4`, `{"name":"MaxForce","value":"+Inf"}`,
		`"threat":{"contact":{"X":2,"Y":0},"normal":{"X":-1,"Y":0},"distance":2,"obstacle":"entity 1","kind":"circle","position":{"X":3,"Y":0},"radius":1}`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("JSON: got=%s, want=text that contains %s", text, want)
		}
	}
}

func TestExplainAnything(t *testing.T) {
	t.Parallel()
	for seed := range 5 {
		rnd := rand.New(rand.NewPCG(uint64(seed), 1))
		w, all := zoo(t, rnd)
		follow(t, w, 25, func(int) []ecs.Entity { return all })
	}
}

func zoo(t *testing.T, rnd *rand.Rand) (*world.World, []ecs.Entity) {
	config := world.Default()
	config.Dt, config.Workers = 0.1, 1
	config.Bounds, config.Box = systems.BoundsMode(rnd.IntN(5)), r2.Box{Min: r2.Vec{X: -9, Y: -9}, Max: r2.Vec{X: 9, Y: 9}}
	config.AvoidOutward, config.Hold = rnd.IntN(2) == 0, rnd.IntN(4) == 0
	config.FaithfulArrivals, config.FaithfulFacing = rnd.IntN(2) == 0, rnd.IntN(2) == 0
	config.Scan = systems.ScanMode(rnd.IntN(3))
	config.Prediction, config.FaithfulWalls, config.Seed = systems.Prediction(rnd.IntN(3)), rnd.IntN(2) == 0, rnd.Uint64()
	config.FaithfulORCA = rnd.IntN(2) == 0
	config.Combination = systems.Combination(rnd.IntN(3))
	if config.Priority = world.Behaviors(); rnd.IntN(2) == 0 {
		rnd.Shuffle(len(config.Priority), func(i, k int) { p := config.Priority; p[i], p[k] = p[k], p[i] })
	}
	config.Priority, config.Chances = config.Priority[:rnd.IntN(4)], [][]float64{nil, {0.8}}[rnd.IntN(2)]
	w := made(t, config)
	point := func() r2.Vec { return r2.Vec{X: 20*rnd.Float64() - 10, Y: 20*rnd.Float64() - 10} }
	few := func() float64 { return []float64{0, 0.5, 1, 3, rnd.Float64() * 6}[rnd.IntN(5)] }
	for range 6 {
		world.Value(w.AddObstacle(point(), c.Obstacle{Radius: 0.5 + rnd.Float64()}))
	}
	if config.Scan == systems.ScanExact {
		world.Value(w.AddObstacle(point(), c.Obstacle{Span: point(), Radius: 0.2}))
		world.Value(w.AddPolygon([]r2.Vec{point(), point(), point()}))
		world.Value(w.AddDoor(r2.Vec{X: -9}, r2.Vec{X: 9}, 0.2, c.Door{Closes: 0.1, Opens: 0.2, Period: 0.2}))
	}
	world.Value(w.AddPath([]r2.Vec{point(), point(), point()}))
	other := w.AddTracked(ecs.Entity{})
	world.Value(w.AddItinerary([]systems.Stop{
		{Kind: systems.StopFollow, Other: other, Duration: 0.3}, {Kind: systems.StopFlowWith, Other: other, Duration: 0.2},
		{At: point(), Speed: 2}, {Kind: systems.StopFleeFrom, Other: other, Duration: 0.5}, {Kind: systems.StopFlee, At: point(), Duration: 1}, {Kind: systems.StopIdle, Duration: 0.5}, {At: point()},
	}))
	var all []ecs.Entity
	for i := range 30 {
		e := w.ECS.NewEntity()
		list := []any{c.Agent{ID: uint64(i + 1)}, c.Position{Vec: point()}}
		add := func(comp any) {
			if rnd.IntN(2) == 0 {
				list = append(list, comp)
			}
		}
		if rnd.IntN(4) > 0 {
			list = append(list, c.ForceCombination{Vec: point(), Left: few()})
		}
		add(c.Velocity{Vec: point()})
		add(c.Limits{MaxSpeed: few(), MaxForce: []float64{few(), math.Inf(1)}[rnd.IntN(2)]})
		add(c.Target{Vec: point()})
		add(c.Mass{Kilograms: 0.5 + few()})
		add(c.Flee{From: point(), Gain: few(), Radius: few()})
		if config.Scan == systems.ScanExact {
			add(c.Radius{Meters: few() / 4})
		}
		for _, comp := range []any{
			c.Seek{Gain: few()}, c.KinematicSeek{Gain: few()}, c.Arrival{Gain: few(), SlowingRadius: few()},
			c.OpposingArrival{Gain: few(), SlowingRadius: few(), TimeConstant: 1}, c.DampedArrival{Gain: few(), SlowingRadius: few(), TimeConstant: 1},
			c.SmoothArrival{Gain: few(), Min: 0.1, Max: few()}, c.Facing{Rate: few()}, c.TurnTowards{Rate: few()}, c.TurnAway{Rate: few()},
			c.Drive{Speed: few(), TopSpeed: few()}, c.Path{Reached: few(), Loop: true, Index: uint32(rnd.IntN(2))}, c.Itinerary{Reached: few()},
			c.Goal{Radius: few(), Remove: rnd.IntN(2) == 0}, c.ThreatScan{LookAhead: few()}, c.Avoidance{MaxForce: few()},
		} {
			if rnd.IntN(3) == 0 {
				list = append(list, comp)
			}
		}
		for _, comp := range []any{
			c.Pursuit{Gain: few(), Horizon: few()}, c.OffsetPursuit{Gain: few(), Horizon: few(), Distance: few()},
			c.Evasion{Gain: few(), Horizon: few(), Radius: 2 * few()}, c.Wander{Gain: few(), Distance: few(), Radius: few(), Rate: few()},
			c.Containment{Gain: few(), Horizon: few(), Box: r2.Box{Min: r2.Vec{X: -8, Y: -8}, Max: r2.Vec{X: 8, Y: 8}}},
			c.WallFollowing{Gain: few(), Horizon: few(), Offset: few() / 4, Range: few()},
			c.ORCA{Gain: few(), TimeHorizon: few(), TimeHorizonObst: few(), NeighborDist: 2 * few(), MaxNeighbors: rnd.IntN(9), Priority: few()},
			c.Separation{Gain: few(), NeighborDist: 2 * few(), FieldOfView: 1.7 * few(), MaxNeighbors: uint32(rnd.IntN(3))}, c.Alignment{Gain: few(), NeighborDist: 2 * few()},
			c.Cohesion{Gain: few(), NeighborDist: 4 * few(), MaxNeighbors: uint32(rnd.IntN(3))},
			c.UnalignedCollisionAvoidance{Gain: few(), Horizon: few(), NeighborDist: 9 * few(), FieldOfView: 1.7 * few(), Clearance: few()},
			c.Layers{On: rnd.Uint32() & 3, Sees: rnd.Uint32() & 3},
			c.Solid{Push: rnd.Float64()},
			c.FollowingDistance{TimeGap: few(), Variation: rnd.Float64()}, c.FundamentalDiagram{MaxDensity: few()},
			c.Passing{Overtaking: rnd.Float64(), Right: 2*rnd.Float64() - 1}, c.Inertia{MaxAcceleration: few()},
		} {
			if rnd.IntN(3) == 0 {
				list = append(list, comp)
			}
		}
		if i > 0 {
			other := all[rnd.IntN(i)]
			if rnd.IntN(6) == 0 {
				other = w.ECS.NewEntity()
				w.ECS.RemoveEntity(other)
			}
			add(c.Quarry{Entity: other, At: point(), Seen: true})
			add(c.Pursuer{Entity: all[rnd.IntN(i)]})
			add(c.Follow{Entity: all[rnd.IntN(i)]})
			add(c.FleeFrom{Entity: all[rnd.IntN(i)]})
		}
		systems.Add(w.ECS, e, list...)
		if steer := at[c.Steering](w, e); steer != nil && rnd.IntN(3) == 0 {
			steer.Vec = point()
		}
		if rnd.IntN(10) == 0 {
			at[c.Position](w, e).X = []float64{math.NaN(), math.Inf(1), 1e300}[rnd.IntN(3)]
		}
		all = append(all, e)
	}
	w.SetTracked(other, all[rnd.IntN(len(all))])
	return w, all
}

// A slanted wall meets the edge of the box.
func TestSolidAtTheEdge(t *testing.T) {
	for _, mode := range []systems.BoundsMode{systems.BoundsBounce, systems.BoundsClamp} {
		config := world.Default()
		config.Dt, config.Bounds, config.Box = 0.1, mode, r2.Box{Max: r2.Vec{X: 10, Y: 10}}
		w := made(t, config)
		world.Value(w.AddObstacle(r2.Vec{X: 8, Y: 1}, c.Obstacle{Span: r2.Vec{X: 5, Y: 5}}))
		must(t, w.Spawn(3, []any{c.Position{Vec: r2.Vec{X: 9, Y: 1}}, c.Radius{Meters: 0.05}, c.Limits{MaxSpeed: 9, MaxForce: 900},
			c.Target{Vec: r2.Vec{X: 20, Y: 15}}, c.Seek{Gain: 9}, c.Solid{Push: 0.7}}, nil))
		all, moved := agentsOf(w), map[string]bool{}
		follow(t, w, 50, func(step int) []ecs.Entity {
			for _, e := range all {
				if p := at[c.Position](w, e); !(p.Y < p.X-7) || p.X > 10 {
					t.Fatalf("mode %v, step %d: got=%v, want=below the wall, in the box", mode, step, p.Vec)
				}
				for _, s := range world.Value(w.Inspect().Explain(e)).Shares {
					moved[s.Behavior] = moved[s.Behavior] || s.Position != nil && *s.Position != (r2.Vec{})
				}
			}
			return all
		})
		if !moved["ResolveOverlaps"] || !moved["Slide"] || !moved["Bounds"] {
			t.Errorf("mode %v: systems that moved an agent: got=%v, want=ResolveOverlaps, Slide and Bounds", mode, moved)
		}
	}
}

func TestExplainLooks(t *testing.T) {
	w := made(t, world.Default())
	id := uint64(0)
	spawn := func(x, y float64, more ...any) ecs.Entity {
		id++
		e := w.ECS.NewEntity()
		systems.Add(w.ECS, e, append([]any{
			c.Agent{ID: id}, c.Position{Vec: r2.Vec{X: x, Y: y}}, c.Velocity{Vec: r2.Vec{X: 1}}, c.Limits{MaxSpeed: 1, MaxForce: 1},
		}, more...)...)
		return e
	}
	me := spawn(0, 0, c.Separation{Gain: 1, NeighborDist: 2, MaxNeighbors: 1}, c.Alignment{Gain: 1, NeighborDist: 3, FieldOfView: math.Pi},
		c.Cohesion{NeighborDist: 0}, c.UnalignedCollisionAvoidance{Gain: 1, Horizon: 1, NeighborDist: 1}, c.Layers{On: 1, Sees: 1}, c.Radius{Meters: 0.2}, c.Solid{Push: 1})
	spawn(1.5, 0)
	spawn(-1.25, 0)
	spawn(2.5, 1)
	spawn(1, 0.5, c.Layers{On: 2, Sees: 3})
	other := spawn(50, 0)

	for range 2 {
		x := world.Value(w.Inspect().Explain(me))
		want := []struct {
			name        string
			reach, view float64
			ids         []uint64
		}{{"Separation", 2, 0, []uint64{3}}, {"Alignment", 3, math.Pi, []uint64{2, 4}}, {"UnalignedCollisionAvoidance", 1, 0, nil}}
		if len(x.Looks) != len(want) {
			t.Fatalf("looks: got=%v, want=%v", x.Looks, want)
		}
		for i, want := range want {
			l, ids := x.Looks[i], []uint64(nil)
			for _, o := range l.Seen {
				ids = append(ids, o.ID)
			}
			slices.Sort(ids)
			if l.Behavior != want.name || l.Reach != want.reach || l.View != want.view || l.Facing != (r2.Vec{X: 1}) || !slices.Equal(ids, want.ids) {
				t.Errorf("look %d: got=%+v, want=%+v", i, l, want)
			}
		}
		data := world.Value(json.Marshal(x))
		if text := `"looks":[{"behavior":"Separation","reach":2,"facing":{"X":1,"Y":0},"seen":[3]},{"behavior":"Alignment","reach":3,"view":180,`; !strings.Contains(string(data), text) {
			t.Errorf("JSON: got=%s, want=text that contains %s", data, text)
		}
		if x := world.Value(w.Inspect().Explain(other)); x.Looks != nil {
			t.Errorf("looks of an agent without such a behavior: got=%v, want=none", x.Looks)
		}
		w.Clock.Dt = 0 // no agent moves
		must(t, w.Step())
	}
}

func TestExplainReciprocal(t *testing.T) {
	chosen, walls, forced, walking := 0, 0, 0, 0
	for seed := range uint64(12) {
		w, all := zoo(t, rand.New(rand.NewPCG(seed, 1)))
		for range 5 {
			for _, e := range all {
				if !w.ECS.Alive(e) {
					continue
				}
				x := world.Value(w.Inspect().Explain(e))
				r := x.Reciprocal
				if r == nil {
					continue
				}
				chosen++
				if i := slices.IndexFunc(x.Shares, func(s world.Share) bool { return s.Behavior == "ORCA" }); i < 0 || x.Shares[i].Velocity == nil {
					t.Fatalf("agent %d: shares: got=%+v, want=a share of ORCA with a velocity", x.ID, x.Shares)
				}
				bounced := slices.ContainsFunc(x.Shares, func(s world.Share) bool { return s.Behavior == "Bounds" })
				if x.MovedBy == "Integration" && !bounced && r2.Norm(r2.Sub(x.After.Velocity, r.Chosen)) > 1e-9 && len(x.Skipped) == 0 {
					t.Errorf("agent %d: got=%v, want=%v, the chosen velocity", x.ID, x.After.Velocity, r.Chosen)
				}
				within := true
				for _, h := range r.HalfPlanes {
					if h.Of == "wall" {
						walls++
					}
					slack := 1e-6 * r.MaxSpeed
					if bad := r2.Dot(h.Normal, r.Chosen) < h.Least-slack; bad && (h.Of == "wall" || h.Of == "gap") {
						t.Errorf("agent %d: got=%v, want=a velocity in the half-plane %+v", x.ID, r.Chosen, h)
					} else if bad {
						within = false
					}
				}
				if r.Feasible && !within {
					t.Errorf("agent %d: got=%v outside a half-plane, want=a velocity inside all, because Feasible is true: %v", x.ID, r.Chosen, r.HalfPlanes)
				}
				if !r.Feasible {
					forced++
				}
				if r.Walking != nil {
					walking++
				}
				for _, o := range r.Others {
					i := slices.IndexFunc(x.Looks, func(l world.Look) bool { return l.Behavior == "ORCA" })
					if i < 0 || !slices.ContainsFunc(x.Looks[i].Seen, func(n sense.Neighbor) bool {
						return n.ID == o.ID && r2.Sub(n.Position, x.Before.Position) == o.Offset
					}) {
						t.Errorf("agent %d: got=%+v considered but not seen, want=one of %+v", x.ID, o, x.Looks)
					}
				}
			}
			must(t, w.Step())
		}
	}
	if chosen < 50 || walls == 0 || forced == 0 || walking == 0 {
		t.Errorf("got=%d choices, %d half-planes of walls, %d infeasible choices, %d by a rule of walking, want=50 choices or more, and some of each", chosen, walls, forced, walking)
	}
}

// A walker avoids only the nearest ten, but considers all.
func TestExplainWalkers(t *testing.T) {
	w := made(t, world.Default())
	const others = 15
	must(t, w.Spawn(1+others, []any{
		c.Radius{Meters: 0.2}, c.Limits{MaxSpeed: 1.4, MaxForce: 5}, c.Target{Vec: r2.Vec{X: 99}}, c.Seek{Gain: 2}, c.FollowingDistance{TimeGap: 0.5},
		c.ORCA{Gain: 2, TimeHorizon: 1, NeighborDist: 20, MaxNeighbors: others},
	}, func(r *world.Rows) {
		for i, p := 0, world.Column[c.Position](r); i < len(p); i++ {
			p[i].X = float64(i)
		}
	}))
	e, _ := w.Entity(1)
	if x, err := w.Inspect().Explain(e); err != nil || x.Reciprocal == nil || len(x.Reciprocal.Others) != others {
		t.Errorf("got=%+v, %v, want=%d other agents", x.Reciprocal, err, others)
	}
}

func TestExplainWalking(t *testing.T) {
	follow, diagram := c.FollowingDistance{TimeGap: 1}, c.FundamentalDiagram{MaxDensity: 5.4}
	passing, inertia := c.Passing{Overtaking: 1, Right: 0.4}, c.Inertia{MaxAcceleration: 1}
	for _, tc := range []struct {
		name     string
		law      []any
		x, y     float64 // position of the other agent
		way      float64 // 1 or -1: the same as that of the agent, or opposite
		faithful bool
		want     string // in the JSON; empty means no "walking"
	}{
		{"no law", nil, 1, 0, 1, false, ""},
		{"faithful", []any{follow}, 1, 0, 1, true, ""},
		{"alone", []any{follow, diagram, passing}, 50, 0, 1, false, `"walking":{"free":1.34,"speed":1.34,"why":"free","gap":"Infinity","density":0,"inertia":false}`},
		{"a gap", []any{follow}, 1, 0, 1, false, `"walking":{"free":1.34,"speed":0.5,"why":"gap","other":2,"gap":0.5,"density":0.25`},
		{"a density", []any{c.FollowingDistance{TimeGap: 0.01}, c.FundamentalDiagram{MaxDensity: 0.24}}, 1, 0, 1, false, `"why":"density","other":2,"gap":0.5,"density":0.25`},
		{"an oncoming agent", []any{follow, diagram, passing}, 2, 0, -1, false, `"walking":{"free":1.34,"speed":1.34,"why":"oncoming","other":2,"gap":"Infinity","density":0,"inertia":false}`},
		{"overtaking on the right", []any{follow, passing}, 1.2, 0.1, 1, false, `"why":"overtaking right","other":2,`},
		{"overtaking on the left", []any{follow, passing}, 1.2, -0.1, 1, false, `"why":"overtaking left","other":2,`},
		{"inertia", []any{follow, inertia}, 1, 0, 1, false, `"why":"gap","other":2,"gap":0.5,"density":0.25`},
		{"inertia alone", []any{inertia}, 1, 0, 1, false, `"walking":{"free":1.34,"speed":1.34,"why":"free","gap":"Infinity","density":0,"inertia":false}`},
	} {
		config := world.Default()
		config.Dt, config.FaithfulORCA = 0.1, tc.faithful
		w := world.Value(world.New(config))
		walker := func(id uint64, x, y, way float64, more ...any) ecs.Entity {
			e := w.ECS.NewEntity()
			v := r2.Vec{X: 1.34 * way}
			systems.Add(w.ECS, e, append([]any{
				c.Agent{ID: id}, c.Position{Vec: r2.Vec{X: x, Y: y}}, c.Velocity{Vec: v}, c.Radius{Meters: 0.25}, c.Limits{MaxSpeed: 1.34, MaxForce: 9}, c.Steering{}, c.PreferredVelocity{Vec: v},
				c.ORCA{Gain: 2, TimeHorizon: 1, TimeHorizonObst: 1, NeighborDist: 5, MaxNeighbors: 9, Priority: 1},
			}, more...)...)
			return e
		}
		me := walker(1, 0, 0, 1, tc.law...)
		walker(2, tc.x, tc.y, tc.way)
		x := world.Value(w.Inspect().Explain(me))
		data := world.Value(json.Marshal(x))
		if text := string(data); !strings.Contains(text, tc.want) || tc.want == "" && strings.Contains(text, `"walking"`) {
			t.Errorf("%s: got=%s, want=text that contains %q", tc.name, text[strings.Index(text, `"others"`):], tc.want)
		}
		if p := x.Reciprocal.Walking; p != nil && p.Inertia != (tc.name == "inertia") {
			t.Errorf("%s: inertia: got=%v, want=%v", tc.name, p.Inertia, !p.Inertia)
		}
		w.Close()
	}
}
