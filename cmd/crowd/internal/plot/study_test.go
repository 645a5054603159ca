package plot

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

func readStudy(tables ...string) (*study, error) {
	var files []*file
	for i, text := range tables {
		f, err := readFile(fmt.Sprintf("%d.csv", i+1), strings.NewReader(text), nil)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return newStudy(files)
}

func studyOf(t *testing.T, tables ...string) *study {
	t.Helper()
	s, err := readStudy(tables...)
	testkit.Must(t, err)
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

// TestEffect uses numbers computed by hand.
func TestEffect(t *testing.T) {
	s := studyOf(t, small)
	_, _, missing := s.span("b")
	if len(s.runs) != 9 || len(s.ok) != 7 || missing != 1 || len(s.seeds.values) != 3 || !slices.Equal(s.varies(), s.axes[1:]) {
		t.Errorf("got=%+v, %d without b, want=9 runs with 3 seeds, 2 that failed, 1 without b, and 2 axes that vary", s, missing)
	}
	if gap := s.axes[2]; !slices.Equal(gap.values, []string{"2", "10"}) || !gap.numeric { // sorted as numbers, not as texts
		t.Errorf("gap: got=%+v, want=2, 10", gap)
	}
	const t3 = 4.302652729696142 // 97.5% quantile of Student's t for three seeds
	about := func(x, mean, half float64) Point { return Point{x, mean, mean - half, mean + half} }
	for _, test := range []struct {
		axis   int
		metric string
		want   Points
	}{
		// slow: seed 1 has (1+2)/2, so the means of the seeds are 1.5, 3, 5; their variance is 37/12
		{1, "a", Points{about(0, 9.5/3, t3*math.Sqrt(37./12/3)), about(1, 9, t3*2/math.Sqrt(3))}},
		// gap 2: the seeds have (1+7)/2, (3+9)/2, (5+11)/2; gap 10 has one seed
		{2, "a", Points{about(2, 6, t3*2/math.Sqrt(3)), At(10, 2)}},
		{1, "b", Points{about(0, 35./3, t3*5/math.Sqrt(3)/math.Sqrt(3)), At(1, 5)}},
	} {
		got := s.effect(s.axes[test.axis], s.levels(s.axes[test.axis], 8), test.metric)
		if !slices.EqualFunc(got, test.want, func(a, b Point) bool {
			return a.X == b.X && near(a.Y, b.Y) && near(a.Low, b.Low) && near(a.High, b.High)
		}) {
			t.Errorf("axis %d, %s: got=%v, want=%v", test.axis, test.metric, got, test.want)
		}
	}
	x, y := s.axes[1], s.axes[2]
	grid := s.grid(x, y, s.levels(x, 8), s.levels(y, 8), "a")
	if grid[0][0] != 3 || grid[0][1] != 9 || grid[1][0] != 2 || !math.IsNaN(grid[1][1]) {
		t.Errorf("grid: got=%v, want=[[3 9] [2 NaN]]", grid)
	}
}

// TestSweepMargins requires that all points and error bars are inside the frame.
func TestSweepMargins(t *testing.T) {
	p, err := drawingOf(small, Command{X: "a", Pareto: []string{"-a", "+b"}})
	testkit.Must(t, err)
	effects, err := p.effects()
	testkit.Must(t, err)
	front, err := p.sweepFront()
	testkit.Must(t, err)
	var means Points
	for _, c := range p.best.all {
		means = append(means, At(c.x, c.y))
	}
	model, gap := p.study.axes[1], p.study.axes[2]
	all := []Points{p.study.effect(model, p.study.levels(model, 8), "a"), p.study.effect(gap, p.study.levels(gap, 8), "a"), means}
	for i, panel := range append(effects, front...) {
		for _, at := range all[i] {
			if at.X <= panel.X.Min || at.X >= panel.X.Max || at.Low <= panel.Y.Min || at.High >= panel.Y.Max {
				t.Errorf("panel %d: got=%v in x from %v to %v and y from %v to %v, want it inside", i, at, panel.X.Min, panel.X.Max, panel.Y.Min, panel.Y.Max)
			}
		}
	}
}

func TestJoined(t *testing.T) {
	s := studyOf(t, "index,scene,model,seed,status,a\n0,x,m,1,ok,1\n", "index,scene,gap,model,seed,status,a\n0,x,2,m,1,ok,3\n1,x,4,m,1,ok,5\n")
	gap := s.axes[2]
	if s.points(s.axes) != 3 || gap.of(s.runs[0]) != "" || gap.of(s.runs[2]) != "4" {
		t.Errorf("got=%+v, want=3 points, the first without gap and the last with gap 4", s)
	}
	if got := s.effect(gap, s.levels(gap, 8), "a"); len(got) != 2 || got[0].Y != 3 {
		t.Errorf("effect of gap: got=%v, want=2 points, the first 3", got)
	}
}

func TestLevels(t *testing.T) {
	scattered, grid := strings.Builder{}, strings.Builder{}
	for _, b := range []*strings.Builder{&scattered, &grid} {
		b.WriteString("index,scene,u,v,seed,status,a\n")
	}
	for i := range 40 {
		fmt.Fprintf(&scattered, "%d,x,%d,%d,1,ok,%d\n", i, i, i*17%41, i)
		fmt.Fprintf(&grid, "%d,x,%d,%d,1,ok,%d\n", i, i%20, i/20, i)
	}
	s := studyOf(t, scattered.String())
	l := s.levels(s.axes[1], 8)
	if !l.binned || len(l.names) != 8 || l.names[0] != "0–4" || l.at[0] != 2 || l.at[7] != 37 {
		t.Errorf("scattered: got=%+v, want=8 bins, the first 0–4 around 2, the last around 37", l)
	}
	if got := s.effect(s.axes[1], l, "a"); len(got) != 8 || got[1].Y != 7 {
		t.Errorf("effect: got=%v, want=8 points, the second 7", got)
	}
	s = studyOf(t, grid.String())
	if l := s.levels(s.axes[1], 8); l.binned || len(l.names) != 20 {
		t.Errorf("grid: got=%+v, want=20 values without bins", l)
	}
}

// TestFront compares points with many ties with a brute-force search.
func TestFront(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 2000 {
		all := make([]candidate, 1+r.IntN(12))
		for i := range all {
			all[i].x, all[i].y = float64(r.IntN(5)), float64(r.IntN(5))
		}
		moreX, moreY := round%2 == 0, round%4 < 2
		sign := map[bool]float64{true: -1, false: 1}
		markBest(all, goal{more: moreX}, goal{more: moreY})
		for i, c := range all {
			want := !slices.ContainsFunc(all, func(o candidate) bool {
				dx, dy := sign[moreX]*(o.x-c.x), sign[moreY]*(o.y-c.y)
				return dx <= 0 && dy <= 0 && (dx < 0 || dy < 0)
			})
			if c.best != want {
				t.Fatalf("point %d of %v, more %v %v: got=%v, want=%v", i, all, moreX, moreY, c.best, want)
			}
		}
	}
}

func TestCandidates(t *testing.T) {
	s := studyOf(t, `index,scene,model,seed,status,a,b
0,x,m,1,ok,1,2
1,x,n,1,ok,3,4
2,y,m,1,ok,5,6
3,y,n,1,failed,,
`)
	less := goal{metric: "a"}
	over := s.tasks()
	if !slices.Equal(over, s.axes[:1]) {
		t.Fatalf("tasks: got=%v, want=[scene]", axisNames(over))
	}
	all, left, err := s.candidates(less, goal{metric: "b"}, over)
	if err != nil || left != 1 || len(all) != 1 || all[0].x != 3 || all[0].y != 4 || s.axes[1].of(all[0].row) != "m" {
		t.Errorf("over scene: got=%d points, %d left out, %v, want=1 point at (3, 4) of model m, 1 left out", len(all), left, err)
	}
	if all, left, _ := s.candidates(less, goal{metric: "b"}, nil); len(all) != 3 || left != 1 {
		t.Errorf("over no axis: got=%d points, %d left out, want=3, 1", len(all), left)
	}
	s = studyOf(t, "index,scene,agents,gap,seed,status,a\n0,x,3,1,1,ok,1\n1,x,4,2,1,ok,2\n") // not a grid
	if got := s.tasks(); len(got) > 0 {
		t.Errorf("tasks without a grid: got=%v, want none", axisNames(got))
	}
	if _, _, err := s.candidates(less, less, s.axes[1:2]); err == nil {
		t.Error("over an axis that is not crossed: got=nil, want an error")
	}
}

var bad = []struct{ text, want string }{
	{"index,scene,seed,status,a\n0,x,1,ok,1\n1,x,1,ok,1\n", "1.csv:3: there are two runs of this point with seed 1"},
	{"index,scene,seed,status,a\n0,\"x,1,ok,1\n", "is not CSV"},
	{"index,scene,seed,status,a\n\"", "1.csv:2: is not CSV"},
}

func TestReadBad(t *testing.T) {
	for _, test := range bad {
		if _, err := readStudy(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got=%v, want an error that contains %s", test.text, err, test.want)
		}
	}
}
