package command

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
)

var plotFixtures, _ = filepath.Abs("../internal/plot/testdata") // before tests change the folder

// plotFixture returns a file to draw.
func plotFixture(name string) string {
	text, err := os.ReadFile(filepath.Join(plotFixtures, name))
	if err != nil {
		panic(err)
	}
	return string(text)
}

// TestPlotEach draws every chart of every kind of file, alone or two at a time. The first chart of
// each file is also drawn as PNG, and twice with the same bytes.
func TestPlotEach(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		name string
		kind plot.Kind
	}{
		{"run.json", plot.RunKind}, {"score.json", plot.ScoreKind}, {"score.csv", plot.ScoreKind}, {"bench.json", plot.BenchKind},
		{"bench.txt", plot.BenchKind}, {"motion.csv", plot.MotionKind}, {"table.csv", plot.TableKind},
	} {
		file := filepath.Join(dir, test.name)
		if err := os.WriteFile(file, []byte(plotFixture(test.name)), 0o666); err != nil {
			t.Fatal(err)
		}
		for i, name := range plot.ChartNames(test.kind) {
			x := map[plot.Kind]string{plot.TableKind: "depth"}[test.kind]
			if x == "" {
				x = "agents"
			}
			args := []string{"plot", file}
			switch name {
			case "scatter", "curve":
				args = append(args, "--x", x, "--y", x, "--log")
			case "rows", "ecdf":
				args = append(args, "--x", x)
			case "paths", "cost":
				args = append(args, file) // beside itself
			case "distance":
				args = append(args, "--to", "1,2")
			}
			args = append(args, "--what", name)
			kinds := [][]string{{"--out", "a.svg", "--dark", "--size", "400x300"}}
			if i == 0 { // all are drawn by one pen
				kinds = append(kinds, []string{"--out", "a.png", "--size", "400x300"})
			}
			for _, more := range kinds {
				code, out, errs := command(t, context.Background(), append(args, more...)...)
				if code != exitOK || out != "picture in "+more[1]+"\n" {
					t.Errorf("%q: exit code %d, %s%s", args, code, out, errs)
					continue
				}
				picture, err := os.ReadFile(more[1])
				if err != nil {
					t.Fatal(err)
				}
				checkPicture(t, fmt.Sprintf("%q", args), more[1], 400, picture)
				if i > 0 {
					continue
				}
				if code, _, errs := command(t, context.Background(), append(args, more...)...); code != exitOK {
					t.Error(errs)
				}
				if again, err := os.ReadFile(more[1]); err != nil || !bytes.Equal(picture, again) {
					t.Errorf("%q: the same input makes another %s: %v", args, more[1], err)
				}
			}
		}
	}
}

// checkPicture verifies that a PNG has ink and a width, or that an SVG is whole.
func checkPicture(t *testing.T, what, name string, width int, picture []byte) {
	t.Helper()
	if strings.HasSuffix(name, ".png") {
		m, err := png.Decode(bytes.NewReader(picture))
		if err != nil || m.Bounds().Dx() != width {
			t.Errorf("%s: %v", what, err)
			return
		}
		ink, size := 0, m.Bounds().Size()
		for y := range size.Y {
			for x := range size.X {
				if r, g, b, _ := m.At(x, y).RGBA(); min(r, g, b) < 0x8000 {
					ink++
				}
			}
		}
		if ink < 500 || ink > size.X*size.Y/2 {
			t.Errorf("%s: %d of %d pixels are drawn", what, ink, size.X*size.Y)
		}
		return
	}
	dec := xml.NewDecoder(bytes.NewReader(picture))
	for {
		if _, err := dec.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
	}
	for _, want := range []string{`width="300pt" height="225pt"`} {
		if !bytes.Contains(picture, []byte(want)) {
			t.Errorf("%s: the picture lacks %s", what, want)
		}
	}
	if bytes.Contains(picture, []byte("NaN")) || bytes.Contains(picture, []byte("Inf")) {
		t.Errorf("%s: a number in the picture is not finite", what)
	}
}

