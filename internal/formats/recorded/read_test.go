package recorded

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func obsmatRow(frame, id, x, y float64) string {
	return fmt.Sprintf("   %e   %e   %e   0.000000e+00   %e   0.0   0.0   -1.3e+00   \n", frame, id, x, y)
}

func TestRead(t *testing.T) {
	cm, m := Options{FrameRate: 4, Unit: Centimeter}, Options{FrameRate: 4, Unit: Meter}
	for _, test := range []struct {
		name, text string
		options    Options
		start      float64
	}{
		{"PeTrack, no header", "7 12 100 -250 170\n7 13 125 -250 170\n\n3 14 0 0 160 more\n3 15 1e1 0 160\n", cm, 3},
		{"PeTrack, with a header", "# PeTrack\n# framerate: 4.00 fps\n# id frame x/cm y/cm z/cm\n7 12 100 -250 1\n7 13 125 -250 1\n3 14 0 0 1\n3 15 10 0 1\n", Options{}, 3},
		{"a header without units", "#framerate: 4\n#geometry: geometry.xml\n\n# PersID\tFrame\tX\tY\tZ\n7\t12\t1\t-2.5\t1\n7\t13\t1.25\t-2.5\t1\n3\t14\t0\t0\t1\n3\t15\t0.1\t0\t1\n", Options{Unit: Meter}, 3},
		{"another order in the header", "# framerate: 4\n# frame id y/m x/m\n12 7 -2.5 1\n13 7 -2.5 1.25\n14 3 0 0\n15 3 0 .1\n", Options{}, 3},
		{"another order by the columns", "12 7 -2.5 1\n13 7 -2.5 1.25\n14 3 0 0\n15 3 0 .1\n", Options{FrameRate: 4, Unit: Meter, Columns: []string{"frame", "id", "y", "x"}}, 3},
		{"eight columns, in centimeters", "12 7 -250 100 0 0 0 0\n13 7 -250 125 0 0 0 0\n14 3 0 0 0 0 0 0\n15 3 0 10 0 0 0 0\n", Options{FrameRate: 4, Unit: Centimeter, Columns: []string{"frame", "id", "y", "x", "a", "b", "c", "d"}}, 3},
		{"the frames backwards", "3 15 .1 0\r\n7 13 1.25 -2.5\r\n3 14 0 0\r\n7 12 1 -2.5\r\n", m, 3},
		{"a place twice", "7 12 1 -2.5\n7 12 1 -2.5\n7 13 1.25 -2.5\n3 14 0 0\n3 15 .1 0\n", m, 3},
		{"obsmat", obsmatRow(12, 7, 1, -2.5) + obsmatRow(13, 7, 1.25, -2.5) + obsmatRow(14, 3, 0, 0) + obsmatRow(15, 3, 0.1, 0), Options{FrameRate: 4}, 3},
		{"ours", "id,time,x,y,vx,vy\n7,3,1,-2.5,1,0\n7,3.25,1.25,-2.5,1,0\n3,3.5,0,0,0,0\n3,3.75,0.1,0,0,0\n", Options{}, 0},
		{"steps of Vadere", "pedestrianId simTime endTime-PID1 startX-PID1 startY-PID1 endX-PID1 endY-PID1 targetId-PID2\n7 3 3.25 1 -2.5 1.25 -2.5 1\n3 3.5 3.75 0 0 0.1 0 1\n", Options{}, 0},
		{"places of Vadere", "timeStep pedestrianId x y targetId\n12 7 1 -2.5 1\n13 7 1.25 -2.5 1\n14 3 0 0 1\n15 3 0.1 0 1\n", Options{FrameRate: 4}, 3},
	} {
		c, err := Read(strings.NewReader(test.text), "f", test.options)
		want := []Person{{7, []float64{3, 3.25}, []r2.Vec{xy(1, -2.5), xy(1.25, -2.5)}}, {3, []float64{3.5, 3.75}, []r2.Vec{xy(0, 0), xy(0.1, 0)}}}
		if err != nil || !slices.EqualFunc(c.People, want, func(a, b Person) bool {
			return a.ID == b.ID && slices.Equal(a.Times, b.Times) && slices.Equal(a.At, b.At)
		}) || c.Start != test.start || c.End != 3.75 {
			t.Errorf("%s: got=%+v, %v, want=%+v from %v to 3.75 s", test.name, c, err, want, test.start)
		}
	}
}

