package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/formats/recorded"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestSpaced(t *testing.T) {
	area := box(-3, 2, 5, 6)
	for _, density := range []float64{0, 0.1, 1, 3, 4, 5} {
		n := int(density * 32)
		place := func() ([]float64, []r2.Vec, error) {
			r := rand.New(rand.NewPCG(9, 9))
			radii := make([]float64, n)
			for i := range radii {
				radii[i] = 0.18 + 0.05*r.Float64()
			}
			at, err := spaced(t.Context(), r, hall{area}, radii)
			return radii, at, err
		}
		radii, at, err := place()
		if err != nil {
			t.Errorf("%v people/m²: got=%v, want places", density, err)
			continue
		}
		_, again, _ := place()
		for i, p := range at {
			if p != again[i] {
				t.Fatalf("%v people/m²: got=%v the second time, want=%v as before", density, again[i], p)
			}
			if m := radii[i]; p.X < area.Min.X+m || p.X > area.Max.X-m || p.Y < area.Min.Y+m || p.Y > area.Max.Y-m {
				t.Errorf("%v people/m²: got=%v, want the body of %v m inside the box", density, p, m)
			}
			for j := range i {
				if gap := vec.Norm(vec.Sub(p, at[j])) - radii[i] - radii[j]; gap < 0 {
					t.Errorf("%v people/m²: got=%v m between two bodies, want 0 or more", density, gap)
				}
			}
		}
	}
}

func TestNoRoom(t *testing.T) {
	some := func(n int) []float64 {
		radii := make([]float64, n)
		for i := range radii {
			radii[i] = 0.25
		}
		return radii
	}
	run := Run{t.Context(), scene.DefaultModel, 1}
	for name, test := range map[string]struct {
		run  func() error
		want string
	}{
		"box": {func() error {
			_, err := spaced(t.Context(), rand.New(rand.NewPCG(1, 1)), hall{box(0, 0, 10, 1)}, some(60))
			return err
		}, "6.0 people per m² do not fit: their bodies would cover 118% of the space"},
		"box, nearly": {func() error {
			_, err := spaced(t.Context(), rand.New(rand.NewPCG(1, 1)), hall{box(0, 0, 10, 1)}, some(44))
			return err
		}, "4.4 people per m² do not fit: their bodies would cover 86% of the space"},
		"corridor":    {func() error { _, err := WalkStraight(run, 9); return err }, "9.0 people per m² do not fit"},
		"loop":        {func() error { _, err := WalkLoop(run, 9); return err }, "9.0 people per m² do not fit"},
		"single file": {func() error { _, err := WalkSingleFile(run, 5); return err }, "5.0 people per m do not fit"},
	} {
		err := test.run()
		if !errors.As(err, new(NoRoomError)) || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: got=%v, want a NoRoomError that begins with %q", name, err, test.want)
		}
	}
}

func TestEndsEarly(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	run := Run{ctx, scene.DefaultModel, 1}
	for name, walk := range map[string]func() error{
		"gate":     func() error { _, err := WalkGate(run, 0.7, 20); return err },
		"door":     func() error { _, err := WalkDoor(run, 1); return err },
		"sides":    func() error { _, err := WalkTwoSides(run, 10); return err },
		"ways":     func() error { _, err := WalkTwoWays(run, 20, 5, 60, 10); return err },
		"corridor": func() error { _, err := WalkStraight(run, 0.5); return err },
		"loop":     func() error { _, err := WalkLoop(run, 0.5); return err },
		"overtake": func() error { _, err := Overtake(run); return err },
		"jam":      func() error { _, err := Bottleneck(run); return err },
		"safety":   func() error { _, err := RunSafety(run, "bottleneck"); return err },
	} {
		if err := walk(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got=%v, want=%v", name, err, context.Canceled)
		}
	}
}

func TestReadGate(t *testing.T) {
	var text strings.Builder
	for person := range 11 {
		for frame := range 16 * 8 { // one person every half second, from y = 8 m downward at 1.6 m/s
			fmt.Fprintf(&text, "%d %d 90 %d 170\n", person, 8*person+frame, 800-10*frame)
		}
	}
	g, err := ReadGate(strings.NewReader(text.String()), "f")
	testkit.Must(t, err)
	near := func(a, b float64) bool { return math.Abs(a-b) < 0.02 }
	if g.People != 11 || g.Passed != 11 || !near(g.Flow, 2) || !near(g.Speed, 1.6) || math.Abs(g.Density-2/(1.6*1.8)) > 0.05 || len(g.Gaps) != 10 || !near(g.Gaps[3], 0.5) || !near(g.Times[10], 5) || g.Times[0] != 0 {
		t.Errorf("got=%+v, want 11 people that pass in 5 s at 1.6 m/s", g)
	}
	for _, at := range g.Jam {
		if at.X > hallEnds || at.Y != 0 {
			t.Errorf("got=%v in the jam, want y = 0 and x up to %v", at, hallEnds)
		}
	}
	if _, err := ReadGate(strings.NewReader("1 2"), "f"); err == nil || !strings.HasPrefix(err.Error(), "f:1: ") {
		t.Errorf("got=%v, want an error that begins with f:1:", err)
	}
}

