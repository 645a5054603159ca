package sense_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

type aBody struct {
	at            r2.Vec
	radius, share float64
}

// jam returns 12 by 12 bodies in front of the door at y = 5.
func jam(share float64) (all []aBody) {
	for i := range 144 {
		all = append(all, aBody{r2.Vec{X: -0.5 - 0.5*float64(i%12), Y: 2 + 0.5*float64(i/12)}, 0.25, share})
	}
	return all
}

// crowdedField returns a field through a wall along x = 0 with doors at y = 5 and -15.
func crowdedField(t *testing.T, every float64) *sense.Fields {
	t.Helper()
	return crowdedFields(t, sense.FlowField{Radius: 0.25, Every: every})
}

func crowdedFields(t *testing.T, fields ...sense.FlowField) *sense.Fields {
	t.Helper()
	w, err := world.New(world.Default())
	testkit.Must(t, err)
	t.Cleanup(w.Close)
	for _, wall := range [][2]float64{{-30, -16}, {-14, 4}, {6, 30}} {
		_, err := w.AddObstacle(r2.Vec{Y: wall[0]}, c.Obstacle{Span: r2.Vec{Y: wall[1] - wall[0]}, Radius: 0.1})
		testkit.Must(t, err)
	}
	for _, f := range fields {
		f.Goals = []r2.Box{r2.NewBox(6, -30, 8, 30)}
		_, err := w.AddFlowField(f)
		testkit.Must(t, err)
	}
	testkit.Must(t, w.Step())
	return w.Fields
}

// look makes a field count bodies from one time to another, in s.
func look(f *sense.Fields, all []aBody, from, to float64) {
	for step := int(math.Round(from * 60)); step < int(math.Round(to*60)); step++ {
		if f.Look(float64(step) / 60) {
			for _, b := range all {
				f.Visit(b.at, b.radius, b.share)
			}
		}
		f.Update()
	}
}

// The path must lead through the nearer door, except while a jam that does not move forward is in front of
// it.
func TestCrowding(t *testing.T) {
	nearer := func(f *sense.Fields) bool { return f.Path(0, r2.Vec{X: -4, Y: 1})[0].Y > 1 }
	for _, x := range []struct {
		name   string
		every  float64
		all    []aBody
		nearer bool
	}{
		{"none", 1, nil, true},
		{"a jam that moves", 1, jam(1), true},
		{"a jam that stands", 1, jam(0), false},
		{"a jam that is pushed back", 1, jam(math.Inf(-1)), false},
		{"a jam of which nothing is known", 1, jam(math.NaN()), false},
		{"a jam and the shortest way", 0, jam(0), true},
		{"points", 1, []aBody{{r2.Vec{X: -1, Y: 5}, 0, 0}}, true},
		{"bodies without a place", 1, []aBody{{r2.Vec{X: math.NaN(), Y: math.Inf(1)}, 1, 0}}, true},
	} {
		f := crowdedField(t, x.every)
		if got := f.Look(1.5) && f.Look(9); got != (x.every > 0) {
			t.Errorf("%s: got=%v from Look, want=%v", x.name, got, x.every > 0)
		}
		f = crowdedField(t, x.every)
		before, _ := f.Read(0, r2.Vec{X: -4, Y: 5})
		look(f, x.all, 0, 4)
		testkit.Equal(t, nearer(f), x.nearer, "%s: through the nearer door", x.name)
		after, _ := f.Read(0, r2.Vec{X: -4, Y: 5})
		if (before == after) != x.nearer {
			t.Errorf("%s: length: got=%v m, before: %v m, want unchanged=%v", x.name, after, before, x.nearer)
		}
		look(f, nil, 4, 30)
		if !nearer(f) {
			t.Errorf("%s: got a path through the other door after the jam has gone, want the nearer door", x.name)
		}
	}
}

