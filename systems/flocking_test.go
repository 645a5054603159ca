package systems

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// company returns an agent at the origin with velocity v and its neighbors, and the indexes of the
// neighbors.
func company(v r2.Vec, others ...sense.Neighbor) (agents []sense.Neighbor, places []uint32) {
	agents = append([]sense.Neighbor{{ID: 1, Velocity: v}}, others...)
	for i := range others {
		agents[i+1].ID = uint64(i + 2)
		places = append(places, uint32(i+1))
	}
	return agents, places
}

func sumsOf(agents []sense.Neighbor, place uint32, places []uint32, radius float64) *sense.Sums {
	sums := sense.SumsOf(sense.AgentsOf(agents...), place, places, radius)
	return &sums
}

type meanVelocity struct {
	r2.Vec
	some bool
}

func meanOf(f *sense.Sums) meanVelocity { return meanVelocity{f.Velocity, f.N > 0} }

func still(x, y float64) sense.Neighbor { return sense.Neighbor{Position: xy(x, y)} }

func TestPushAndPull(t *testing.T) {
	for _, tc := range []struct {
		name   string
		rule   func(*sense.Sums, float64) r2.Vec
		others []sense.Neighbor
		radius float64
		want   r2.Vec
	}{
		{"none pushes", pushOf, nil, 4, xy(0, 0)},
		{"at the radius nothing pushes", pushOf, []sense.Neighbor{still(4, 0)}, 4, xy(0, 0)},
		{"near the radius: 4/3.2 - 3.2/4", pushOf, []sense.Neighbor{still(0, 3.2)}, 4, xy(0, -0.45)},
		{"near: at most 1", pushOf, []sense.Neighbor{still(1, 0)}, 4, xy(-1, 0)},
		{"two from opposite sides", pushOf, []sense.Neighbor{still(1, 0), still(-1, 0)}, 4, xy(0, 0)},
		{"two at right angles", pushOf, []sense.Neighbor{still(3.2, 0), still(0, 3.2)}, 4, xy(-0.45, -0.45)},
		{"the nearer one dominates", pushOf, []sense.Neighbor{still(2, 0), still(-3.2, 0)}, 4, xy(-1, 0)},
		{"very near", pushOf, []sense.Neighbor{still(0, 1e-300)}, 4, xy(0, -1)},
		{"all very near, opposite", pushOf, []sense.Neighbor{still(0, 1e-300), still(0, -1e-13)}, 4, xy(0, 0)},
		{"a tiny radius", pushOf, []sense.Neighbor{still(1e-300, 0)}, 1e-300, xy(-1, 0)},
		{"a huge radius", pushOf, []sense.Neighbor{still(3, 4)}, 1e300, xy(-0.6, -0.8)},

		{"none pulls", pullOf, nil, 4, xy(0, 0)},
		{"one at the radius", pullOf, []sense.Neighbor{still(0, 4)}, 4, xy(0, 1)},
		{"one half as far", pullOf, []sense.Neighbor{still(2, 0)}, 4, xy(0.5, 0)},
		{"in the middle", pullOf, []sense.Neighbor{still(2, 0), still(-2, 0)}, 4, xy(0, 0)},
		{"the middle of two", pullOf, []sense.Neighbor{still(2, 0), still(0, 2)}, 4, xy(0.25, 0.25)},
		{"same place", pullOf, []sense.Neighbor{still(0, 0)}, 4, xy(0, 0)},
		{"a tiny radius", pullOf, []sense.Neighbor{still(1e-320, 0)}, 1e-320, xy(1, 0)},
	} {
		agents, places := company(xy(5, 5), tc.others...)
		testkit.Near(t, tc.rule(sumsOf(agents, 0, places, tc.radius), tc.radius), tc.want, 1e-12, "%s", tc.name)
	}
}

