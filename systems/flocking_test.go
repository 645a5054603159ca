package systems

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// company returns an agent at the origin with velocity v, followed by the others, and the indexes of the
// others.
func company(v r2.Vec, others ...sense.Neighbor) (agents []sense.Neighbor, places []uint32) {
	agents = append([]sense.Neighbor{{ID: 1, Velocity: v}}, others...)
	for i := range others {
		agents[i+1].ID = uint64(i + 2)
		places = append(places, uint32(i+1))
	}
	return agents, places
}

func agentsIn(n *sense.Neighbors) (agents []sense.Neighbor) {
	for i := range n.Len() {
		agents = append(agents, n.At(uint32(i)))
	}
	return agents
}

func ptr(f sense.Sums) *sense.Sums { return &f }

// meanVelocity is the mean velocity of the neighbors, if there are any.
type meanVelocity struct {
	r2.Vec
	some bool
}

func meanOf(f sense.Sums) meanVelocity { return meanVelocity{f.Velocity, f.N > 0} }

func still(x, y float64) sense.Neighbor { return sense.Neighbor{Position: xy(x, y)} }

func TestSeparate(t *testing.T) {
	for _, tc := range []struct {
		name   string
		others []sense.Neighbor
		radius float64
		want   r2.Vec
	}{
		{"none", nil, 4, xy(0, 0)},
		{"at the radius nothing pushes", []sense.Neighbor{still(4, 0)}, 4, xy(0, 0)},
		{"near the radius: 4/3.2 - 3.2/4", []sense.Neighbor{still(0, 3.2)}, 4, xy(0, -0.45)},
		{"near: at most 1", []sense.Neighbor{still(1, 0)}, 4, xy(-1, 0)},
		{"two from opposite sides", []sense.Neighbor{still(1, 0), still(-1, 0)}, 4, xy(0, 0)},
		{"two at right angles", []sense.Neighbor{still(3.2, 0), still(0, 3.2)}, 4, xy(-0.45, -0.45)},
		{"the nearer one dominates", []sense.Neighbor{still(2, 0), still(-3.2, 0)}, 4, xy(-1, 0)},
		{"very near", []sense.Neighbor{still(0, 1e-300)}, 4, xy(0, -1)},
		{"all very near, opposite", []sense.Neighbor{still(0, 1e-300), still(0, -1e-13)}, 4, xy(0, 0)},
		{"a tiny radius", []sense.Neighbor{still(1e-300, 0)}, 1e-300, xy(-1, 0)},
		{"a huge radius", []sense.Neighbor{still(3, 4)}, 1e300, xy(-0.6, -0.8)},
	} {
		agents, places := company(xy(5, 5), tc.others...)
		testkit.Near(t, pushOf(ptr(sense.SumsOf(sense.AgentsOf(agents...), 0, places, tc.radius)), tc.radius), tc.want, 1e-12, "%s", tc.name)
	}
}

// TestSeparateSamePlace verifies that two agents in the same position separate in opposite directions that
// depend on the pair.
func TestSeparateSamePlace(t *testing.T) {
	ways := map[r2.Vec]bool{}
	for _, ids := range [][2]uint64{{1, 2}, {2, 1}, {1, 3}, {0, math.MaxUint64}, {7, 7}} {
		w := ecs.NewWorld()
		agents := []sense.Neighbor{{ID: ids[0], Entity: w.NewEntity()}, {ID: ids[1], Entity: w.NewEntity()}}
		a, b := pushOf(ptr(sense.SumsOf(sense.AgentsOf(agents...), 0, []uint32{1}, 2)), 2), pushOf(ptr(sense.SumsOf(sense.AgentsOf(agents...), 1, []uint32{0}, 2)), 2)
		if a != vec.Scale(-1, b) || math.Abs(vec.Norm(a)-1) > 1e-12 {
			t.Errorf("IDs %v: got=%v, %v, want opposite vectors of length 1", ids, a, b)
		}
		ways[a] = true
	}
	testkit.Equal(t, len(ways), 5, "number of different directions")
	crowded, places := company(r2.Vec{}, still(0, 0), still(0, 0), still(0, 0))
	if got := vec.Norm(pushOf(ptr(sense.SumsOf(sense.AgentsOf(crowded...), 0, places, 2)), 2)); !(got > 0 && got <= 1+1e-12) {
		t.Errorf("four in the same place: got=%v, want above 0 and at most 1", got)
	}
}

