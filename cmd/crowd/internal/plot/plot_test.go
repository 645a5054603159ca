package plot

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

var files = []struct {
	name string
	kind Kind
}{
	{"run.json", RunKind}, {"score.json", TableKind}, {"score.csv", TableKind}, {"bench.json", BenchKind},
	{"bench.txt", BenchKind}, {"motion.csv", MotionKind}, {"table.csv", TableKind},
}

func fixture(name string) string {
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func readText(text string) (*file, error) { return readFile("f", strings.NewReader(text), nil) }

// drawingOf returns the state of the given command after it has read a text.
func drawingOf(text string, o Command) (*drawing, error) {
	f, err := readText(text)
	if err != nil {
		return nil, err
	}
	p := &drawing{Command: &o, style: &LightStyle, files: []*file{f}}
	return p, p.join()
}

func TestKinds(t *testing.T) {
	for _, test := range files {
		for _, text := range []string{fixture(test.name), testkit.Gzip("\ufeff" + fixture(test.name))} {
			f, err := readText(text)
			testkit.Must(t, err)
			testkit.Equal(t, f.Kind, test.kind, "%s", test.name)
		}
	}
	ofFile := strings.Replace(fixture("run.json"), `{"scene":`, `{"file":"x.toml","cannot_arrive":0,"allocs_per_step":0,"scene":`, 1)
	f, err := readText(ofFile)
	testkit.Must(t, err)
	testkit.Equal(t, f.Kind, RunKind, "run of a scene file")
}

func TestGoBench(t *testing.T) {
	f, err := readText(fixture("bench.txt"))
	testkit.Must(t, err)
	r := f.Bench.Results
	if len(r) != 2 || r[0].NsPerAgentStep != 11 || r[1].SpeedUp == nil || *r[1].SpeedUp != 2 || r[1].Workers != 2 {
		t.Errorf("got=%+v, want=11 ns with 1 worker, and a speed-up of 2 with 2 workers", r)
	}
}

func TestShortNames(t *testing.T) {
	for _, test := range []struct{ names, want []string }{
		{[]string{"a.json"}, []string{"a"}},
		{[]string{"x/a.json", "x/b.csv.gz"}, []string{"a", "b"}},
		{[]string{"x/a.json", "x/a.csv", "x/b.json"}, []string{"x/a.json", "x/a.csv", "b"}},
		{[]string{"x/a.json", "y/a.json", "y/b.json"}, []string{"x/a.json", "y/a.json", "b"}},
		{[]string{"a.json", "a.json"}, []string{"a.json", "a.json (2)"}},
	} {
		if got := shortNames(test.names, ".json", ".csv"); !slices.Equal(got, test.want) {
			t.Errorf("%q: got=%q, want=%q", test.names, got, test.want)
		}
	}
}

func TestRunNames(t *testing.T) {
	p, err := drawingOf(fixture("run.json")+"\n"+strings.Replace(fixture("run.json"), "look-ahead=5", "look-ahead=9;mass=2", 1), Command{})
	testkit.Must(t, err)
	if rows := p.rows(); rows[0].name != "look-ahead 5" || rows[1].name != "look-ahead 9, mass 2" {
		t.Errorf("names of runs: got=%q, %q, want=%q, %q", rows[0].name, rows[1].name, "look-ahead 5", "look-ahead 9, mass 2")
	}
}

// TestRunOverview requires that no horizontal line crosses a number.
func TestRunOverview(t *testing.T) {
	p, err := drawingOf(fixture("run.json"), Command{})
	testkit.Must(t, err)
	s, err := p.picture(chartsOf(RunKind)[0])
	testkit.Must(t, err)
	var b bytes.Buffer
	testkit.Must(t, s.Write(&b, "a.svg"))
	lines := regexp.MustCompile(`d="M(\S+),(\S+)L(\S+),(\S+)" style="fill:none;stroke:#DEDEDE`).FindAllStringSubmatch(b.String(), -1)
	texts := regexp.MustCompile(`x="(\S+)" y="-(\S+)"[^>]*>(.*)</text>`).FindAllStringSubmatch(b.String(), -1)
	for _, text := range texts {
		x, y := number(text[1]), number(text[2])
		for _, l := range lines {
			if at := number(l[2]); l[2] == l[4] && number(l[1]) <= x && x <= number(l[3]) && y < at && at < y+6 {
				t.Errorf("%s at %v: got=a line at %v, want none from %v to %v", text[3], x, at, y, y+6)
			}
		}
	}
	if len(texts) == 0 || len(lines) == 0 {
		t.Errorf("got=%d texts and %d lines, want some", len(texts), len(lines))
	}
}

func TestGroups(t *testing.T) {
	p, err := drawingOf("n,arrived_share\n10,0.5\n9,0.25\n10,\n", Command{By: "n"})
	testkit.Must(t, err)
	groups, err := p.groups()
	if err != nil || len(groups) != 2 || groups[0].name != "n 9" || groups[1].name != "n 10" || !slices.Equal(values(groups[1:], "arrived_share"), []float64{50}) {
		t.Errorf("got=%d groups, %v, want=2: n 9, and n 10 with a share of 50%%", len(groups), err)
	}
}

// TestPathsFrame requires a margin around the paths, which span 0 to 7 m, and around a wall.
func TestPathsFrame(t *testing.T) {
	t.Chdir(testkit.Files(t, map[string]string{"wall.toml": "box = [[0, 0], [5, 5]]\n[[groups]]\ncount = 1\nmax-speed = 1\n[obstacles]\nwalls = [{from = [-3, 1], to = [9, 1]}]\n"}))
	text := "id,time,x,y,vx,vy\n1,0,0,0,7,7\n1,1,7,7,7,7\n"
	for _, test := range []struct {
		scene    string
		from, to float64
	}{{"", 0, 7}, {"wall.toml", -3, 9}} {
		p, err := drawingOf(text, Command{Scene: test.scene})
		testkit.Must(t, err)
		p.ctx = t.Context()
		panel, err := p.paths()
		testkit.Must(t, err)
		if panel.X.Min >= test.from || panel.X.Max <= test.to || panel.Y.Min >= 0 || panel.Y.Max <= 7 {
			t.Errorf("scene %q: got=x from %v to %v, y from %v to %v, want more than %v to %v and 0 to 7", test.scene, panel.X.Min, panel.X.Max, panel.Y.Min, panel.Y.Max, test.from, test.to)
		}
	}
}

func TestParseGoal(t *testing.T) {
	for _, test := range []struct{ text, want, err string }{
		{"collisions", "less collisions", ""}, {"lines[0].flow", "more lines[0].flow", ""}, {"-flow", "less flow", ""}, {"+order", "more order", ""},
		{"order", "", "write +order if more is better"},
	} {
		g, err := parseGoal(test.text)
		got := g.better() + " " + g.metric
		if (err == nil) != (test.err == "") || err == nil && got != test.want || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%q: got=%q, error %v, want=%q, or else an error that contains %q", test.text, got, err, test.want, test.err)
		}
	}
}