func TestCrowdingOrder(t *testing.T) {
	all := jam(0.3)
	for i := range all {
		all[i].share = 1 / float64(i+3)
		all[i].at.X += 1 / float64(i+7)
	}
	ways := func() []float32 {
		f := crowdedField(t, 1)
		look(f, all, 0, 3)
		g, _ := f.Grid(0)
		return g.Distances
	}
	want := ways()
	if slices.Reverse(all); !slices.Equal(ways(), want) {
		t.Error("in reverse order of bodies: got a different field, want the same")
	}
}

func TestCrowdingWork(t *testing.T) {
	f := crowdedField(t, 1)
	all := jam(0.2)
	look(f, all, 0, 5)
	before := f.Changes()
	look(f, all, 5, 15)
	if got := f.Changes() - before; got != 10 {
		t.Errorf("got=%d new fields in 10 s, want=10", got)
	}
	at := 15.
	testkit.NoAllocs(t, 5, func() { look(f, all, at, at+1); at++ })
	next := func() (steps int) {
		for now := f.Changes(); f.Changes() == now; steps++ {
			look(f, all, at, at+1./60)
			at += 1. / 60
		}
		return steps
	}
	next()
	g, _ := f.Grid(0)
	f.Cells = len(g.Distances) / 20
	if got, want := next(), 60+20+20/4-2; got < want {
		t.Errorf("with a twentieth of the cells per step: got=%d steps, want=%d or more", got, want)
	}
}

// A field must not change, even beside walls, while its successor is computed.
func TestCrowdingSteady(t *testing.T) {
	f := crowdedField(t, 1)
	look(f, jam(0.2), 0, 3)
	reads := func() (all [60]float64) {
		for i := range all {
			all[i], _ = f.Read(0, r2.Vec{X: -0.35, Y: 0.1 * float64(i)})
		}
		return all
	}
	g, _ := f.Grid(0)
	f.Cells = len(g.Distances) / 20
	want, changes, at := reads(), f.Changes(), 3.
	for look(f, nil, at, at+1./60); f.Changes() == changes; look(f, nil, at, at+1./60) {
		if got := reads(); got != want {
			t.Fatalf("%.2f s: lengths: got=%v, want=%v", at, got, want)
		}
		at += 1. / 60
	}
	if reads() == want {
		t.Error("the next field: got the same lengths, want others")
	}
}

// Other fields must not affect a field, whether or not they share its counts.
func TestCrowdingOfMany(t *testing.T) {
	rows := []sense.FlowField{{Radius: 0.25}, {Radius: 0.25, Every: 1}, {Radius: 0.3, Every: 1}, {Radius: 0.25, Every: 1}, {Radius: 0.25, Every: 0.5}, {Radius: 0.25, Cell: 0.3, Every: 1}, {Radius: 0.45, Cell: 0.25, Every: 1}}
	grids := func(rows ...sense.FlowField) (all []sense.FieldGrid) {
		f := crowdedFields(t, rows...)
		f.Cells = 1 << 30
		for k := range 20 { // the jam becomes slower
			look(f, jam(1/float64(k+2)), float64(k)*0.16, float64(k+1)*0.16)
		}
		for i := range rows {
			g, _ := f.Grid(uint32(i))
			all = append(all, g)
		}
		return all
	}
	for i, got := range grids(rows...) {
		if want := grids(rows[i])[0]; !slices.Equal(got.Distances, want.Distances) {
			t.Errorf("field %d, %+v: distances differ from those of the field alone, want the same", i, rows[i])
		}
	}
}

func TestFlowFieldEvery(t *testing.T) {
	for every, valid := range map[float64]bool{0: true, 2: true, -1: false, math.NaN(): false, math.Inf(1): false} {
		err := (&sense.FlowField{Goals: []r2.Box{{}}, Every: every}).Check()
		want := fmt.Sprintf("every of flow field is %v s, want a finite number, 0 or more", every)
		if (err == nil) != valid || err != nil && err.Error() != want {
			t.Errorf("every %v: got=%v, want valid=%v, and if not, %q", every, err, valid, want)
		}
	}
}
