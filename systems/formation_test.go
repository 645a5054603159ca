package systems_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// Three guards follow an agent that walks north, in a column 2 m apart.
func ExampleFormationKeeping() {
	w := ecs.NewWorld()
	leader := spawn(&w, c.Position{Vec: r2.Vec{Y: 10}}, c.Velocity{Vec: r2.Vec{Y: 1}})
	for x := range 3 {
		spawn(&w, c.Position{Vec: r2.Vec{X: float64(x), Y: float64(x)}}, c.Target{},
			c.Formation{Leader: c.TrackedEntity{Entity: leader}, Spacing: 2, Files: 1, TurnRate: 1})
	}
	f := frame.New(&systems.FormationKeeping{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w) // assigns their places
	f.Update(&w)

	for q := generic.NewFilter2[c.Formation, c.Target]().Query(&w); q.Next(); {
		form, target := q.Get()
		fmt.Println(form.Number, target.Vec)
	}
	// Output:
	// 3 {0 4}
	// 2 {0 6}
	// 1 {0 8}
}

type drill struct {
	*testkit.Stage
	leaders []ecs.Entity
	members []ecs.Entity // by ID
}

// newDrill returns formations, each with a leader and the given number of members, at random positions.
// The rows of members are in order of ID or, if reverse is true, in reverse order.
func newDrill(t testing.TB, formations, members int, reverse bool, form c.Formation) *drill {
	s := testkit.NewStage(t, 0.1, &systems.FormationKeeping{}, &systems.Seek{}, &systems.Arrival{}, &systems.Integration{})
	s.Give = systems.Add
	d := &drill{Stage: s, members: make([]ecs.Entity, formations*members)}
	for k := range formations {
		d.leaders = append(d.leaders, d.Put(c.Position{Vec: r2.Vec{X: 100 * float64(k)}}, c.Velocity{Vec: r2.Vec{Y: 1}}))
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	places := make([]r2.Vec, len(d.members))
	for i := range places {
		places[i] = r2.Vec{X: 100*float64(i%formations) + 60*rnd.Float64(), Y: 60 * rnd.Float64()}
	}
	for i := range places {
		if reverse {
			i = len(places) - 1 - i
		}
		form.Leader.Entity = d.leaders[i%formations]
		d.members[i] = d.Put(c.Agent{ID: uint64(i + 1)}, c.Position{Vec: places[i]}, c.Velocity{}, c.Target{}, form,
			c.Limits{MaxSpeed: 5, MaxForce: math.Inf(1)}, c.Steering{}, c.Arrival{Gain: 5, SlowingRadius: 1}, c.Seek{})
	}
	return d
}

func of[T any](d *drill, e ecs.Entity) *T { return testkit.ComponentOf[T](d.Stage, e) }

func (d *drill) off() (most float64) {
	for _, e := range d.members {
		if d.Alive(e) {
			most = max(most, vec.Norm(vec.Sub(of[c.Target](d, e).Vec, of[c.Position](d, e).Vec)))
		}
	}
	return most
}

var block = c.Formation{Spacing: 1.5, Files: 10, Distance: 2, TurnRate: 0.5, Lead: 0.2}

func TestFormationKept(t *testing.T) {
	d := newDrill(t, 3, 50, false, block)
	d.Steps(400)
	for k, leader := range d.leaders {
		taken := map[uint32]bool{}
		for i := k; i < len(d.members); i += len(d.leaders) {
			f := of[c.Formation](d, d.members[i])
			if f.Leader.Entity != leader || f.Of != 50 || f.Number < 1 || f.Number > 50 || taken[f.Number] {
				t.Fatalf("member %d: got=place %d of %d, want=a different place of 50", i, f.Number, f.Of)
			}
			taken[f.Number] = true
		}
	}
	if off := d.off(); off > 0.25 { // includes the lead
		t.Errorf("distance from the target: got=%.2f m, want at most 0.25 m", off)
	}
}

func TestFormationRowOrder(t *testing.T) {
	a, b := newDrill(t, 4, 60, false, block), newDrill(t, 4, 60, true, block)
	for i := range a.members[:120] { // some stand at the same position
		of[c.Position](a, a.members[i]).Vec, of[c.Position](b, b.members[i]).Vec = r2.Vec{}, r2.Vec{}
	}
	for range 10 {
		a.Steps(5)
		b.Steps(5)
		for i := range a.members {
			testkit.Equal(t, of[c.Formation](b, b.members[i]).Number, of[c.Formation](a, a.members[i]).Number, "member %d: place", i)
			testkit.Equal(t, of[c.Position](b, b.members[i]).Vec, of[c.Position](a, a.members[i]).Vec, "member %d: position", i)
		}
	}
}

func TestFormationClosesUp(t *testing.T) {
	d := newDrill(t, 2, 30, false, block)
	d.Steps(100)
	numbers := func() (all []uint32) {
		for _, e := range d.members {
			if d.Alive(e) {
				all = append(all, of[c.Formation](d, e).Number)
			}
		}
		return all
	}
	before := numbers()
	d.Steps(100)
	testkit.Equal(t, fmt.Sprint(numbers()), fmt.Sprint(before), "places after no member has left")
	for i, e := range d.members { // last place of the first formation
		if f := of[c.Formation](d, e); i%2 == 0 && f.Number == f.Of {
			d.RemoveEntity(e)
			break
		}
	}
	d.Steps(1)
	for i, e := range d.members {
		want := uint32(30 - (i+1)%2)
		if d.Alive(e) && (of[c.Formation](d, e).Of != want || of[c.Formation](d, e).Number > want) {
			t.Errorf("member %d: got=%+v, want=a place of %d", i, *of[c.Formation](d, e), want)
		}
	}
}

func TestFormationWheels(t *testing.T) {
	d := newDrill(t, 1, 20, false, block)
	d.Steps(50)
	lead := of[c.Velocity](d, d.leaders[0])
	course := func() r2.Vec { return of[c.Formation](d, d.members[7]).Course }
	lead.Vec = r2.Vec{X: 1, Y: 0.1}
	d.Steps(10)
	testkit.Near(t, vec.Angle(course(), r2.Vec{Y: 1}), 0.5, 1e-9, "turn after 1 s, rad")
	d.Steps(30)
	testkit.Equal(t, vec.Angle(course(), lead.Vec), 0, "angle to go after 4 s, rad")
	before := of[c.Formation](d, d.members[7]).Number
	lead.Vec = r2.Vec{X: -1}
	d.Steps(2)
	testkit.Equal(t, course(), r2.Vec{X: -1}, "turned about: course")
	if after := of[c.Formation](d, d.members[7]).Number; after == before {
		t.Errorf("turned about: got=the same place %d, want=a different place", after)
	}
}

func TestFormationLead(t *testing.T) {
	form := c.Formation{
		Leader: c.TrackedEntity{Velocity: r2.Vec{X: 1}, Seen: true}, Spacing: 1, Own: true, Slot: r2.Vec{Y: 10},
		TurnRate: 0.5, Lead: 2, Course: r2.Vec{X: 1}, Facing: r2.Vec{Y: 1},
	}
	s, target := &systems.FormationKeeping{}, make([]c.Target, 1)
	s.Run(frame.BatchOf(frame.Clock{Dt: 1e-3}, s, frame.Over(make([]c.Position, 1)), frame.Over([]c.Formation{form}), frame.Over(target)))
	// At 10 m to the left of a leader that goes east, a turn to the left takes the place west at 5 m/s.
	testkit.Near(t, target[0].Vec, r2.Vec{X: 2 * (1 - 5), Y: 10}, 0.014, "target")
}

func TestFormationTopSpeed(t *testing.T) {
	form := block
	form.TopSpeed, form.Lead = 3, 0.5
	d := newDrill(t, 1, 20, false, form)
	for _, e := range d.members { // with arrival, which slows down by itself, the limit is higher
		of[c.Seek](d, e).Gain, of[c.Arrival](d, e).Gain = 5, 0
	}
	d.Steps(2)
	testkit.Equal(t, of[c.Limits](d, d.members[0]).MaxSpeed, 3, "far off: MaxSpeed")
	d.Steps(600)
	for i, e := range d.members {
		testkit.Near(t, of[c.Limits](d, e).MaxSpeed, 1, 0.01, "member %d, in place: MaxSpeed, that of the leader", i)
	}
}

func TestFormationWithoutLeader(t *testing.T) {
	d := newDrill(t, 1, 5, false, block)
	d.Steps(5)
	d.RemoveEntity(d.leaders[0])
	target := of[c.Target](d, d.members[0]).Vec
	d.Steps(20)
	testkit.Equal(t, of[c.Target](d, d.members[0]).Vec, target, "target")
}