func TestAlign(t *testing.T) {
	moving := func(x, y float64) sense.Neighbor { return sense.Neighbor{Velocity: xy(x, y)} }
	for _, tc := range []struct {
		name   string
		others []sense.Neighbor
		want   meanVelocity
	}{
		{"none", nil, meanVelocity{}},
		{"one stands", []sense.Neighbor{moving(0, 0)}, meanVelocity{xy(0, 0), true}},
		{"the mean", []sense.Neighbor{moving(1, 0), moving(3, 4)}, meanVelocity{xy(2, 2), true}},
		{"opposite", []sense.Neighbor{moving(1, 0), moving(-1, 0)}, meanVelocity{xy(0, 0), true}},
		{"no overflow", []sense.Neighbor{moving(1.5e308, 0), moving(1.5e308, 0)}, meanVelocity{xy(1.5e308, 0), true}},
	} {
		agents, places := company(xy(5, 5), tc.others...)
		testkit.Equal(t, meanOf(sense.SumsOf(sense.AgentsOf(agents...), 0, places, 4)), tc.want, "%s", tc.name)
	}
}

func TestCohere(t *testing.T) {
	for _, tc := range []struct {
		name   string
		others []sense.Neighbor
		radius float64
		want   r2.Vec
	}{
		{"none", nil, 4, xy(0, 0)},
		{"one at the radius", []sense.Neighbor{still(0, 4)}, 4, xy(0, 1)},
		{"one half as far", []sense.Neighbor{still(2, 0)}, 4, xy(0.5, 0)},
		{"in the middle", []sense.Neighbor{still(2, 0), still(-2, 0)}, 4, xy(0, 0)},
		{"the middle of two", []sense.Neighbor{still(2, 0), still(0, 2)}, 4, xy(0.25, 0.25)},
		{"same place", []sense.Neighbor{still(0, 0)}, 4, xy(0, 0)},
		{"a tiny radius", []sense.Neighbor{still(1e-320, 0)}, 1e-320, xy(1, 0)},
	} {
		agents, places := company(xy(5, 5), tc.others...)
		testkit.Near(t, pullOf(ptr(sense.SumsOf(sense.AgentsOf(agents...), 0, places, tc.radius)), tc.radius), tc.want, 1e-12, "%s", tc.name)
	}
}

func TestClosestApproach(t *testing.T) {
	for _, tc := range []struct {
		p, w  r2.Vec
		want  float64
		comes bool
		miss  float64
	}{
		{xy(10, 5), xy(-2, 0), 5, true, 5},
		{xy(10, 0), xy(-4, 0), 2.5, true, 0},
		{xy(10, 0), xy(-1, 1), 5, true, math.Sqrt(50)},
		{xy(10, 0), xy(2, 0), 0, false, 0}, // moves away
		{xy(10, 0), xy(0, 2), 0, false, 0}, // is nearest now
		{xy(10, 0), xy(0, 0), 0, false, 0}, // the same velocity
		{xy(0, 0), xy(3, 1), 0, false, 0},  // in the same position
	} {
		got, comes := closestApproach(tc.p, tc.w)
		if comes != tc.comes || comes && got != tc.want {
			t.Errorf("position %v, velocity %v: time and approach: got=%v %v, want=%v %v", tc.p, tc.w, got, comes, tc.want, tc.comes)
		}
		if miss := vec.Norm(vec.AddScaled(tc.p, got, tc.w)); comes && !within(miss, tc.miss, 1e-12) {
			t.Errorf("position %v, velocity %v: distance: got=%v, want=%v", tc.p, tc.w, miss, tc.miss)
		}
	}
}