func TestReadErrors(t *testing.T) {
	m := Options{FrameRate: 16, Unit: Meter}
	for _, test := range []struct {
		text    string
		options Options
		want    string
	}{
		{"", m, "f: no trajectories: want rows of id, frame, x, y"},
		{"# only a comment\n", m, "f: no trajectories: want rows"},
		{"1 2 3 4\n", Options{FrameRate: 16}, "f does not state the unit of its lengths, want --recording unit=m or cm"},
		{"1 2 3 4\n", Options{Unit: Meter}, "f does not state its frame rate, want --recording frame-rate"},
		{"# framerate: 25\n1 2 3 4\n", m, "f says that it has 25 frames per second, but --recording frame-rate is 16"},
		{"# id frame x/cm y/cm\n1 2 3 4\n", m, "f says that lengths are in cm, but --recording unit is m"},
		{"# framerate: fast\n1 2 3 4\n", m, `f:1: framerate is "fast", want 0.01 to 10000`},
		{"# id frame x/m y/cm\n1 2 3 4\n", m, `f:1: the header is "id frame x/m y/cm": x and y are in different units, m and cm`},
		{"# id frame x/ft y/ft\n1 2 3 4\n", m, `f:1: the header is "id frame x/ft y/ft": the unit of length is "ft", want m or cm`},
		{"id frame x\n1 2 3 4\n", m, `f:1: the header is "id frame x": want id, frame or time, x and y among the columns`},
		{"id frame x x y\n1 2 3 4\n", m, `f:1: the header is "id frame x x y": two columns contain x`},
		{"1 2 3\n", m, "f:1: the number of columns is 3, want 4 or more"},
		{"1 2 3 4\nx 2 3 4\n", m, `f:2: person is "x", want a whole number, 0 or more`},
		{"1 2.5 3 4\n", m, `f:1: frame is "2.5", want a whole number from -1e9 to 1e9`},
		{"1 2000000000 3 4\n", m, `f:1: frame is "2000000000", want`},
		{"1 2 NaN 4\n", m, `f:1: x is "NaN", want a number from -1e7 to 1e7 m`},
		{"1 2 3 1e300\n", m, `f:1: y is "1e300", want`},
		{"1 2 3 4\n2 2 3 4\n1 2 3 5\n", m, "f:3: person 1 is in two places at the same time, at 0.125 s"},
		{"id,time,x,y,vx,vy\n1,soon,0,0,0,0\n", Options{}, `f:2: time is "soon", want seconds`},
		{"pedestrianId simTime endTime startX startY endX endY\n1 2 1 0 0 1 1\n", Options{}, `f:2: endTime is "1", want seconds from simTime, 2, to 1e9`},
		{"1 1 0 0\n1 2 9 0\n1 3 18 0\n", m, "f: people move at 144 m/s (median), want at most 15: check the unit, the frame rate and the columns"},
		{"1 2 3 4\n\x00\n", m, "f:2: the line is not text"},
		{"1 2 3 4\n" + strings.Repeat("1", 1<<17), m, "f:2: line too long"},
		{"1 2 3 4\n", Options{FrameRate: -1}, "--recording frame-rate is -1, want 0.01 to 10000"},
		{"1 2 3 4\n", Options{Unit: "ft"}, `--recording unit is "ft", want m or cm`},
		{"1 2 3 4\n", Options{Columns: []string{"id", "x"}}, `--recording columns is "id,x": want id, frame or time, x and y`},
	} {
		_, err := Read(strings.NewReader(test.text), "f", test.options)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.30q: got=%v, want=an error that begins with %q", test.text, err, test.want)
		}
	}
}