// FuzzPlot requires one-line errors, and charts with only finite numbers.
func FuzzPlot(f *testing.F) {
	for _, file := range files {
		f.Add([]byte(fixture(file.name)))
	}
	f.Add([]byte(small))
	for _, test := range bad {
		f.Add([]byte(test.text))
	}
	f.Add([]byte(`{"scene":"x","ns_per_agent_step":1e999,"systems":[{}]}{"scene":"x","ns_per_agent_step":-1,"systems":null}`))
	f.Add([]byte("a,b,c\n1e-320,1,1\n1,1e-300,-1e300\n1e300,1e300,1e300\n"))
	f.Add([]byte("index,,,,seed,status,,,,\n,,,,1,ok,,,,\n,,,,2,ok,,,,"))
	f.Add([]byte("id,time,x,y,vx,vy\n1,0,1e308,-1e308,1e308,0\n1,1e300,-1e300,0,1e300,0\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.Contains(text, []byte("NaN")) || bytes.Contains(text, []byte("Inf")) {
			return // a column may have such a name
		}
		p, err := drawingOf(string(text), Command{})
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("got an error with several lines, want one line: %v", err)
			}
			return
		}
		names := p.columns(true)
		for _, c := range chartsOf(p.kind) {
			for _, log := range []bool{false, true} {
				o := Command{Log: log}
				if p.kind.rows() && c.name != "overview" {
					o.X, o.Y = names[0], names[len(names)-1]
				} else if p.kind == SweepKind && len(names) > 0 {
					o.X, o.Pareto = names[0], []string{"-" + names[0], "+" + names[len(names)-1]}
					o.Heat = []string{p.study.axes[0].name, p.study.axes[len(p.study.axes)-1].name}
				}
				s, err := (&drawing{Command: &o, style: p.style, files: p.files, kind: p.kind, study: p.study}).picture(c)
				if err != nil {
					continue
				}
				var b bytes.Buffer
				if s.Write(&b, "a.svg") != nil || bytes.Contains(b.Bytes(), []byte("NaN")) || bytes.Contains(b.Bytes(), []byte("Inf")) {
					t.Errorf("%s, log %v: got an error or a number that is not finite, want a picture with only finite numbers", c.name, log)
				}
			}
		}
	})
}