func TestMakeWay(t *testing.T) {
	body := func(x, y, vx, vy, radius float64) sense.Neighbor {
		return sense.Neighbor{Position: xy(x, y), Velocity: xy(vx, vy), Radius: radius}
	}
	for _, tc := range []struct {
		name   string
		v      r2.Vec
		others []sense.Neighbor
		want   r2.Vec
	}{
		{"none", xy(1, 0), nil, xy(0, 0)},
		{"head-on: to the right, 1 m in 5 s", xy(1, 0), []sense.Neighbor{body(10, 0, -1, 0, 0.5)}, xy(0, -0.2)},
		{"head-on, a little to its left: to the right too", xy(1, 0), []sense.Neighbor{body(10, 0.2, -1, 0, 0.5)}, xy(0, -0.16)},
		{"head-on, a little to its right: to the left", xy(1, 0), []sense.Neighbor{body(10, -0.2, -1, 0, 0.5)}, xy(0, 0.16)},
		{"as good as head-on: to the right", xy(1, 0), []sense.Neighbor{body(10, -1e-13, -1, 0, 0.5)}, xy(0, -0.2)},
		{"passes clear", xy(1, 0), []sense.Neighbor{body(10, 1, -1, 0, 0.5)}, xy(0, 0)},
		{"overtaken from behind: aside", xy(1, 0), []sense.Neighbor{body(-5, 0, 2, 0, 0.5)}, xy(0, 0.2)},
		{"the same velocity, abreast", xy(1, 0), []sense.Neighbor{body(0, 0.5, 1, 0, 0.5)}, xy(0, 0)},
		{"both stand", xy(0, 0), []sense.Neighbor{body(0, 0.5, 0, 0, 0.5)}, xy(0, 0)},
		{"the same place", xy(1, 0), []sense.Neighbor{body(0, 0, -1, 0, 0.5)}, xy(0, 0)},
		{"beyond the horizon", xy(1, 0), []sense.Neighbor{body(21, 0, -1, 0, 0.5)}, xy(0, 0)},
		{"at the horizon", xy(1, 0), []sense.Neighbor{body(20, 0, -1, 0, 0.5)}, xy(0, -0.1)},
		{"parts", xy(1, 0), []sense.Neighbor{body(-3, 0, -1, 0, 0.5)}, xy(0, 0)},
		{"the sooner of two", xy(1, 0), []sense.Neighbor{body(10, 0, -1, 0, 0.5), body(8, -0.2, -1, 0, 0.5)}, xy(0, 0.2)},
		{"as soon: the lower ID", xy(1, 0), []sense.Neighbor{body(10, 0.2, -1, 0, 0.5), body(10, -0.2, -1, 0, 0.5)}, xy(0, -0.16)},
		{"crossing ahead of it: it slows down", xy(1, 0), []sense.Neighbor{body(5, -4.8, 0, 1, 0.5)}, vec.Scale((1-0.2/math.Sqrt2)/4.9, vec.Unit(xy(-1, -1)))},
		{"crossing behind it: it hurries", xy(1, 0), []sense.Neighbor{body(5, -5.2, 0, 1, 0.5)}, vec.Scale((1-0.2/math.Sqrt2)/5.1, vec.Unit(xy(1, 1)))},
		{"it stands in the way", xy(0, 0), []sense.Neighbor{body(0, 6, 0, -2, 0.5)}, xy(1./3, 0)},
	} {
		agents, places := company(tc.v, tc.others...)
		agents[0].Radius = 0.4
		testkit.Near(t, makeWay(sense.AgentsOf(agents...), 0, places, 10, 0.1), tc.want, 1e-12, "%s", tc.name)
		// The order of the other agents does not matter.
		for i, k := 0, len(places)-1; i < k; i, k = i+1, k-1 {
			places[i], places[k] = places[k], places[i]
		}
		testkit.Near(t, makeWay(sense.AgentsOf(agents...), 0, places, 10, 0.1), tc.want, 1e-12, "%s, backwards", tc.name)
	}
}

type flocking struct {
	*stage
	neighbors  *sense.Neighbors
	separation *Separation
	alignment  *Alignment
	cohesion   *Cohesion
	avoidance  *UnalignedCollisionAvoidance
}

