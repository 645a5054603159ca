package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sweepTables are results of sweeps, each with what is special about it.
var sweepTables = map[string]string{
	"several.csv": "index,scene,model,gap,seed,status,error,flow,collisions,order,ns_per_agent_step\n" +
		"0,x,orca,1,1,ok,,1,5,1,100\n1,x,orca,1,2,ok,,2,6,1,110\n2,x,orca,2,1,ok,,3,9,1,90\n3,x,orca,2,2,failed,no,,,,\n" +
		"4,x,steer,1,1,ok,,1,0,1,300\n5,x,steer,1,2,ok,,2,1,1,310\n6,x,steer,2,1,dead,no,,,,\n7,x,steer,2,2,dead,no,,,,\n",
	"one axis.csv":   "index,scene,gap,seed,status,error,flow,ns_per_agent_step\n0,x,1,1,ok,,1,9\n1,x,2,1,ok,,3,8\n2,x,4,1,ok,,5,7\n",
	"no numbers.csv": "index,scene,model,seed,status,error,collisions,ns_per_agent_step\n0,x,a,1,ok,,1,9\n1,x,b,1,ok,,3,8\n2,y,a,1,ok,,5,7\n3,y,b,1,ok,,5,7\n",
	"no cost.csv":    "index,scene,model,seed,status,error,collisions\n0,x,a,1,ok,,1\n1,x,b,1,ok,,3\n",
}

// TestPlotSweep draws sweeps, light and dark, PNG and SVG, and twice with the same bytes.
func TestPlotSweep(t *testing.T) {
	dir := t.TempDir()
	for name, text := range sweepTables {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, more := range [][]string{{"--out", filepath.Join(dir, "a.png")}, {"--out", filepath.Join(dir, "a.svg"), "--dark", "--size", "400x300"}} {
			args := append([]string{"plot", filepath.Join(dir, name)}, more...)
			var pictures [2][]byte
			for i := range pictures {
				code, out, errs := command(t, t.Context(), args...)
				if code != exitOK || !strings.HasSuffix(out, "picture in "+more[1]+"\n") {
					t.Fatalf("%q: exit code %d, %s%s", args, code, out, errs)
				}
				pictures[i], _ = os.ReadFile(more[1])
			}
			checkPicture(t, name, more[1], 1200, pictures[0])
			if !bytes.Equal(pictures[0], pictures[1]) {
				t.Errorf("%s: the same input makes another picture", name)
			}
		}
	}
	code, out, errs := command(t, t.Context(), "plot", filepath.Join(dir, "several.csv"), "--json", "--out", filepath.Join(dir, "b.png"))
	var front struct {
		LeftOut int `json:"left_out"`
		Front   []struct {
			Point   map[string]any
			Figures map[string]float64
		}
	}
	if err := json.Unmarshal([]byte(out), &front); code != exitOK || err != nil || !strings.Contains(errs, "3 of 8 runs left out: 1 failed, 2 dead") {
		t.Fatalf("exit code %d: %v: %s%s", code, err, out, errs)
	}
	if len(front.Front) != 3 || front.LeftOut != 1 || front.Front[0].Point["gap"] != 2. || front.Front[1].Figures["collisions"] != 5.5 {
		t.Errorf("got=%+v", front)
	}
}

// TestPlotSweepErrors verifies that what can't be drawn is named, with what can.
func TestPlotSweepErrors(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "results.csv"), []byte(sweepTables["several.csv"]), 0o666); err != nil {
		t.Fatal(err)
	}
	table := filepath.Join(dir, "results.csv")
	for _, test := range []struct{ args, want string }{
		{"--x flwo", `--x: no column flwo in `},
		{"--pareto flow", "--pareto is flow, want two figures"},
		{"--pareto flow,+flow", "want two figures"},
		{"--pareto flow,cost", `the better direction of cost is unknown`},
		{"--pareto flow,+cost", `--pareto: no column cost in `},
		{"--pareto order,flow", "the better direction of order is unknown: write +order if more is better, or -order if less is"},
		{"--heat gap,gap", "--heat is gap,gap, want two axes"},
		{"--heat gap,agents", `--heat: no axis is called "agents", want one of scene, model, gap`},
		{"--heat gap,model --over scene", "--over is for overview, front, and the picture is heat"},
		{"--pareto flow,collisions --x flow", "--x is for overview, heat, and the picture is front"},
		{"--over model,gap", "--over has all axes that vary"},
		{"--out x.jpg", "--out is x.jpg, want a name that ends with .png or .svg"},
		{"s.csv", "--out is missing, want a name that ends with .png or .svg"},
		{"s.csv --out x.png", "results.csv:2: there are two runs of this point with seed 1"},
	} {
		code, out, errs := command(t, t.Context(), append([]string{"plot", table}, strings.Fields(strings.ReplaceAll(test.args, "s.csv", table))...)...)
		if code != exitBadInput || !strings.Contains(errs, test.want) {
			t.Errorf("%s: exit code %d, got=%s%s, want=%s", test.args, code, out, errs, test.want)
		}
	}
	if code, _, errs := command(t, t.Context(), "plot", t.TempDir()); code != exitBadInput || !strings.Contains(errs, ": has no results.csv") {
		t.Errorf("exit code %d, got=%s", code, errs)
	}
}