// TestPlotNotes verifies that what is missing is counted.
func TestPlotNotes(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct{ text, args, want string }{
		{plotFixture("score.json"), "--x mean_arrival_time", "not measured in 2 of 4 scenes: \\\"arrival time, mean\\\""},
		{plotFixture("score.csv"), "--x agents --y mean_arrival_time", "not measured in 2 of 3 scenes: \\\"arrival time, mean\\\""},
		{plotFixture("score.json"), "--x collisions --log", "1 of collisions are not above 0"},
		{plotFixture("score.json"), "--x agents --y collisions --log", "1 scene not above 0"},
		{plotFixture("motion.csv"), "", "1 of 6 rows of f have a number that is missing or not finite"},
	} {
		file := filepath.Join(dir, "f")
		if err := os.WriteFile(file, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		code, _, errs := command(t, context.Background(), append(strings.Fields("plot "+file+" -o a.png"), strings.Fields(test.args)...)...)
		if code != exitOK || !strings.Contains(errs, test.want) {
			t.Errorf("%s: exit code %d, got=%s, want=%s", test.args, code, errs, test.want)
		}
	}
}

// TestPlotErrors verifies that an error is one line with the file, the line where there
// is one, and what is allowed.
func TestPlotErrors(t *testing.T) {
	dir := t.TempDir()
	var cut bytes.Buffer
	z := gzip.NewWriter(&cut)
	for range 1000 {
		fmt.Fprintf(z, "%s", plotFixture("motion.csv")[18:])
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ text, args, want string }{
		{"", "", "f: is empty"},
		{" \n\n", "", "f: is empty"},
		{`{"scene":` + "\n\n", "", "f:1: is cut off: the JSON ends too early"},
		{"[{\"a\":1},\n\n{\"a\":x}]", "", "f:3: is not JSON: invalid character 'x'"},
		{`[1,2]`, "", "f:1: value 1 is 1, want an object"},
		{`{"a":"b"}`, "", "f: has no numbers; want what run or bench print"},
		{`{"go_version":"1","results":[]}`, "", "f:1: has no results"},
		{`{"go_version":"1","results":[{"name":"a","agents":0}]}`, "", "f:1: has a bad result 1 (a): want agents, workers, steps and samples above 0"},
		{plotFixture("bench.json") + plotFixture("run.json"), "", "f:4: has more than the results of a bench: want them alone in a file"},
		{"goos: linux\nBenchmarkA-2 1 2 ns/op\n", "", "f: no benchmark has the unit ns/agent"},
		{"a,b\n", "", "f: has no rows after the first line"},
		{"a,b\nx,y\n", "", "f: has no column of numbers"},
		{"a,b\n1,2\n3\n", "", "f:3: 1 cell, want 2 as in the first line"},
		{"a,a\n1,2\n", "", "f:1: two columns are called a"},
		{"a,b\n1,\"2\n", "", "f:2: is not CSV"},
		{"just words\n", "", "f: has no rows after"},
		{"\x00\x01", "", "f: is not text"},
		{"PAR1", "", "f: is a Parquet file"},
		{"SQLite format 3\x00", "", "f: is a database"},
		{"-- JuPedSim's trajectories\n", "", "f: is a database"},
		{"# framerate: 10\n", "", "f: is a file for PedPy"},
		{cut.String()[:cut.Len()/2], "", "f: is cut off: the compressed data end too early"},
		{"\x1f\x8bxx", "", "f: gzip data cut short"},
		{"id,time,x,y,vx,vy\n", "", "f: has no rows with numbers"},
		{"id,time,x,y,vx,vy\n1,0,0,0\n", "", "f:2: 4 cells, want 6"},
		{"id,time,x,y,vx,vy\nA,0,0,0,0,0\n", "", `f:2: id is "A", want a whole number`},
		{"id,time,x,y,vx,vy\n1,0,0,0,0,b\n", "", `f:2: vy is "b", want a number`},
		{"id,time,x,y,vx,vy\n1,1,0,0,0,0\n1,0,0,0,0,0\n", "", "f:3: time goes back from 1 to 0"},
		{plotFixture("run.json"), "--what nosuch", "no chart nosuch for "},
		{plotFixture("run.json"), "--what nosuch", "which is the report of a run; want one of overview, histogram"},
		{plotFixture("score.json"), "--x nosuch", "--x: no column nosuch in "},
		{plotFixture("score.json"), "--x scene", "--x: scene has no numbers in "},
		{plotFixture("score.json"), "--x agents --by nosuch", "--by: no column nosuch in "},
		{plotFixture("score.json"), "--y agents", "--y is for scatter, curve, and the picture is overview"},
		{plotFixture("score.json"), "--what scatter", "--x is missing, want one of: cannot_arrive, agents, mean_arrival_time, collisions"},
		{plotFixture("score.json"), "--what scatter --x agents", "--y is missing"},
		{plotFixture("score.json"), "--to 1,2", "--to is for trajectories, and "},
		{plotFixture("motion.csv"), "--x time", "--x is for the report of a run, the rows of a score, the results of a bench, a table, a sweep, and "},
		{plotFixture("motion.csv"), "--to 1", "--to is [1], want X,Y"},
		{plotFixture("table.csv"), "--x depth --out x.pdf", "--out is x.pdf, want a name that ends with .png or .svg"},
		{plotFixture("table.csv"), "--size 1", "--size has 1, want 200 to 10000 pixels"},
		{plotFixture("table.csv"), "--out no/such/folder.png", "--out is no/such/folder.png: no such folder"},
		{plotFixture("table.csv"), "nosuch.json", "nosuch.json: no such file or directory"},
		{plotFixture("table.csv"), "..", "..: has no results.csv"},
	} {
		file := filepath.Join(dir, "f")
		if err := os.WriteFile(file, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"plot", file}, strings.Fields(test.args)...)
		if !strings.Contains(test.args, "--out") {
			args = append(args, "--out", "a.png")
		}
		code, out, errs := command(t, context.Background(), args...)
		if code != exitBadInput || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%.40q %s: exit code %d, want 2, and one line with %q, got:\n%s%s", test.text, test.args, code, test.want, out, errs)
		}
	}
}