func newFlocking(t testing.TB, more ...any) *flocking {
	f := &flocking{
		neighbors: &sense.Neighbors{}, separation: &Separation{}, alignment: &Alignment{}, cohesion: &Cohesion{},
		avoidance: &UnalignedCollisionAvoidance{},
	}
	f.stage = newStage(t, 0.1, append([]any{f.neighbors, f.separation, f.alignment, f.cohesion, f.avoidance}, more...)...)
	return f
}

// motley returns the components of the agent with the given ID, drawn at random from the ID.
func motley(id uint64) []any {
	draw := func(use uint64) float64 { return frame.HashFloat(11, id, 0, use) }
	some := func(use uint64, p float64) bool { return draw(use) < p }
	v := xy(4*draw(2)-2, 4*draw(3)-2)
	if some(4, 0.1) {
		v = r2.Vec{}
	}
	all := []any{
		c.Agent{ID: id}, c.Position{Vec: xy(30*draw(0), 30*draw(1))}, c.Velocity{Vec: v}, c.Steering{},
		c.Limits{MaxSpeed: 2, MaxForce: 5},
	}
	if some(5, 0.5) {
		all = append(all, c.Radius{Meters: draw(6)})
	}
	if some(7, 0.3) {
		all = append(all, c.Layers{On: 1 << (id % 3), Sees: uint32(id % 8)})
	}
	view := func(use uint64) float64 { return vec.Radians([]float64{0, 60, 170, 280, 400, 180}[int(6*draw(use))]) }
	most := func(use uint64) uint32 { return []uint32{0, 1, 7}[int(3*draw(use))] }
	if some(10, 0.8) {
		all = append(all, c.Separation{Gain: 2, NeighborDist: 5 * draw(11), FieldOfView: view(12), MaxNeighbors: most(13)})
	}
	if some(14, 0.8) {
		all = append(all, c.Alignment{Gain: 2, NeighborDist: 5 * draw(15), FieldOfView: view(16), MaxNeighbors: most(17)})
	}
	if some(18, 0.8) {
		all = append(all, c.Cohesion{Gain: 2, NeighborDist: 8 * draw(19), FieldOfView: view(20), MaxNeighbors: most(21)})
	}
	if some(22, 0.8) {
		all = append(all, c.UnalignedCollisionAvoidance{Gain: 2, Horizon: 4 * draw(23), NeighborDist: 9 * draw(24), FieldOfView: view(25), Clearance: 0.1})
	}
	return all
}

// inView defines the field of view: it reports whether the angle between heading and offset has at least the
// given cosine, -1 or less meaning all around. An agent without a heading sees all around, and every agent
// sees its own position.
func inView(heading, offset r2.Vec, cosine float64) bool {
	if cosine <= -1 || heading == (r2.Vec{}) || offset == (r2.Vec{}) {
		return true
	}
	h, o := vec.Norm(heading), vec.Norm(offset)
	return vec.Dot(vec.Scale(1/h, heading), vec.Scale(1/o, offset)) >= cosine && !math.IsNaN(cosine)
}