// The files are published recordings.
func TestReadData(t *testing.T) {
	for _, test := range []struct {
		file    string
		options Options
		people  int
		speed   float64 // m/s, median of the people's medians
	}{
		{"juelich/uo-050-180-180.txt", Options{FrameRate: 16, Unit: Centimeter}, 61, 1.40},
		{"juelich/traj_UNI_CORR_500_01.txt", Options{Unit: Meter}, 148, 1.49},
		{"ucy/zara01/obsmat.txt", Options{FrameRate: 25}, 148, 1.26},
		{"ucy/zara03/crowds_zara03.txt", Options{FrameRate: 25, Unit: Meter, Columns: []string{"frame", "id", "x", "y"}}, 180, 1.08},
	} {
		c, err := Open(filepath.Join(testkit.DataDir(t), test.file), test.options)
		testkit.Must(t, err)
		var speeds []float64
		for i := range c.People {
			if v, ok := c.People[i].medianSpeed(); ok {
				speeds = append(speeds, v)
			}
		}
		if len(c.People) != test.people || math.Abs(median(speeds)-test.speed) > 0.01 {
			t.Errorf("%s: got=%d people at %.3f m/s, want=%d at %.2f", test.file, len(c.People), median(speeds), test.people, test.speed)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("1 2 3 4 5\n1 3 3 4 5\n2 0 1 1 1\n", "")
	f.Add("# framerate: 25\n# id frame x/m y/m\n1 -2 3 4\n1 1 1 1", "")
	f.Add("id,time,x,y,vx,vy\n18446744073709551615,1e9,-1e7,1e7,,\n", "")
	f.Add("pedestrianId simTime endTime startX startY endX endY\n1 0 0.5 0 0 1 1\n1 0.5 0.5 2 2 2 2\n", "")
	f.Add("1 2 3 4\n", "frame,id,y,x")
	f.Add(obsmatRow(1, 2, 3, 4), "")
	f.Fuzz(func(t *testing.T, text, columns string) {
		o := Options{FrameRate: 25, Unit: Centimeter}
		if columns != "" {
			o.Columns = strings.Split(columns, ",")
		}
		c, err := Read(strings.NewReader(text), "f", o)
		if err != nil {
			return
		}
		if len(c.People) == 0 || !(c.Start <= c.End || c.Start == 0) {
			t.Fatalf("got=%+v, want=people, and a start of 0 or not after the end", c)
		}
		for i := range c.People {
			p := &c.People[i]
			for k, at := range p.At {
				if !(math.Abs(at.X) <= farthest && math.Abs(at.Y) <= farthest) || k > 0 && !(p.Times[k] > p.Times[k-1]) {
					t.Fatalf("got=%+v, want=ascending times and places within %v m", p, farthest)
				}
				if b := c.Box(); !(b.Min.X <= at.X && at.X <= b.Max.X && b.Min.Y <= at.Y && at.Y <= b.Max.Y) {
					t.Fatalf("box: got=%v, want=one around %v", b, at)
				}
				if place, is := p.Place(p.Times[k]); !is || place != at {
					t.Fatalf("at %v s: got=%v %v, want=%v true", p.Times[k], place, is, at)
				}
				if v := p.Velocity(p.Times[k], 1); math.IsNaN(v.X) || math.IsNaN(v.Y) {
					t.Fatalf("at %v s: got=%v, want=a velocity", p.Times[k], v)
				}
			}
		}
		for range c.There((c.Start + c.End) / 2) {
		}
	})
}

func TestPlace(t *testing.T) {
	p := Person{Times: []float64{1, 2, 4, 7, 9.5}, At: []r2.Vec{xy(0, 0), xy(1, 0), xy(3, 0), xy(3, 0), xy(5, 0)}}
	for _, test := range []struct {
		t    float64
		want r2.Vec
		is   bool
	}{
		{0.9, xy(0, 0), false}, {1, xy(0, 0), true}, {1.25, xy(0.25, 0), true}, {2, xy(1, 0), true},
		{3, xy(2, 0), true},           // a gap of 2 s
		{6, xy(3, 0), true},           // 3 s without a change of place
		{8, xy(0, 0), false},          // a gap of 2.5 s
		{9.5, xy(5, 0), true},         // back again
		{9.5 + 1e-12, xy(5, 0), true}, // the same except for rounding
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

func TestVelocity(t *testing.T) {
	p := Person{Times: []float64{0, 1, 2, 6, 7}, At: []r2.Vec{xy(0, 0), xy(1, 0), xy(3, 0), xy(3, 8), xy(3, 9)}}
	for _, test := range []struct{ t, over, want float64 }{
		{1, 1, 1.5}, {1, 0.2, 1.5}, {0, 1, 1}, {0.5, 0.5, 1}, {2, 1, 2}, {2, 9, 1.5}, {6, 1, 1}, {7, 1, 1}, {6.5, 4, 1}, {9, 1, 0},
	} {
		testkit.Near(t, r2.Norm(p.Velocity(test.t, test.over)), test.want, 1e-12, "at %v s over %v s", test.t, test.over)
	}
	testkit.Equal(t, (&Person{Times: []float64{3}, At: []r2.Vec{xy(1, 1)}}).Velocity(3, 1), r2.Vec{}, "with one place")
}

// One person stays much longer than the others.
func TestThere(t *testing.T) {
	c := gathering{index: map[uint64]int{}}
	c.add(1, 0, xy(0, 0), 1)
	c.add(1, 100, xy(0, 0), 2)
	for id := range uint64(9) {
		c.add(id+2, float64(10*id), xy(1, 1), 3)
		c.add(id+2, float64(10*id)+1, xy(1, 2), 4)
	}
	crowd, err := c.crowd("f", false, false)
	testkit.Must(t, err)
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

func TestMoved(t *testing.T) {
	c := &Crowd{People: []Person{{Times: []float64{0, 1}, At: []r2.Vec{xy(1, 0), xy(2, 0)}}}}
	got := c.Moved(math.Pi/2, xy(10, 0))
	testkit.Near(t, got.Box().Min, xy(10, 1), 1e-12, "lower corner of the box")
	testkit.Near(t, got.Box().Max, xy(10, 2), 1e-12, "upper corner of the box")
	testkit.Equal(t, c.People[0].At[0], xy(1, 0), "the original")
}

func TestScene(t *testing.T) {
	dir := testkit.Files(t, map[string]string{"a.txt": "7 12 1 -2.5\n7 13 1.25 -2.5\n3 14 0 0\n3 15 .1 0\n"})
	c, err := readCrowd(filepath.Join(dir, "a.txt"), &formats.Options{FrameRate: 4, Unit: "m"})
	testkit.Must(t, err)
	g := c.Groups[0]
	if g.Count != 2 || g.At.Points[0] != xy(1, -2.5) || g.Target.Points[1] != xy(0.1, 0) || g.MaxSpeed[0] != 1 || g.Come[1].Time != 0.5 {
		t.Errorf("got=%+v, want=two agents: one from (1, -2.5) at 1 m/s, and one to (0.1, 0) after 0.5 s", g)
	}
}
