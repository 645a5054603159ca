package command

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/internal/testkit"
)

func plotFixture(name string) string {
	text, err := os.ReadFile(filepath.Join(here, "../internal/plot/testdata", name))
	if err != nil {
		panic(err)
	}
	return string(text)
}

// TestPlotEach draws every chart of every kind of file except sweeps as SVG, and the first chart of each file
// as PNG.
func TestPlotEach(t *testing.T) {
	for _, test := range []struct {
		name string
		kind plot.Kind
	}{
		{"run.json", plot.RunKind}, {"score.json", plot.TableKind}, {"score.csv", plot.TableKind}, {"bench.json", plot.BenchKind},
		{"bench.txt", plot.BenchKind}, {"motion.csv", plot.MotionKind}, {"table.csv", plot.TableKind},
	} {
		t.Chdir(testkit.Files(t, map[string]string{test.name: plotFixture(test.name)}))
		for i, name := range plot.ChartNames(test.kind) {
			x := "agents"
			if test.name == "table.csv" {
				x = "depth"
			}
			line := test.name + " --size 400x300 --what " + name
			switch name {
			case "scatter", "curve":
				line += " --log --x " + x + " --y " + x
			case "rows", "ecdf":
				line += " --x " + x
			case "paths", "cost":
				line = test.name + " " + line // plot it together with itself
			case "distance":
				line += " --to 1,2"
			}
			plotted(t, "plot "+line+" --dark --out a.svg", 400, i == 0)
			if i == 0 { // one pen draws all charts
				plotted(t, "plot "+line+" --out a.png", 400, true)
			}
		}
	}
}

// plotted draws and checks a picture, and returns the standard error. If again is true, a second picture must
// have the same bytes.
func plotted(t *testing.T, line string, width int, again bool) (errs string) {
	t.Helper()
	name := line[strings.LastIndex(line, " ")+1:]
	out, errs := succeed(t, line)
	if !strings.HasSuffix(out, "picture in "+name+"\n") {
		t.Errorf("%s: got=%s, want picture in %s", line, out, name)
	}
	picture := readFile(t, name)
	checkPicture(t, line, name, width, picture)
	if again {
		succeed(t, line)
		if !bytes.Equal(picture, readFile(t, name)) {
			t.Errorf("%s: got other bytes the second time, want the same", line)
		}
	}
	return errs
}

// checkPicture verifies that a picture has the given width in pixels, and that a PNG has ink, or that an SVG
// is well-formed and finite.
func checkPicture(t *testing.T, what, name string, width int, picture []byte) {
	t.Helper()
	if strings.HasSuffix(name, ".png") {
		m, err := png.Decode(bytes.NewReader(picture))
		testkit.Must(t, err)
		size := m.Bounds().Size()
		if n := ink(m, 0x8000); size.X != width || n < 500 || n > size.X*size.Y/2 {
			t.Errorf("%s: got=%d dark of %v pixels, want a width of %d, and 500 to half of them dark", what, n, size, width)
		}
		return
	}
	testkit.Must(t, xml.Unmarshal(picture, new(struct{})))
	contains(t, what, string(picture), fmt.Sprintf(`width="%dpt"`, width*3/4))
	if bytes.Contains(picture, []byte("NaN")) || bytes.Contains(picture, []byte("Inf")) {
		t.Errorf("%s: the picture has NaN or Inf, want finite numbers", what)
	}
}

// ink counts the pixels that are darker than light.
func ink(m image.Image, light uint32) (n int) {
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			if r, g, b, _ := m.At(x, y).RGBA(); min(r, g, b) < light {
				n++
			}
		}
	}
	return n
}

func TestPlotNotes(t *testing.T) {
	t.Chdir(testkit.Files(t, map[string]string{"score.json": plotFixture("score.json"), "score.csv": plotFixture("score.csv"), "motion.csv": plotFixture("motion.csv"), "run.json": plotFixture("run.json")}))
	for args, want := range map[string]string{
		"score.json --x mean_arrival_time":           "not measured in 2 of 4 rows: \\\"mean arrival time\\\"",
		"score.csv --x agents --y mean_arrival_time": "not measured in 2 of 3 rows: \\\"mean arrival time\\\"",
		"score.json --x collisions --log":            "1 value of collisions left out",
		"score.json --x agents --y collisions --log": "1 row left out",
		"motion.csv":                     "motion: rows left out because a number is missing or cannot be drawn: 1 of 6",
		"run.json score.json --x agents": "", // metrics of several kinds
	} {
		_, errs := succeed(t, "plot -o a.png "+args)
		contains(t, args, errs, want)
	}
}