// TestFlockingBruteForce verifies that each rule gives the same bits as for the neighbors that a loop over
// all agents finds.
func TestFlockingBruteForce(t *testing.T) {
	f := newFlocking(t)
	const n = 400
	var all []ecs.Entity
	for id := range uint64(n) {
		all = append(all, f.Put(motley(id)...))
	}
	f.Step()
	agents := agentsIn(f.neighbors)
	seen := 0
	// minded finds the neighbors of an agent with a loop over all agents.
	minded := func(place uint32, radius, view float64, most uint32) (places []uint32) {
		self := &agents[place]
		var found []sense.NeighborHit
		f.neighbors.Within(self.Position, radius, self.Entity, func(o sense.Neighbor) bool {
			i, _ := f.neighbors.Index(o.Entity)
			places = append(places, i)
			return true
		})
		mind := func(i uint32) (float64, bool) {
			to := vec.Sub(agents[i].Position, self.Position)
			_, cosine := math.Sincos(view / 2)
			seen := view == 0 || view >= 2*math.Pi || inView(self.Velocity, to, cosine)
			return vec.Norm(to), i != place && vec.Norm(to) <= radius && seen && agents[i].On&self.Sees != 0
		}
		for i := range agents {
			if d, ok := mind(uint32(i)); ok {
				found = append(found, sense.NeighborHit{Index: uint32(i), Distance: d})
			}
		}
		kept := places[:0]
		for _, i := range places {
			if _, ok := mind(i); ok {
				kept = append(kept, i)
			}
		}
		if len(kept) != len(found) {
			t.Fatalf("agent %d: got=%v neighbors, want=%v", self.ID, len(kept), len(found))
		}
		seen += len(kept)
		if most == 0 || len(found) <= int(most) {
			return kept
		}
		kept = kept[:0]
		for range most {
			best := 0
			for k, x := range found {
				if b := found[best]; x.Distance < b.Distance || x.Distance == b.Distance && agents[x.Index].ID < agents[b.Index].ID {
					best = k
				}
			}
			kept = append(kept, found[best].Index)
			found = append(found[:best], found[best+1:]...)
		}
		return kept
	}
	for _, e := range all {
		place, ok := f.neighbors.Index(e)
		if !ok {
			t.Fatalf("entity %v: got no index in the snapshot, want one", e)
		}
		if par, has := maybe[c.Separation](f, e); has {
			want := pushOf(ptr(sense.SumsOf(sense.AgentsOf(agents...), place, minded(place, par.NeighborDist, par.FieldOfView, par.MaxNeighbors), par.NeighborDist)), par.NeighborDist)
			testkit.Equal(t, pushOf(f.separation.near.Answer(place), par.NeighborDist), want, "separation of %d", agents[place].ID)
		}
		if par, has := maybe[c.Alignment](f, e); has {
			want := meanOf(sense.SumsOf(sense.AgentsOf(agents...), place, minded(place, par.NeighborDist, par.FieldOfView, par.MaxNeighbors), par.NeighborDist))
			testkit.Equal(t, meanOf(*f.alignment.near.Answer(place)), want, "alignment of %d", agents[place].ID)
		}
		if par, has := maybe[c.Cohesion](f, e); has {
			want := pullOf(ptr(sense.SumsOf(sense.AgentsOf(agents...), place, minded(place, par.NeighborDist, par.FieldOfView, par.MaxNeighbors), par.NeighborDist)), par.NeighborDist)
			testkit.Equal(t, pullOf(f.cohesion.near.Answer(place), par.NeighborDist), want, "cohesion of %d", agents[place].ID)
		}
		if par, has := maybe[c.UnalignedCollisionAvoidance](f, e); has {
			want := makeWay(sense.AgentsOf(agents...), place, minded(place, par.NeighborDist, par.FieldOfView, 0), par.Horizon, par.Clearance)
			testkit.Equal(t, *f.avoidance.near.Answer(place), want, "avoidance of %d", agents[place].ID)
		}
	}
	if seen < 4*n {
		t.Errorf("neighbors: got=%v, want=%v or more, or nothing is tested", seen, 4*n)
	}
}

// TestFlockingAlike verifies separation and cohesion in a crowd in which all agents have the same parameters.
func TestFlockingAlike(t *testing.T) {
	f := newFlocking(t, &Integration{})
	for id := range uint64(200) {
		f.Put(append(motley(id)[:5:5], c.Separation{Gain: 1, NeighborDist: 3}, c.Cohesion{Gain: 1, NeighborDist: 3})...)
	}
	for range 2 {
		f.Step()
		agents := agentsIn(f.neighbors)
		for place := range uint32(200) {
			var near []uint32
			f.neighbors.Within(agents[place].Position, 3, agents[place].Entity, func(o sense.Neighbor) bool {
				if i, _ := f.neighbors.Index(o.Entity); o.On&agents[place].Sees != 0 {
					near = append(near, i)
				}
				return true
			})
			want := sense.SumsOf(sense.AgentsOf(agents...), place, near, 3)
			if got := pushOf(f.separation.near.Answer(place), 3); !vecWithin(got, pushOf(&want, 3), 1e-12) {
				t.Fatalf("separation of %d: got=%v, want=%v", agents[place].ID, got, pushOf(&want, 3))
			}
			if got := pullOf(f.cohesion.near.Answer(place), 3); !vecWithin(got, pullOf(&want, 3), 1e-12) {
				t.Fatalf("cohesion of %d: got=%v, want=%v", agents[place].ID, got, pullOf(&want, 3))
			}
		}
	}
}