// TestPlotMixed verifies that trajectories are not drawn with figures, and that
// figures of several kinds are.
func TestPlotMixed(t *testing.T) {
	dir := scenesFolder(t, map[string]string{"m.csv": plotFixture("motion.csv"), "r.json": plotFixture("run.json"), "s.json": plotFixture("score.json")})
	at := func(name string) string { return filepath.Join(dir, name) }
	code, _, errs := command(t, context.Background(), "plot", at("r.json"), at("m.csv"), "-o", "a.png")
	if want := "want files of one kind"; code != exitBadInput || !strings.Contains(errs, want) {
		t.Errorf("exit code %d, got=%s, want=%s", code, errs, want)
	}
	if code, _, errs := command(t, context.Background(), "plot", at("r.json"), at("s.json"), "--x", "agents", "-o", "a.png"); code != exitOK {
		t.Errorf("exit code %d, %s", code, errs)
	}
}

// TestPlotScene verifies that the obstacles of a scene are drawn beneath paths, and that an
// unknown scene is named.
func TestPlotScene(t *testing.T) {
	file := filepath.Join(t.TempDir(), "motion.csv")
	if err := os.WriteFile(file, []byte(plotFixture("motion.csv")), 0o600); err != nil {
		t.Fatal(err)
	}
	ink := func(args ...string) (n int) {
		code, _, errs := command(t, context.Background(), append([]string{"plot", file, "--what", "paths", "--out", "x.png"}, args...)...)
		if code != exitOK {
			t.Fatal(errs)
		}
		f, err := os.ReadFile("x.png")
		if err != nil {
			t.Fatal(err)
		}
		m, err := png.Decode(bytes.NewReader(f))
		if err != nil {
			t.Fatal(err)
		}
		for y := range m.Bounds().Dy() {
			for x := range m.Bounds().Dx() {
				if r, g, b, _ := m.At(x, y).RGBA(); min(r, g, b) < 0xc000 {
					n++
				}
			}
		}
		return n
	}
	if with, without := ink("--scene", "bottleneck"), ink(); with < without+500 {
		t.Errorf("ink: got=%d with obstacles, %d without", with, without)
	}
	if code, _, errs := command(t, context.Background(), "plot", file, "--out", "x.png", "--scene", "nosuch"); code != exitBadInput || !strings.Contains(errs, `--scene: no scene or file is named "nosuch"`) {
		t.Errorf("exit code %d, %s", code, errs)
	}
	if code, _, errs := command(t, context.Background(), "plot", file, "--out", "x.png", "--what", "speed", "--scene", "bottleneck"); code != exitBadInput || !strings.Contains(errs, "--scene is for overview, paths") {
		t.Errorf("exit code %d, %s", code, errs)
	}
}