func TestPlotFiles(t *testing.T) {
	zipped := testkit.Gzip(strings.Repeat(plotFixture("motion.csv")[18:], 1000))
	t.Chdir(t.TempDir())
	for _, test := range []struct{ text, want string }{
		{"", "f: is empty"},
		{" \n\n", "f: is empty"},
		{`{"scene":` + "\n\n", "f: is truncated"},
		{"[{\"a\":1},\n\n{\"a\":x}]", "f:3: is not JSON: invalid character 'x'"},
		{`[1,2]`, "f:1: value 1 is 1, want an object"},
		{`{"a":"b"}`, "f: has no numbers; want the output of run or bench"},
		{`{"go_version":"1","results":[]}`, "f:1: has no results"},
		{`{"go_version":"1","results":[{"name":"a","agents":0}]}`, "f:1: has a bad result 1 (a): want agents, workers, steps and samples above 0"},
		{plotFixture("bench.json") + plotFixture("run.json"), "f:6: contains the results of a benchmark and other values, want only one of them"},
		{"goos: linux\nBenchmarkA-2 1 2 ns/op\n", "f: no benchmark with agents=N in its name has the unit ns/agent"},
		{"a,b\n", "f: has no column of numbers"},
		{"a,b\nx,y\n", "f: has no column of numbers"},
		{"a,b\n1,2\n3\n", "f:3: is not CSV: wrong number of fields"},
		{"a,a\n1,2\n", "f:1: two columns are named a"},
		{"a,b\n1,\"2\n", "f:2: is not CSV"},
		{"\x00\x01", "f: is not text"},
		{zipped[:len(zipped)/2], "f: is truncated"},
		{"\x1f\x8bxx", "f: gzip data cut short"},
		{"id,time,x,y,vx,vy\n", "f: has no rows with numbers"},
		{"id,time,x,y,vx,vy\n1,0,0,0\n", "f:2: is not CSV: wrong number of fields"},
		{"id,time,x,y,vx,vy\nA,0,0,0,0,0\n", `f:2: id is "A", want a whole number`},
		{"id,time,x,y,vx,vy\n1,1,0,0,0,0\n1,0,0,0,0,0\n", "f:3: time goes back from 1 to 0"},
	} {
		testkit.Must(t, os.WriteFile("f", []byte(test.text), 0o666))
		refuses(t, "plot f --out a.png", []refusal{{"", test.want}})
	}
}

func TestPlotScene(t *testing.T) {
	scene := func(open string) string {
		return "box = [[0, 0], [5, 5]]\n[[groups]]\ncount = 1\nmax-speed = 1\n[obstacles]\ndoors = [{from = [0, 1], to = [5, 1], radius = 0.5" + open + "}]\n"
	}
	t.Chdir(testkit.Files(t, map[string]string{"motion.csv": plotFixture("motion.csv"), "open.toml": scene(", open = true"), "opens.toml": scene(", opens = 1"), "late.toml": scene(", opens = 2"), "closed.toml": scene("")}))
	dark := map[string]int{} // pixels
	for _, flag := range []string{"", "--scene bottleneck", "--scene open.toml", "--scene opens.toml", "--scene late.toml", "--scene closed.toml"} {
		succeed(t, "plot motion.csv --what paths --out x.png "+flag)
		m, err := png.Decode(bytes.NewReader(readFile(t, "x.png")))
		testkit.Must(t, err)
		dark[strings.TrimPrefix(flag, "--scene ")] = ink(m, 0xc000)
	}
	without := dark[""]
	if dark["bottleneck"] < without+500 || dark["open.toml"] != without || dark["opens.toml"] != without ||
		dark["late.toml"] < without+500 || dark["closed.toml"] != dark["late.toml"] {
		t.Errorf("dark pixels: got=%v, want 500 more than without a scene, except for a door that is open at some time", dark)
	}
}

func TestPlotHistograms(t *testing.T) {
	text := "group,x,y\n1,-95,1\n1,130,2\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,%v,%v\n", i%9, 1+0.01*float64(i%20), math.Pow(10, float64(i%7)))
	}
	t.Chdir(testkit.Files(t, map[string]string{"t.csv": text}))
	for args, want := range map[string]string{"--x x --by group": ": the first and the last bar include ", "--x x": ": the first and the last bar include ", "--x y --by group": "", "--x x --log": ""} {
		contains(t, args, plotted(t, "plot t.csv --size 400 --dark "+args+" --out a.svg", 400, false), want)
	}
}

var sweepTables = map[string]string{
	"several.csv": "index,scene,model,gap,seed,status,error,flow,collisions,order,ns_per_agent_step\n" +
		"0,x,orca,1,1,ok,,1,5,1,100\n1,x,orca,1,2,ok,,2,6,1,110\n2,x,orca,2,1,ok,,3,9,1,90\n3,x,orca,2,2,failed,no,,,,\n" +
		"4,x,steer,1,1,ok,,1,0,1,300\n5,x,steer,1,2,ok,,2,1,1,310\n6,x,steer,2,1,dead,no,,,,\n7,x,steer,2,2,dead,no,,,,\n",
	"one-axis.csv":   "index,scene,gap,seed,status,error,flow,ns_per_agent_step\n0,x,1,1,ok,,1,9\n1,x,2,1,ok,,3,8\n2,x,4,1,ok,,5,7\n",
	"no-numbers.csv": "index,scene,model,seed,status,error,collisions,ns_per_agent_step\n0,x,a,1,ok,,1,9\n1,x,b,1,ok,,3,8\n2,y,a,1,ok,,5,7\n3,y,b,1,ok,,5,7\n",
	"no-cost.csv":    "index,scene,model,seed,status,error,collisions\n0,x,a,1,ok,,1\n1,x,b,1,ok,,3\n",
}

func TestPlotSweep(t *testing.T) {
	t.Chdir(testkit.Files(t, sweepTables))
	plotted(t, "plot several.csv --out a.png", 1200, false)
	for name := range sweepTables {
		plotted(t, "plot "+name+" --size 600x400 --out a.png", 600, false)
		plotted(t, "plot "+name+" --dark --size 400x300 --out a.svg", 400, true)
	}
	out, errs := succeed(t, "plot several.csv --json --out b.png")
	contains(t, "notes", errs, "3 of 8 runs left out, because they failed")
	front := decode[struct {
		LeftOut int `json:"left_out"`
		Front   []struct {
			Point   map[string]any
			Figures map[string]float64
		}
	}](t, out)
	if len(front.Front) != 3 || front.LeftOut != 1 || front.Front[0].Point["gap"] != 2. || front.Front[1].Figures["collisions"] != 5.5 {
		t.Errorf("got=%+v, want 3 points on the front, and 1 left out", front)
	}
}