func TestSeparateSamePlace(t *testing.T) {
	ways := map[r2.Vec]bool{}
	for _, ids := range [][2]uint64{{1, 2}, {2, 1}, {1, 3}, {0, math.MaxUint64}, {7, 7}} {
		w := ecs.NewWorld()
		agents := []sense.Neighbor{{ID: ids[0], Entity: w.NewEntity()}, {ID: ids[1], Entity: w.NewEntity()}}
		a, b := pushOf(sumsOf(agents, 0, []uint32{1}, 2), 2), pushOf(sumsOf(agents, 1, []uint32{0}, 2), 2)
		if a != vec.Scale(-1, b) || math.Abs(vec.Norm(a)-1) > 1e-12 {
			t.Errorf("IDs %v: got=%v, %v, want opposite vectors of length 1", ids, a, b)
		}
		ways[a] = true
	}
	testkit.Equal(t, len(ways), 5, "number of different directions")
	crowded, places := company(r2.Vec{}, still(0, 0), still(0, 0), still(0, 0))
	if got := vec.Norm(pushOf(sumsOf(crowded, 0, places, 2), 2)); !(got > 0 && got <= 1+1e-12) {
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
		testkit.Equal(t, meanOf(sumsOf(agents, 0, places, 4)), tc.want, "%s", tc.name)
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
		slices.Reverse(places)
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

// motley returns the components of an agent, drawn at random from its ID.
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

// inView defines the field of view. A cosine of -1 or less means all around.
func inView(heading, offset r2.Vec, cosine float64) bool {
	if cosine <= -1 || heading == (r2.Vec{}) || offset == (r2.Vec{}) {
		return true
	}
	h, o := vec.Norm(heading), vec.Norm(offset)
	return vec.Dot(vec.Scale(1/h, heading), vec.Scale(1/o, offset)) >= cosine && !math.IsNaN(cosine)
}

// TestFlockingBruteForce compares each rule with a loop over all agents. Results may differ by rounding
// if all agents have the same parameters.
func TestFlockingBruteForce(t *testing.T) {
	alike := func(id uint64) []any {
		return append(motley(id)[:5:5], c.Separation{Gain: 1, NeighborDist: 3}, c.Cohesion{Gain: 1, NeighborDist: 3})
	}
	for _, tc := range []struct {
		name      string
		agent     func(id uint64) []any
		n, steps  int
		tolerance float64
	}{{"motley", motley, 400, 1, 0}, {"alike", alike, 200, 2, 1e-12}} {
		f := newFlocking(t, &Integration{})
		var all []ecs.Entity
		for id := range uint64(tc.n) {
			all = append(all, f.Put(tc.agent(id)...))
		}
		f.Steps(tc.steps)
		var agents []sense.Neighbor
		for i := range f.neighbors.Len() {
			agents = append(agents, f.neighbors.At(uint32(i)))
		}
		seen := 0
		minded := func(place uint32, radius, view float64, most uint32) (places []uint32) {
			self := &agents[place]
			var found []sense.NeighborHit
			for i := range agents {
				to := vec.Sub(agents[i].Position, self.Position)
				_, cosine := math.Sincos(view / 2)
				visible := view == 0 || view >= 2*math.Pi || inView(self.Velocity, to, cosine)
				if d := vec.Norm(to); uint32(i) != place && d <= radius && visible && agents[i].On&self.Sees != 0 {
					found = append(found, sense.NeighborHit{Index: uint32(i), Distance: d})
				}
			}
			f.neighbors.Within(self.Position, radius, self.Entity, func(o sense.Neighbor) bool {
				i, _ := f.neighbors.Index(o.Entity)
				if slices.ContainsFunc(found, func(x sense.NeighborHit) bool { return x.Index == i }) {
					places = append(places, i)
				}
				return true
			})
			if len(places) != len(found) {
				t.Fatalf("%s: agent %d: got=%v neighbors, want=%v", tc.name, self.ID, len(places), len(found))
			}
			seen += len(places)
			if most == 0 || len(found) <= int(most) {
				return places
			}
			slices.SortFunc(found, func(a, b sense.NeighborHit) int {
				return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(agents[a.Index].ID, agents[b.Index].ID))
			})
			places = places[:0]
			for _, x := range found[:most] {
				places = append(places, x.Index)
			}
			return places
		}
		for _, e := range all {
			place, ok := f.neighbors.Index(e)
			if !ok {
				t.Fatalf("%s: entity %v: got no index in the snapshot, want one", tc.name, e)
			}
			name := fmt.Sprintf("%s: agent %d", tc.name, agents[place].ID)
			if par := testkit.ComponentOf[c.Separation](f.stage, e); par != nil {
				sums := sumsOf(agents, place, minded(place, par.NeighborDist, par.FieldOfView, par.MaxNeighbors), par.NeighborDist)
				got := pushOf(f.separation.near.Answer(place), par.NeighborDist)
				testkit.Near(t, got, pushOf(sums, par.NeighborDist), tc.tolerance, "%s: separation", name)
			}
			if par := testkit.ComponentOf[c.Alignment](f.stage, e); par != nil {
				sums := sumsOf(agents, place, minded(place, par.NeighborDist, par.FieldOfView, par.MaxNeighbors), par.NeighborDist)
				testkit.Equal(t, meanOf(f.alignment.near.Answer(place)), meanOf(sums), "%s: alignment", name)
			}
			if par := testkit.ComponentOf[c.Cohesion](f.stage, e); par != nil {
				sums := sumsOf(agents, place, minded(place, par.NeighborDist, par.FieldOfView, par.MaxNeighbors), par.NeighborDist)
				got := pullOf(f.cohesion.near.Answer(place), par.NeighborDist)
				testkit.Near(t, got, pullOf(sums, par.NeighborDist), tc.tolerance, "%s: cohesion", name)
			}
			if par := testkit.ComponentOf[c.UnalignedCollisionAvoidance](f.stage, e); par != nil {
				want := makeWay(sense.AgentsOf(agents...), place, minded(place, par.NeighborDist, par.FieldOfView, 0), par.Horizon, par.Clearance)
				testkit.Equal(t, *f.avoidance.near.Answer(place), want, "%s: avoidance", name)
			}
		}
		if seen < 4*tc.n {
			t.Errorf("%s: neighbors: got=%v, want=%v or more, or nothing is tested", tc.name, seen, 4*tc.n)
		}
	}
}

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

func TestFlockingBadValues(t *testing.T) {
	run := func(bad func(s *stage, e ecs.Entity)) (*stage, []ecs.Entity) {
		f := newFlocking(t, &Integration{})
		var all []ecs.Entity
		for id := range uint64(60) {
			all = append(all, f.Put(motley(id)...))
		}
		f.Steps(3)
		bad(f.stage, all[7])
		f.Steps(5)
		return f.stage, all
	}
	clean, _ := run(func(s *stage, e ecs.Entity) { s.RemoveEntity(e) })
	for _, tc := range []struct {
		name   string
		unseen bool // other agents do not see the agent
		number func(s *stage, e ecs.Entity) *float64
	}{
		{"position", true, func(s *stage, e ecs.Entity) *float64 { return &testkit.ComponentOf[c.Position](s, e).X }},
		{"velocity", true, func(s *stage, e ecs.Entity) *float64 { return &testkit.ComponentOf[c.Velocity](s, e).Y }},
		{"separation radius", false, func(s *stage, e ecs.Entity) *float64 { return &testkit.ComponentOf[c.Separation](s, e).NeighborDist }},
		{"alignment view", false, func(s *stage, e ecs.Entity) *float64 { return &testkit.ComponentOf[c.Alignment](s, e).FieldOfView }},
		{"cohesion radius", false, func(s *stage, e ecs.Entity) *float64 { return &testkit.ComponentOf[c.Cohesion](s, e).NeighborDist }},
		{"cohesion gain", false, func(s *stage, e ecs.Entity) *float64 { return &testkit.ComponentOf[c.Cohesion](s, e).Gain }},
		{"horizon", false, func(s *stage, e ecs.Entity) *float64 {
			return &testkit.ComponentOf[c.UnalignedCollisionAvoidance](s, e).Horizon
		}},
		{"clearance", false, func(s *stage, e ecs.Entity) *float64 {
			return &testkit.ComponentOf[c.UnalignedCollisionAvoidance](s, e).Clearance
		}},
		{"radius", false, func(s *stage, e ecs.Entity) *float64 { return &testkit.ComponentOf[c.Radius](s, e).Meters }},
		{"max speed", false, func(s *stage, e ecs.Entity) *float64 { return &testkit.ComponentOf[c.Limits](s, e).MaxSpeed }},
	} {
		for _, x := range []float64{nan, inf, -inf} {
			s, all := run(func(s *stage, e ecs.Entity) {
				for _, comp := range []any{c.Separation{Gain: 1, NeighborDist: 5}, c.Alignment{Gain: 1, NeighborDist: 5}, c.Cohesion{Gain: 1, NeighborDist: 5},
					c.UnalignedCollisionAvoidance{Gain: 1, NeighborDist: 9, Horizon: 3}, c.Radius{Meters: 1}} {
					if !s.Has(e, ecs.TypeID(s.World, reflect.TypeOf(comp))) {
						Add(s.World, e, comp)
					}
				}
				*tc.number(s, e) = x
			})
			for i, e := range all {
				p, v := testkit.ComponentOf[c.Position](s, e).Vec, testkit.ComponentOf[c.Velocity](s, e).Vec
				if tc.unseen && i == 7 {
					continue
				}
				if !vec.Finite(p) || !vec.Finite(v) {
					t.Errorf("%s %v: agent %d: got=%v, %v, want=a finite position and velocity", tc.name, x, i, p, v)
				}
				if tc.unseen {
					testkit.Equal(t, p, testkit.ComponentOf[c.Position](clean, e).Vec, "%s %v: position of agent %d", tc.name, x, i)
				}
			}
		}
	}
}

func TestFlockingMovesWithTheWorld(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	coordinate := func() float64 { return float64(r.IntN(1<<13)-1<<12) * 0x1p-10 }
	for range 2000 {
		var others []sense.Neighbor
		for range 1 + r.IntN(9) {
			others = append(others, sense.Neighbor{Position: xy(coordinate(), coordinate()), Velocity: xy(coordinate(), coordinate()), Radius: r.Float64()})
		}
		agents, places := company(xy(coordinate(), coordinate()), others...)
		rules := func() [4]r2.Vec {
			sums := sumsOf(agents, 0, places, 8)
			return [4]r2.Vec{pushOf(sums, 8), sums.Velocity, pullOf(sums, 8), makeWay(sense.AgentsOf(agents...), 0, places, 5, 0.5)}
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
