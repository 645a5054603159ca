package experiment

import (
	"fmt"
	"math"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

// walking returns people that walk straight at a velocity in m/s, with 10 frames per second.
func walking(group, frames int, v r2.Vec, from ...r2.Vec) (all []Person) {
	for _, at := range from {
		p := Person{Group: group}
		for f := range frames {
			t := float64(f) / 10
			p.At = append(p.At, xy(at.X+t*v.X, at.Y+t*v.Y))
		}
		all = append(all, p)
	}
	return all
}

func recordingOf(frames int, people ...[]Person) *Recording {
	r := &Recording{Dt: 0.1, Frames: frames}
	for _, some := range people {
		r.People = append(r.People, some...)
	}
	return r
}

func near(a, b float64) bool {
	return math.Abs(a-b) < 1e-9 || math.IsNaN(a) && math.IsNaN(b)
}

func TestFlow(t *testing.T) {
	back := Person{At: []r2.Vec{xy(-1, 0), xy(1, 0), xy(-1, 0), xy(1, 0)}}
	for _, test := range []struct {
		name   string
		people []Person
		want   string // times in s, and the flow
	}{
		{"none", nil, "; NaN"},
		{"one", walking(0, 50, xy(1, 0), xy(-1, 0)), "1 ; NaN"},
		{"three, out of order", walking(0, 60, xy(1, 0), xy(-3, 0), xy(-1, 0.5), xy(-2, -0.5)), "1 2 3 ; 1"},
		{"past the ends", walking(0, 50, xy(1, 0), xy(-1, 2), xy(-1, -2)), "; NaN"},
		{"the other way", walking(0, 50, xy(-2, 0), xy(1, 0), xy(2, 0)), "0.5 1 ; 2"},
		{"there and back", []Person{back}, "0.05 ; NaN"},
		{"between two frames", walking(0, 50, xy(1, 0), xy(-1.25, 0)), "1.25 ; NaN"},
	} {
		all, got := recordingOf(60, test.people).Crossings(xy(0, -1), xy(0, 1)), ""
		for _, c := range all {
			got += fmt.Sprintf("%.9g ", c.Time)
		}
		testkit.Equal(t, got+fmt.Sprintf("; %.9g", Flow(all)), test.want, "%s", test.name)
	}
}

func TestMiddleAndGaps(t *testing.T) {
	var all []Crossing
	for i := range 10 {
		all = append(all, Crossing{Time: float64(i * i)})
	}
	mid := middleOf(all, 0.8)
	if len(mid) != 8 || mid[0].Time != 1 || mid[7].Time != 64 {
		t.Errorf("got=%v, want the times 1 to 64", mid)
	}
	testkit.Equal(t, fmt.Sprint(timeGaps(all[:4])), "[1 3 5]", "time gaps")
}

func TestBursts(t *testing.T) {
	r := &Recording{People: []Person{{Group: 0}, {Group: 1}}}
	for _, test := range []struct {
		sides []int
		want  float64
	}{{nil, math.NaN()}, {[]int{0}, 1}, {[]int{0, 1, 0, 1}, 1}, {[]int{0, 0, 0, 1, 1, 1}, 3}, {[]int{1, 1, 0}, 1.5}} {
		var all []Crossing
		for _, side := range test.sides {
			all = append(all, Crossing{Person: side})
		}
		if got := r.bursts(all); !near(got, test.want) {
			t.Errorf("%v: got=%v, want=%v", test.sides, got, test.want)
		}
	}
}

func TestMeasure(t *testing.T) {
	still := walking(0, 100, xy(0, 0), xy(0.5, 0.5), xy(1.5, 0.5), xy(3, 0.5)) // the third person is outside
	passing := walking(0, 100, xy(1, 0), xy(-2, 0.5))                          // in the area from 2 s to 4 s
	for _, test := range []struct {
		name           string
		people         []Person
		from, to       int
		density, speed float64
	}{
		{"still", still, 0, 100, 1, 0},
		{"passing", passing, 0, 100, 20. / 100 / 2, 1},
		{"both", append(append([]Person{}, still...), passing...), 20, 40, 1.5, 1. / 3},
		{"none", nil, 0, 100, 0, math.NaN()},
		{"beyond the end", still, 50, 1000, 1, 0},
	} {
		m := recordingOf(100, test.people).Measure(box(0, 0, 2, 1), test.from, test.to)
		if math.Abs(m.Density-test.density) > 0.02 || math.Abs(m.Speed-test.speed) > 0.01 && !math.IsNaN(test.speed) || math.IsNaN(m.Speed) != math.IsNaN(test.speed) {
			t.Errorf("%s: got=%+v, want=density %v, speed %v", test.name, m, test.density, test.speed)
		}
	}
}

func TestVelocity(t *testing.T) {
	p := Person{}
	for f := range 21 {
		p.At = append(p.At, xy(float64(f*f)/100, 0)) // x = t²
	}
	r := recordingOf(21, []Person{p})
	for frame, want := range map[int]float64{0: 0.5, 5: 1, 10: 2, 20: 3.5} {
		v, ok := r.Velocity(&r.People[0], frame, 1)
		if !ok || !near(v.X, want) {
			t.Errorf("frame %d: got=%v, %v, want=%v", frame, v, ok, want)
		}
	}
	if _, ok := r.Velocity(&Person{At: []r2.Vec{{}}}, 0, 1); ok {
		t.Error("one frame: got a velocity, want none")
	}
}

func TestKolmogorovSmirnov(t *testing.T) {
	for _, test := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{3, 1, 2}, []float64{1, 2, 3}, 0},
		{[]float64{1, 2}, []float64{3, 4}, 1},
		{[]float64{1, 2, 3, 4}, []float64{3, 4, 5, 6}, 0.5},
		{[]float64{1, 2, 3, 4}, []float64{2.5}, 0.5},
	} {
		if got := KolmogorovSmirnov(test.a, test.b); !near(got, test.want) {
			t.Errorf("%v, %v: got=%v, want=%v", test.a, test.b, got, test.want)
		}
	}
	unsorted := []float64{3, 1, 2}
	KolmogorovSmirnov(unsorted, unsorted)
	testkit.Equal(t, unsorted[0], 3, "the first number after KolmogorovSmirnov")
}