func TestTrack(t *testing.T) {
	tr := track{straight: 20, radius: 5, width: 2.4}
	for _, left := range []float64{-1.2, 0, 0.9, 1.2} {
		way, length := tr.line(left)
		sum, area := 0., 0.
		for i, p := range way {
			q := way[(i+1)%len(way)]
			step := vec.Norm(vec.Sub(q, p))
			if step > 0.51 || step < 0.4 {
				t.Errorf("%v m to the left: got=%v m from %v to %v, want=0.4 to 0.51", left, step, p, q)
			}
			sum, area = sum+step, area+vec.Cross(p, q)/2
		}
		turn := tr.radius - left
		if math.Abs(sum/length-1) > 1e-3 || math.Abs(area/(2*turn*tr.straight+math.Pi*turn*turn)-1) > 1e-2 {
			t.Errorf("%v m to the left: got=%v m around %v m², want=%v m around %v m²", left, sum, area, length, 2*turn*tr.straight+math.Pi*turn*turn)
		}
	}
}

func TestStill(t *testing.T) {
	seconds := func(n float64, from r2.Vec, speed float64) Person {
		p := Person{}
		for f := range frames(n) {
			p.At = append(p.At, xy(from.X+speed*float64(f)*Dt, from.Y))
		}
		return p
	}
	r := &Recording{Dt: Dt, Frames: frames(41), People: []Person{
		seconds(41, xy(-20, 0), 0),      // stands
		seconds(41, xy(-20, 1), 0.001),  // almost stands
		seconds(41, xy(-20, 1), 0.0018), // walks 5.4 cm
		seconds(41, xy(-50, 0), 0),      // elsewhere
		seconds(20, xy(-20, 0), 0),      // gone
	}}
	testkit.Equal(t, still(r, frames(10), -35, -10), 2, "people that stand still")
}

func TestMeeting(t *testing.T) {
	walker := func(group int, from, to float64) Person {
		p := Person{Group: group}
		for k := range 101 {
			p.At = append(p.At, xy(from+(to-from)*float64(k)/100, 0))
		}
		return p
	}
	r := &Recording{Dt: 0.1, Frames: 101, People: []Person{walker(0, -10, 5), walker(0, -10, 11), walker(1, 10, -11), walker(1, 10, -9)}}
	testkit.Equal(t, past(r, 10), 2, "past")
	first := math.MaxInt
	counts := func(_ *Person, f int) bool { first = min(first, f); return true }
	if order := orderFrom(r, 5, counts); math.IsNaN(order) || first != 72 { // -10 + 21·0.72 > 5
		t.Errorf("got=%v from frame %d, want a number from frame 72", order, first)
	}
	r.People = r.People[2:]
	if order := orderFrom(r, 5, counts); !math.IsNaN(order) {
		t.Errorf("got=%v, though no person is past, want NaN", order)
	}
}

func TestMeasureCost(t *testing.T) {
	c, err := MeasureCost(t.Context(), scene.DefaultModel)
	if err != nil || !(c.Step > 0 && !math.IsInf(c.Step, 1)) || math.Abs(c.Dt-1./30) > 1e-9 {
		t.Errorf("got=%+v, %v, want a positive cost of steps of 1/30 s", c, err)
	}
}

// TestStepsOfModel runs models that take shorter steps than the scene.
func TestStepsOfModel(t *testing.T) {
	for _, by := range []scene.Model{scene.ModelORCA, scene.ModelSocialForce2000} {
		s := Run{t.Context(), by, 1}.corridor(-4, 14)
		s.Groups = []scene.Group{onePerson(1.25, xy(-2, 0), box(12, -1, 13, 1))}
		r, err := s.record(4)
		testkit.Must(t, err)
		p := &r.People[0]
		if end := p.Place(p.Last()); r.Frames != frames(4)+1 || r.Dt != Dt || math.Abs(end.X-3) > 0.7 {
			t.Errorf("%s: got=%d frames, at %v in the last, want=%d, at about 3 m", by, r.Frames, end, frames(4)+1)
		}
	}
}

func TestRecordingFrom(t *testing.T) {
	const text = "7 12 100 -250.5\n7 13 101 -250\n3 10 10 0\n3 13 40 0\n3 63 90 0\n"
	c, err := recorded.Read(strings.NewReader(text), "f", recorded.Options{FrameRate: 10, Unit: recorded.Centimeter})
	testkit.Must(t, err)
	r := recordingFrom(c, 0.1)
	want := []Person{
		{ID: 3, First: 0, At: []r2.Vec{xy(0.1, 0), xy(0.2, 0), xy(0.3, 0), xy(0.4, 0)}},
		{ID: 3, First: 53, At: []r2.Vec{xy(0.9, 0)}},
		{ID: 7, First: 2, At: []r2.Vec{xy(1, -2.505), xy(1.01, -2.5)}},
	}
	if r.Dt != 0.1 || r.Frames != 54 || !slices.EqualFunc(r.People, want, func(a, b Person) bool {
		return a.ID == b.ID && a.First == b.First && slices.EqualFunc(a.At, b.At, func(p, q r2.Vec) bool { return r2.Norm(r2.Sub(p, q)) < 1e-9 })
	}) {
		t.Errorf("got=%+v, want=%+v", r, want)
	}
	if got := r.People[2].At; !slices.Equal(got, want[2].At) {
		t.Errorf("places of frames: got=%v, want=%v", got, want[2].At)
	}
}
