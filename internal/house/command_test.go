package house

import (
	"strings"
	"testing"
)

const command = module + "/cmd/crowd"

// floors are the packages of the command, the lowest floor first. A package may import
// those on lower floors.
var floors = [][]string{
	{"animation", "guard", "lock", "machine", "numbers", "output", "picture", "quantile", "samehost", "terminal", "verify/recording", "version", "walkable"},
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