func maybe[T any](f *flocking, e ecs.Entity) (value T, has bool) {
	if id := ecs.ComponentID[T](f.World); f.Has(e, id) {
		return *(*T)(f.Get(e, id)), true
	}
	return value, false
}

// TestFlockingForces verifies that the force is the gain times the velocity error, and that
// MaxSpeed bounds the desired velocity.
func TestFlockingForces(t *testing.T) {
	for _, tc := range []struct {
		name string
		rule any
		want r2.Vec
	}{
		{"separation", c.Separation{Gain: 3, NeighborDist: 4}, xy(-6, 0)},
		{"separation, weak", c.Separation{Gain: 3, NeighborDist: 1.25}, xy(-6*0.45, 0)},
		{"separation, paused", c.Separation{NeighborDist: 4}, xy(0, 0)},
		{"separation, at the radius", c.Separation{Gain: 3, NeighborDist: 1}, xy(0, 0)},
		{"alignment", c.Alignment{Gain: 3, NeighborDist: 4}, xy(-9, 6)},
		{"alignment at the radius", c.Alignment{Gain: 3, NeighborDist: 1}, xy(-9, 6)},
		{"alignment beyond the radius", c.Alignment{Gain: 3, NeighborDist: 0.999}, xy(0, 0)},
		{"alignment, paused", c.Alignment{NeighborDist: 4}, xy(0, 0)},
		{"alignment, ahead", c.Alignment{Gain: 3, NeighborDist: 4, FieldOfView: vec.Radians(6)}, xy(-9, 6)},
		{"cohesion", c.Cohesion{Gain: 3, NeighborDist: 4}, xy(1.5, 0)},
		{"cohesion, paused", c.Cohesion{NeighborDist: 4}, xy(0, 0)},
		{"avoidance, the other one stays behind", c.UnalignedCollisionAvoidance{Gain: 3, Horizon: 9, NeighborDist: 4, Clearance: 0.5}, xy(0, 0)},
	} {
		f := newFlocking(t)
		e := f.Put(c.Position{Vec: xy(2, 7)}, c.Velocity{Vec: xy(3, 0)}, c.Steering{}, c.Limits{MaxSpeed: 2, MaxForce: 9}, tc.rule)
		f.Put(c.Position{Vec: xy(3, 7)}, c.Velocity{Vec: xy(0, 50)}) // an agent without a rule
		f.Step()
		testkit.Near(t, testkit.ComponentOf[c.Steering](f.stage, e).Vec, tc.want, 1e-12, "%s", tc.name)
	}
}

// TestUnalignedCollisionAvoidanceForce verifies that MaxSpeed limits the desired speed of avoidance.
func TestUnalignedCollisionAvoidanceForce(t *testing.T) {
	for _, tc := range []struct {
		maxSpeed float64
		want     r2.Vec
	}{
		{9, xy(0, -0.6)},
		{1, vec.Scale(3, vec.Sub(vec.Unit(xy(1, -0.2)), xy(1, 0)))},
		{0, xy(-3, 0)},
	} {
		f := newFlocking(t)
		e := f.Put(c.Position{}, c.Velocity{Vec: xy(1, 0)}, c.Steering{}, c.Limits{MaxSpeed: tc.maxSpeed, MaxForce: 9},
			c.UnalignedCollisionAvoidance{Gain: 3, Horizon: 9, NeighborDist: 12, Clearance: 1})
		f.Put(c.Position{Vec: xy(10, 0)}, c.Velocity{Vec: xy(-1, 0)})
		f.Step()
		testkit.Near(t, testkit.ComponentOf[c.Steering](f.stage, e).Vec, tc.want, 1e-12, "max speed %v", tc.maxSpeed)
	}
}

