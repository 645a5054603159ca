package recorded

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// TestPlace verifies where a person is between two places, and in gaps of some lengths.
func TestPlace(t *testing.T) {
	p := Person{Times: []float64{1, 2, 4, 7, 9.5}, At: []r2.Vec{xy(0, 0), xy(1, 0), xy(3, 0), xy(3, 0), xy(5, 0)}}
	for _, test := range []struct {
		t    float64
		want r2.Vec
		is   bool
	}{
		{0.9, xy(0, 0), false}, {1, xy(0, 0), true}, {1.25, xy(0.25, 0), true}, {2, xy(1, 0), true},
		{3, xy(2, 0), true},           // a gap of 2 s
		{6, xy(3, 0), true},           // it stays where it is
		{8, xy(0, 0), false},          // a gap of 2.5 s
		{9.5, xy(5, 0), true},         // and back again
		{9.5 + 1e-12, xy(5, 0), true}, // but for rounding
		{9.6, xy(0, 0), false},
	} {
		if at, is := p.Place(test.t); is != test.is || is && at != test.want {
			t.Errorf("%v s: got=%v %v, want=%v %v", test.t, at, is, test.want, test.is)
		}
	}
	if got, want := p.Stretches(), [][2]float64{{1, 7}, {9.5, 9.5}}; !slices.Equal(got, want) {
		t.Errorf("stretches: got=%v, want=%v", got, want)
	}
}

// TestVelocity verifies the velocity in the middle, at the ends and beside a gap.
func TestVelocity(t *testing.T) {
	p := Person{Times: []float64{0, 1, 2, 6, 7}, At: []r2.Vec{xy(0, 0), xy(1, 0), xy(3, 0), xy(3, 8), xy(3, 9)}}
	for _, test := range []struct{ t, over, want float64 }{
		{1, 1, 1.5}, {1, 0.2, 1.5}, {0, 1, 1}, {0.5, 0.5, 1}, {2, 1, 2}, {2, 9, 1.5}, {6, 1, 1}, {7, 1, 1}, {6.5, 4, 1}, {9, 1, 0},
	} {
		if v := r2.Norm(p.Velocity(test.t, test.over)); math.Abs(v-test.want) > 1e-12 {
			t.Errorf("at %v s over %v s: got=%v, want=%v", test.t, test.over, v, test.want)
		}
	}
	if v := (&Person{Times: []float64{3}, At: []r2.Vec{xy(1, 1)}}).Velocity(3, 1); v != (r2.Vec{}) {
		t.Errorf("with one place: got=%v, want=0", v)
	}
}

// TestThere verifies who is there at a time, also where one stays much longer than others.
func TestThere(t *testing.T) {
	c := gathering{index: map[uint64]int{}}
	c.add(1, 0, xy(0, 0), 1)
	c.add(1, 100, xy(0, 0), 2)
	for id := range uint64(9) {
		c.add(id+2, float64(10*id), xy(1, 1), 3)
		c.add(id+2, float64(10*id)+1, xy(1, 2), 4)
	}
	crowd, err := c.crowd("f", false, false)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[float64][]uint64{-1: nil, 0: {2, 1}, 5: {1}, 30.5: {5, 1}, 80: {10, 1}, 100: {1}, 101: nil} {
		var got []uint64
		for p := range crowd.There(at) {
			got = append(got, p.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v s: got=%v, want=%v", at, got, want)
		}
	}
}

// TestMoved verifies that a crowd is turned first, and that the one before stays as it is.
func TestMoved(t *testing.T) {
	c := &Crowd{People: []Person{{Times: []float64{0, 1}, At: []r2.Vec{xy(1, 0), xy(2, 0)}}}}
	got := c.Moved(math.Pi/2, xy(10, 0))
	if b := got.Box(); r2.Norm(r2.Sub(b.Min, xy(10, 1))) > 1e-12 || r2.Norm(r2.Sub(b.Max, xy(10, 2))) > 1e-12 {
		t.Errorf("got=%v, want (10, 1) to (10, 2)", b)
	}
	if c.People[0].At[0] != xy(1, 0) {
		t.Errorf("the one before: got=%v", c.People[0].At[0])
	}
}
