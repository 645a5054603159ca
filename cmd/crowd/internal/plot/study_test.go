package plot

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func readStudy(tables ...string) (*Study, error) {
	var files []*File
	for i, text := range tables {
		f, err := ReadFile(fmt.Sprintf("%d.csv", i+1), strings.NewReader(text), ReadOptions{})
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return NewStudy(files)
}

// studyOf reads tables.
func studyOf(t *testing.T, tables ...string) *Study {
	t.Helper()
	s, err := readStudy(tables...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const small = `index,scene,model,gap,seed,status,error,a,b,hash
0,x,slow,2,1,ok,,1,10,h
1,x,slow,2,2,ok,,3,10,h
2,x,slow,2,3,ok,,5,10,h
3,x,slow,10,1,ok,,2,20,h
4,x,slow,10,2,failed,no,,,
5,x,slow,10,3,dead,no,,,
6,x,fast,2,1,ok,,7,,h
7,x,fast,2,2,ok,,9,5,h
8,x,fast,2,3,ok,,11,5,h
`

func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) || math.IsNaN(a) && math.IsNaN(b)
}

// TestEffect compares intervals with numbers computed by hand: t is 4.302652729696 for three seeds.
func TestEffect(t *testing.T) {
	s := studyOf(t, small)
	_, _, missing := s.Span("b")
	if s.Runs != 9 || s.Failed != 1 || s.Dead != 1 || missing != 1 || len(s.Seeds) != 3 || !slices.Equal(s.Varies(), []int{1, 2}) {
		t.Errorf("got=%+v", s)
	}
	if gap := s.Axes[2]; !slices.Equal(gap.Values, []string{"2", "10"}) || gap.Numbers[1] != 10 { // as numbers, not as texts
		t.Errorf("got=%+v", gap)
	}
	const t3 = 4.302652729696142
	for _, test := range []struct {
		axis   int
		figure string
		want   []Mean
	}{
		// slow: seed 1 has (1+2)/2, so that the means are 1.5, 3, 5; their variance is 37/12
		{1, "a", []Mean{{0, 9.5 / 3, t3 * math.Sqrt(37./12/3), 3}, {1, 9, t3 * 2 / math.Sqrt(3), 3}}},
		// 2: seeds have (1+7)/2, (3+9)/2, (5+11)/2; 10 has one seed
		{2, "a", []Mean{{0, 6, t3 * 2 / math.Sqrt(3), 3}, {1, 2, math.NaN(), 1}}},
		{1, "b", []Mean{{0, 35. / 3, t3 * 5 / math.Sqrt(3) / math.Sqrt(3), 3}, {1, 5, 0, 2}}},
	} {
		got := s.Effect(test.axis, s.Levels(test.axis, 8), test.figure)
		if len(got) != len(test.want) {
			t.Errorf("axis %d, %s: got=%v, want=%v", test.axis, test.figure, got, test.want)
			continue
		}
		for i, g := range got {
			if w := test.want[i]; g.Level != w.Level || g.Seeds != w.Seeds || !near(g.Mean, w.Mean) || !near(g.Half, w.Half) {
				t.Errorf("axis %d, %s: got=%+v, want=%+v", test.axis, test.figure, g, w)
			}
		}
	}
	grid := s.Grid(1, 2, s.Levels(1, 8), s.Levels(2, 8), "a")
	if grid[0][0] != 3 || grid[0][1] != 9 || grid[1][0] != 2 || !math.IsNaN(grid[1][1]) {
		t.Errorf("got=%v", grid)
	}
}

// TestJoined verifies that an axis that one table lacks is left open in its points.
func TestJoined(t *testing.T) {
	s := studyOf(t, "index,scene,model,seed,status,a\n0,x,m,1,ok,1\n", "index,scene,gap,model,seed,status,a\n0,x,2,m,1,ok,3\n1,x,4,m,1,ok,5\n")
	if len(s.Points) != 3 || !slices.Equal(s.Points[0].At, []int{0, 0, -1}) || !slices.Equal(s.Points[2].At, []int{0, 0, 1}) {
		t.Errorf("got=%v", s.Points)
	}
	if got := s.Effect(2, s.Levels(2, 8), "a"); len(got) != 2 || got[0].Mean != 3 {
		t.Errorf("got=%v", got)
	}
}

// TestLevels verifies that scattered values are cut into bins with about as many each, and that those of grids are not.
func TestLevels(t *testing.T) {
	scattered, grid := strings.Builder{}, strings.Builder{}
	for _, b := range []*strings.Builder{&scattered, &grid} {
		b.WriteString("index,scene,u,v,seed,status,a\n")
	}
	for i := range 40 {
		fmt.Fprintf(&scattered, "%d,x,%d,%d,1,ok,%d\n", i, i, i*17%41, i)
		fmt.Fprintf(&grid, "%d,x,%d,%d,1,ok,%d\n", i, i%20, i/20, i)
	}
	l := studyOf(t, scattered.String()).Levels(1, 8)
	if !l.Binned || len(l.Names) != 8 || l.Names[0] != "0–4" || l.At[0] != 2 || l.At[7] != 37 {
		t.Errorf("got=%+v", l)
	}
	if l := studyOf(t, grid.String()).Levels(1, 8); l.Binned || len(l.Names) != 20 {
		t.Errorf("got=%+v", l)
	}
	if got := studyOf(t, scattered.String()).Effect(1, l, "a"); len(got) != 8 || got[1].Mean != 7 {
		t.Errorf("got=%v", got)
	}
}

// TestFront compares the points that are marked with those that no other beats, one by one, with
// many ties.
func TestFront(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 2000 {
		all := make([]Candidate, 1+r.IntN(12))
		for i := range all {
			all[i].X, all[i].Y = float64(r.IntN(5)), float64(r.IntN(5))
		}
		moreX, moreY := round%2 == 0, round%4 < 2
		sign := map[bool]float64{true: -1, false: 1}
		markBest(all, Goal{More: moreX}, Goal{More: moreY})
		for i, c := range all {
			want := !slices.ContainsFunc(all, func(o Candidate) bool {
				dx, dy := sign[moreX]*(o.X-c.X), sign[moreY]*(o.Y-c.Y)
				return dx <= 0 && dy <= 0 && (dx < 0 || dy < 0)
			})
			if c.Best != want {
				t.Fatalf("point %d of %v, more %v %v: got=%v, want=%v", i, all, moreX, moreY, c.Best, want)
			}
		}
	}
}

// TestCandidates verifies that points are means over tasks only where they have all of them.
func TestCandidates(t *testing.T) {
	s := studyOf(t, `index,scene,model,seed,status,a,b
0,x,m,1,ok,1,2
1,x,n,1,ok,3,4
2,y,m,1,ok,5,6
3,y,n,1,failed,,
`)
	less := Goal{Figure: "a"}
	over := s.Tasks()
	if !slices.Equal(over, []int{0}) {
		t.Fatalf("got=%v", over)
	}
	all, left, err := s.Candidates(less, Goal{Figure: "b"}, over)
	if err != nil || left != 1 || len(all) != 1 || all[0].X != 3 || all[0].Y != 4 || !slices.Equal(all[0].At, []int{-1, 0}) {
		t.Errorf("got=%v, %d, %v", all, left, err)
	}
	if all, left, _ := s.Candidates(less, Goal{Figure: "b"}, nil); len(all) != 3 || left != 1 {
		t.Errorf("got=%v, %d", all, left)
	}
	s = studyOf(t, "index,scene,agents,gap,seed,status,a\n0,x,3,1,1,ok,1\n1,x,4,2,1,ok,2\n") // no grid
	if got := s.Tasks(); len(got) > 0 {
		t.Errorf("got=%v", got)
	}
	if _, _, err := s.Candidates(less, less, []int{1}); err == nil {
		t.Error("got=nil, want an error")
	}
}

// bad are tables that are none, and what is said of them.
var bad = []struct{ text, want string }{
	{"", "1.csv: is empty"},
	{"index,scene,seed,status,a,a\n", `1.csv:1: two columns are called a`},
	{"index,scene,seed,status,a\n", "1.csv: has no rows but its first line"},
	{"index,scene,seed,status,a\n0,x,1\n", "1.csv:2: 3 cells, want 5 as in the first line"},
	{"index,scene,seed,status,a\n0,x,1,fine,1\n", `1.csv:2: status is "fine"`},
	{"index,scene,seed,status,a\n0,x,-1,ok,1\n", `1.csv:2: seed is "-1"`},
	{"index,scene,seed,status,a\n0,x,1,ok,1\n1,x,1,ok,1\n", "1.csv:3: the run of this point with seed 1 is there twice"},
	{"index,scene,seed,status,a\n0,\"x,1,ok,1\n", "is no CSV"},
	{"index,scene,seed,status,a\n\"", "1.csv:2: is no CSV"},
}

func TestReadBad(t *testing.T) {
	for _, test := range bad {
		_, err := readStudy(test.text)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got=%v, want=%s", test.text, err, test.want)
		}
	}
}

// FuzzRead reads anything, and works out all there is.
func FuzzRead(f *testing.F) {
	f.Add(small)
	for _, test := range bad {
		f.Add(test.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := readStudy(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %v", err)
			}
			return
		}
		for i := range s.Axes {
			l := s.Levels(i, 8)
			s.Effect(i, l, "a")
			s.Grid(i, 0, l, s.Levels(0, 8), "b")
		}
		if all, _, err := s.Candidates(Goal{Figure: "a"}, Goal{Figure: "b"}, s.Tasks()); err == nil && len(all) > 0 && !slices.ContainsFunc(all, func(c Candidate) bool { return c.Best }) {
			t.Error("each point is beaten")
		}
	})
}