func TestFlockingView(t *testing.T) {
	for _, tc := range []struct {
		degrees float64
		v, to   r2.Vec
		want    bool
	}{
		{180, xy(2, 0), xy(0, 3), true},
		{180, xy(2, 0), xy(-1e-9, 3), false},
		{180, xy(0, 0.1), xy(3, 0), true},
		{90, xy(2, 0), xy(3, 3), true},
		{90, xy(2, 0), xy(3, 3.0001), false},
		{90, xy(2, 0), xy(-3, 3), false},
		{270, xy(2, 0), xy(-3, 3), true},
		{270, xy(2, 0), xy(-3, 2.999), false},
		{270, xy(2, 0), xy(3, 0), true},
		{359, xy(2, 0), xy(-3, 0), false},
		{360, xy(2, 0), xy(-3, 0), true},
		{0, xy(2, 0), xy(-3, 0), true},
		{1, xy(0, 0), xy(-3, 0), true}, // at rest
		{1, xy(2, 0), xy(0, 0), true},  // at the same position
		{300, xy(0, 0), xy(-3, 0), true},
		{60, xy(1e-300, 0), xy(1e-170, 0), true},
	} {
		f := newFlocking(t)
		e := f.Put(c.Position{}, c.Velocity{Vec: tc.v}, c.Steering{}, c.Limits{MaxSpeed: 1, MaxForce: 9},
			c.Alignment{Gain: 1, NeighborDist: 9, FieldOfView: vec.Radians(tc.degrees)})
		f.Put(c.Position{Vec: tc.to}, c.Velocity{Vec: xy(9, 9)})
		f.Step()
		place, _ := f.neighbors.Index(e)
		testkit.Equal(t, f.alignment.near.Answer(place).N > 0, tc.want, "%v°, %v sees %v", tc.degrees, tc.v, tc.to)
	}
}

// TestFlockingBadValues verifies that NaN and infinities in an agent's position or velocity affect no
// other agent, and that those in its parameters reach no position or velocity.
func TestFlockingBadValues(t *testing.T) {
	run := func(bad func(f *flocking, e ecs.Entity), without bool) (*flocking, []ecs.Entity) {
		f := newFlocking(t, &Integration{})
		var all []ecs.Entity
		for id := range uint64(60) {
			all = append(all, f.Put(motley(id)...))
		}
		f.Steps(3)
		if without {
			f.RemoveEntity(all[7])
		} else {
			bad(f, all[7])
		}
		f.Steps(5)
		return f, all
	}
	clean, _ := run(nil, true)
	for _, x := range []float64{nan, inf, -inf} {
		for name, bad := range map[string]func(*flocking, ecs.Entity){
			"position": func(f *flocking, e ecs.Entity) { testkit.ComponentOf[c.Position](f.stage, e).X = x },
			"velocity": func(f *flocking, e ecs.Entity) { testkit.ComponentOf[c.Velocity](f.stage, e).Y = x },
		} {
			f, all := run(bad, false)
			for i, e := range all {
				if i == 7 {
					continue
				}
				got, want := testkit.ComponentOf[c.Position](f.stage, e).Vec, testkit.ComponentOf[c.Position](clean.stage, e).Vec
				if got != want || !vec.Finite(got) {
					t.Fatalf("%s %v: position of agent %d: got=%v, want=%v", name, x, i, got, want)
				}
			}
		}
		for name, bad := range map[string]func(*flocking, ecs.Entity){
			"separation radius": func(f *flocking, e ecs.Entity) { testkit.ComponentOf[c.Separation](f.stage, e).NeighborDist = x },
			"alignment view":    func(f *flocking, e ecs.Entity) { testkit.ComponentOf[c.Alignment](f.stage, e).FieldOfView = x },
			"cohesion radius":   func(f *flocking, e ecs.Entity) { testkit.ComponentOf[c.Cohesion](f.stage, e).NeighborDist = x },
			"cohesion gain":     func(f *flocking, e ecs.Entity) { testkit.ComponentOf[c.Cohesion](f.stage, e).Gain = x },
			"horizon": func(f *flocking, e ecs.Entity) {
				testkit.ComponentOf[c.UnalignedCollisionAvoidance](f.stage, e).Horizon = x
			},
			"clearance": func(f *flocking, e ecs.Entity) {
				testkit.ComponentOf[c.UnalignedCollisionAvoidance](f.stage, e).Clearance = x
			},
			"radius":    func(f *flocking, e ecs.Entity) { testkit.ComponentOf[c.Radius](f.stage, e).Meters = x },
			"max speed": func(f *flocking, e ecs.Entity) { testkit.ComponentOf[c.Limits](f.stage, e).MaxSpeed = x },
		} {
			f, all := run(func(f *flocking, e ecs.Entity) {
				for _, comp := range []any{c.Separation{Gain: 1, NeighborDist: 5}, c.Alignment{Gain: 1, NeighborDist: 5}, c.Cohesion{Gain: 1, NeighborDist: 5},
					c.UnalignedCollisionAvoidance{Gain: 1, NeighborDist: 9, Horizon: 3}, c.Radius{Meters: 1}} {
					if id := ecs.TypeID(f.World, reflect.TypeOf(comp)); !f.Has(e, id) {
						Add(f.World, e, comp)
					}
				}
				bad(f, e)
			}, false)
			for i, e := range all {
				if p := testkit.ComponentOf[c.Position](f.stage, e).Vec; !vec.Finite(p) || !vec.Finite(testkit.ComponentOf[c.Velocity](f.stage, e).Vec) {
					t.Errorf("%s %v: agent %d: got position %v, want a finite position and velocity", name, x, i, p)
				}
			}
		}
	}
}

