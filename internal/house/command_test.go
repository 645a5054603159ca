package house

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const command = module + "/cmd/crowd"

// TestCommandIsThin holds that package main of the command is flags and wiring: what a
// command does stands in a package of its own.
func TestCommandIsThin(t *testing.T) {
	const most = 15
	files, err := filepath.Glob(filepath.Join(root, "cmd", "crowd", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	if len(files) == 0 || len(files) > most {
		t.Errorf("cmd/crowd has %d files, want at most %d", len(files), most)
	}
}

// floors are the packages of the command, the lowest floor first. A package may import
// those on lower floors.
var floors = [][]string{
	{"guard", "lock", "numbers", "output", "quantile", "samehost", "terminal", "verify/recording", "version", "walkable"},
	{"interrupt", "memory", "sweep/engine", "usage", "verify/experiment"},
	{"arrival", "console"},
	{"beside", "camera", "completion", "exposed", "measurements", "report", "trajectories"},
	{"simulation"},
	{"bench", "explain", "gallery", "profile", "render", "replaying", "saved", "score", "site", "sweep/results", "sweep/spec"},
	{"plot/data", "plot/plottest", "plot/sheet", "plot/study", "sweep/shard", "sweep/status", "sweep/trial"},
	{"plot", "sweep", "verify", "ways"},
}

// TestFloorsOfCommand holds which packages of the command may import which, and that
// only bench imports the benchmarks.
func TestFloorsOfCommand(t *testing.T) {
	floor := map[string]int{}
	for i, names := range floors {
		for _, name := range names {
			floor[name] = i
		}
	}
	for _, p := range list(t, "./cmd/crowd/internal/...") {
		name := strings.TrimPrefix(p.ImportPath, command+"/internal/")
		own, known := floor[name]
		if !known {
			t.Errorf("%s is on no floor", p.ImportPath)
		}
		for _, imported := range p.Imports {
			if imported == module+"/benchmarks" && name != "bench" {
				t.Errorf("%s imports the benchmarks", p.ImportPath)
			}
			if sibling, ok := strings.CutPrefix(imported, command+"/internal/"); ok && floor[sibling] >= own {
				t.Errorf("%s imports %s, which is on no lower floor", p.ImportPath, sibling)
			}
		}
	}
}
