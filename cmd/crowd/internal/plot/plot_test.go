package plot

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
)

// files are one or two of each kind.
var files = []struct {
	name string
	kind Kind
}{
	{"run.json", RunKind}, {"score.json", ScoreKind}, {"score.csv", ScoreKind}, {"bench.json", BenchKind},
	{"bench.txt", BenchKind}, {"motion.csv", MotionKind}, {"table.csv", TableKind},
}

func fixture(name string) string {
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// drawingOf reads a text, without a command line.
func drawingOf(text string, o Command) (*drawing, error) {
	f, err := ReadFile("f", strings.NewReader(text), nil)
	if err != nil {
		return nil, err
	}
	p := &drawing{Command: &o, style: &LightStyle, files: []*File{f}}
	return p, p.join()
}

// TestRunNames verifies that runs of one file are named by what they were started with.
func TestRunNames(t *testing.T) {
	p, err := drawingOf(fixture("run.json")+"\n"+strings.Replace(fixture("run.json"), "look-ahead=5", "look-ahead=9;mass=2", 1), Command{})
	if err != nil {
		t.Fatal(err)
	}
	if rows := p.rows(); rows[0].name != "look-ahead 5" || rows[1].name != "look-ahead 9, mass 2" {
		t.Errorf("got=%q, %q", rows[0].name, rows[1].name)
	}
}

// TestGroups verifies that the values of a column become groups in order, in the unit of the picture.
func TestGroups(t *testing.T) {
	p, err := drawingOf("n,arrived_share\n10,0.5\n9,0.25\n10,\n", Command{By: "n"})
	if err != nil {
		t.Fatal(err)
	}
	groups, err := p.groups()
	if err != nil || len(groups) != 2 || groups[0].name != "n 9" || groups[1].name != "n 10" || !slices.Equal(values(groups[1:], "arrived_share"), []float64{50}) {
		t.Errorf("got=%v, %v", groups, err)
	}
}

func TestParseGoal(t *testing.T) {
	for _, test := range []struct{ text, want, err string }{
		{"collisions", "less collisions", ""}, {"lines[0].flow", "more lines[0].flow", ""}, {"-flow", "less flow", ""}, {"+order", "more order", ""},
		{"order", "", "write +order if more is"}, {"", "", "names no figure"}, {"+-flow", "", "one sign"},
	} {
		g, err := parseGoal(test.text)
		got := map[bool]string{true: "more ", false: "less "}[g.more] + g.figure
		if (err == nil) != (test.err == "") || err == nil && got != test.want || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%q: got=%v, %v, want=%v, %s", test.text, got, err, test.want, test.err)
		}
	}
}

// FuzzPlot draws all charts of anything that can be read.
func FuzzPlot(f *testing.F) {
	for _, file := range files {
		f.Add([]byte(fixture(file.name)))
	}
	f.Add([]byte(small))
	f.Add([]byte(`{"scene":"x","ns_per_agent_step":1e999,"systems":[{}]}{"scene":"x","ns_per_agent_step":-1,"systems":null}`))
	f.Add([]byte("a,b,c\n1e-320,1,1\n1,1e-300,-1e300\n1e300,1e300,1e300\n"))
	f.Add([]byte("id,time,x,y,vx,vy\n1,0,1e308,-1e308,1e308,0\n1,1e300,-1e300,0,1e300,0\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.Contains(text, []byte("NaN")) || bytes.Contains(text, []byte("Inf")) {
			return // as the name of a column, for instance
		}
		p, err := drawingOf(string(text), Command{})
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %v", err)
			}
			return
		}
		for _, c := range charts[p.kind] {
			for _, log := range []bool{false, true} {
				o := Command{Log: log}
				if names := p.columns(true); p.kind.rows() && c.name != "overview" {
					o.X, o.Y = names[0], names[len(names)-1]
				}
				s, err := c.draw(&drawing{Command: &o, style: p.style, files: p.files, kind: p.kind, study: p.study})
				if err != nil {
					continue
				}
				var b bytes.Buffer
				if s.Write(&b, "a.svg") != nil || bytes.Contains(b.Bytes(), []byte("NaN")) || bytes.Contains(b.Bytes(), []byte("Inf")) {
					t.Errorf("%s, log %v: a number in the picture is not finite", c.name, log)
				}
			}
		}
	})
}