// TestFlockingMovesWithTheWorld verifies that rules move with the world, and turn with it by quarter turns,
// bit for bit.
func TestFlockingMovesWithTheWorld(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	coordinate := func() float64 { return float64(r.IntN(1<<13)-1<<12) * 0x1p-10 }
	for range 2000 {
		var others []sense.Neighbor
		for range 1 + r.IntN(9) {
			others = append(others, sense.Neighbor{Position: xy(coordinate(), coordinate()), Velocity: xy(coordinate(), coordinate()), Radius: r.Float64()})
		}
		agents, places := company(xy(coordinate(), coordinate()), others...)
		rules := func() (all [4]r2.Vec) {
			return [4]r2.Vec{pushOf(ptr(sense.SumsOf(sense.AgentsOf(agents...), 0, places, 8)), 8), sense.SumsOf(sense.AgentsOf(agents...), 0, places, 8).Velocity, pullOf(ptr(sense.SumsOf(sense.AgentsOf(agents...), 0, places, 8)), 8), makeWay(sense.AgentsOf(agents...), 0, places, 5, 0.5)}
		}
		want := rules()
		if got := [3]float64{vec.Norm(want[0]), vec.Norm(want[2])}; max(got[0], got[1]) > 1+1e-14 {
			t.Fatalf("%v: push and pull: got=%v, want at most 1", agents, got)
		}
		for quarter := range 4 {
			offset := xy(float64(r.IntN(1<<30)), -float64(r.IntN(1<<30)))
			for i := range agents {
				agents[i].Position = vec.Add(agents[i].Position, offset)
			}
			if got := rules(); got != want {
				t.Fatalf("%v, moved by %v: got=%v, want=%v", agents, offset, got, want)
			}
			for i := range agents {
				agents[i].Position, agents[i].Velocity = vec.Left(vec.Sub(agents[i].Position, offset)), vec.Left(agents[i].Velocity)
			}
			for i := range want {
				want[i] = vec.Left(want[i])
			}
			if got := rules(); got != want {
				t.Fatalf("%v, turn %d: got=%v, want=%v", agents, quarter, got, want)
			}
		}
	}
}