// crowdLines is a reader of trajectories. Agent i starts at (i, 0), moves 1 m in each step of 1 s, and has the
// velocity (i, 0) m/s, so tests can tell speeds from distances.
type crowdLines struct {
	agents, steps int
	step, agent   int
	rest          bytes.Buffer
}

func (c *crowdLines) Read(b []byte) (int, error) {
	for c.rest.Len() < len(b) && c.step < c.steps {
		if c.step == 0 && c.agent == 0 {
			c.rest.WriteString("id,time,x,y,vx,vy\n")
		}
		fmt.Fprintf(&c.rest, "%d,%d,%d,0,%d,0\n", c.agent, c.step, c.step+c.agent, c.agent)
		if c.agent++; c.agent == c.agents {
			c.agent, c.step = 0, c.step+1
		}
	}
	return c.rest.Read(b)
}

func TestMotion(t *testing.T) {
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for _, test := range []struct{ agents, steps int }{{1001, 5}, {5, 3 * mostMoments}} {
		before := heap()
		f, err := readFile("f", &crowdLines{agents: test.agents, steps: test.steps}, nil)
		testkit.Must(t, err)
		if grown := int64(heap()) - int64(before); grown > 4<<20 {
			t.Errorf("%v: got=%d bytes held, want at most %d", test, grown, 4<<20)
		}
		m := f.Motion
		last := m.Moments[len(m.Moments)-1]
		n := float64(test.agents - 1)
		if m.Rows != test.agents*test.steps || m.Agents != test.agents || last.Agents != test.agents || last.Time != float64(test.steps-1) ||
			last.Speed != [3]float64{n / 4, n / 2, 3 * n / 4} || last.Distance[1] != last.Time || len(m.Moments) > mostMoments+1 {
			t.Errorf("%v: got=%d rows, %d agents, %d moments, the last %+v, want all rows and agents, at most %d moments, the last at %d s with quartiles of 0 to %v m/s and a median distance of %d m",
				test, m.Rows, m.Agents, len(m.Moments), last, mostMoments+1, test.steps-1, n, test.steps-1)
		}
		if want := min(mostPaths, test.agents); len(m.Paths) != want {
			t.Errorf("%v: paths: got=%d, want=%d", test, len(m.Paths), want)
		}
		for id, path := range m.Paths {
			if end := path[len(path)-1].moment; end != last.number {
				t.Errorf("%v: path of %d: got=moment %d at the end, want=%d", test, id, end, last.number)
			}
			for i, at := range path {
				if at.x != at.time+float64(id) || i > 0 && i < len(path)-1 && at.moment-path[i-1].moment != m.Moments[1].number {
					t.Fatalf("%v: path of %d, place %d: got=%+v, want x=%v and one place in %d moments", test, id, i, at, at.time+float64(id), m.Moments[1].number)
				}
			}
		}
	}
}