func TestSmooth(t *testing.T) {
	always := func(*Person, int) bool { return true }
	zigzag, steps, faster := Person{}, Person{}, Person{}
	for f := range 41 {
		zigzag.At = append(zigzag.At, xy(float64(f)*0.03, float64(f%2)*0.04)) // 5 cm per frame, 3 cm of them forward
		steps.At = append(steps.At, xy(math.Abs(float64((f+4)%8-4))*0.1, 0))  // 40 cm forward in 0.4 s, and 40 cm back
		faster.At = append(faster.At, xy(float64(f*f)/200, 0))                // 1 m/s²
	}
	for _, test := range []struct {
		name   string
		person Person
		want   Smoothness
	}{
		{"straight", walking(0, 41, xy(1, 0), xy(0, 0))[0], Smoothness{1, 0, 0, 4}},
		{"zigzag", zigzag, Smoothness{5. / 3, 0, 0, 4}},
		{"there and back", steps, Smoothness{1, 9. / 4, 5, 4}},
		{"faster", faster, Smoothness{1, 0, 1, 4}},
		{"too short", Person{At: []r2.Vec{{}, {}}}, Smoothness{math.NaN(), math.NaN(), math.NaN(), 0}},
	} {
		got := recordingOf(41, []Person{test.person}).smooth(always)
		if !near(got.Wiggle, test.want.Wiggle) || !near(got.Reversals, test.want.Reversals) || !near(got.Acceleration, test.want.Acceleration) || !near(got.Seconds, test.want.Seconds) {
			t.Errorf("%s: got=%+v, want=%+v", test.name, got, test.want)
		}
	}
	late := func(_ *Person, frame int) bool { return frame >= 20 }
	testkit.Equal(t, recordingOf(41, []Person{steps}).smooth(late).Seconds, 2, "counted late")
}

func TestLaneOrder(t *testing.T) {
	always := func(*Person, int) bool { return true }
	east, west := xy(1, 0), xy(-1, 0)
	for _, test := range []struct {
		name        string
		right, left []r2.Vec
		want        float64
	}{
		{name: "apart", right: []r2.Vec{xy(0, 1), xy(1, 1)}, left: []r2.Vec{xy(0, 0), xy(1, 0)}, want: 1},
		{name: "mixed", right: []r2.Vec{xy(0, 0)}, left: []r2.Vec{xy(5, 0.4)}, want: 0},
		{name: "three of one group, one of the other group", right: []r2.Vec{xy(0, 0), xy(1, 0), xy(2, 0)}, left: []r2.Vec{xy(3, 0)}, want: 0.25},
		{name: "between two of the other group", right: []r2.Vec{xy(0, 0), xy(0, 0.6)}, left: []r2.Vec{xy(0, 0.3)}, want: 1. / 27},
		{name: "half in lanes", right: []r2.Vec{xy(0, 0), xy(1, 3)}, left: []r2.Vec{xy(2, 0), xy(2, 6)}, want: 0.5},
		{name: "none", want: math.NaN()},
	} {
		r := recordingOf(20, walking(0, 20, east, test.right...), walking(1, 20, west, test.left...))
		if got := r.LaneOrder(always, 0); !near(got, test.want) {
			t.Errorf("%s: got=%v, want=%v", test.name, got, test.want)
		}
		if got := r.meanLaneOrder(always, 0, 1000); !near(got, test.want) {
			t.Errorf("%s, mean: got=%v, want=%v", test.name, got, test.want)
		}
	}
}

func TestResampled(t *testing.T) {
	late := walking(0, 31, xy(1, 0), xy(0, 0))
	late[0].First = 5
	short := Person{First: 7, At: []r2.Vec{xy(9, 9)}}
	r := recordingOf(40, walking(0, 31, xy(2, -1), xy(1, 1)), late, []Person{short})
	for _, dt := range []float64{0.1, 1. / 16, 0.25, 1. / 30} {
		got := r.Resampled(dt)
		if got.Dt != dt || len(got.People) < 2 {
			t.Fatalf("every %v s: got=%d people every %v s, want 2 or more", dt, len(got.People), got.Dt)
		}
		for i, p := range got.People[:2] {
			from, to := float64(r.People[i].First)*r.Dt, float64(r.People[i].Last())*r.Dt
			if first, last := float64(p.First)*dt, float64(p.Last())*dt; first < from-1e-9 || first >= from+dt || last > to+1e-9 || last <= to-dt {
				t.Errorf("every %v s: got=%v to %v s, want %v to %v", dt, first, last, from, to)
			}
			for f := p.First; f <= p.Last(); f++ {
				at := float64(f) * dt
				want := xy(1+2*at, 1-at)
				if i == 1 {
					want = xy(at-0.5, 0)
				}
				if got := p.Place(f); !near(got.X, want.X) || !near(got.Y, want.Y) {
					t.Fatalf("every %v s, after %v s: got=%v, want=%v", dt, at, got, want)
				}
			}
		}
		testkit.Equal(t, got.Frames, got.People[1].Last()+1, "every %v s", dt)
	}
	testkit.Equal(t, len(r.Resampled(0.25).People), 2, "people, without the one that is present only between two frames")
}
