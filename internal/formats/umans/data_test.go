package umans

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

// expectedErrors are the files that are no scenario, by what is wrong with them.
var expectedErrors = map[string]string{
	"1to10-180Degrees-ORCA.xml":     "agents/1to10-180Degrees.xml:2 (from 1to10-180Degrees-ORCA.xml:5): root element <Simulation>: want <Agents>",
	"agents/1to10-180Degrees.xml":   "agents/1to10-180Degrees.xml:3: second root element <Agents> after <Simulation>: want one",
	"BlockTest.xml":                 "BlockTest.xml:2: no agents: want at least one <Agent>",
	"custom/RoomEvacuationTest.xml": `custom/RoomEvacuationTest.xml:8: <Agents> file="../agents/Room400_v2.xml": stat agents/Room400_v2.xml: no such file or directory`,
}

// scenarios are the simulations, with the agents file that each names.
var scenarios = map[string]string{
	"1to1-180Degrees-ORCA.xml":  "1to1-180Degrees.xml",
	"1to1-90Degrees-ORCA.xml":   "1to1-90Degrees.xml",
	"1to10-45Degrees-ORCA.xml":  "1to10-45Degrees.xml",
	"25to25-90Degrees-ORCA.xml": "25to25-90Degrees.xml",
	"Circle10-ORCA.xml":         "Circle10.xml",
	"Circle25-ORCA.xml":         "Circle25.xml",
	"Circle5-ORCA.xml":          "Circle5.xml",
	"OneWayFlow100-ORCA.xml":    "OneWayFlow100.xml",
}

// TestReadData reads every UMANS file of the manifest, and compares the counts.
func TestReadData(t *testing.T) {
	dir, rows := testkit.DataDir(t), testkit.DataManifest(t)
	agents := map[string]int{} // by name of the agents file
	for _, row := range rows {
		agents[strings.TrimPrefix(row[0], "umans/agents/")], _ = strconv.Atoi(row[3])
	}
	read := 0
	for _, row := range rows {
		name, ok := strings.CutPrefix(row[0], "umans/")
		if !ok || !strings.Contains(name, ".xml") {
			continue
		}
		read++
		path, o := filepath.Join(dir, "umans", name), Options{}
		wantAgents, wantObstacles := 0, 0
		switch {
		case strings.HasPrefix(name, "obstacles/"):
			o.Obstacles, path = path, filepath.Join(dir, "umans", "agents", "Circle5.xml")
			wantAgents = 5
			wantObstacles, _ = strconv.Atoi(row[4])
		case strings.HasPrefix(name, "agents/"):
			wantAgents, _ = strconv.Atoi(row[3])
		case name == "Toric.xml":
			wantAgents = 1
		default:
			wantAgents = agents[scenarios[name]]
		}
		sim, err := Read(path, o)
		if want := expectedErrors[name]; want != "" {
			got := "no error"
			if err != nil {
				got = strings.ReplaceAll(err.Error(), filepath.Join(dir, "umans")+string(filepath.Separator), "")
			}
			if got != want {
				t.Errorf("%s:\ngot= %s\nwant=%s", name, got, want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(sim.Agents) != wantAgents || len(sim.Obstacles) != wantObstacles {
			t.Errorf("%s: got=%d agents, %d obstacles, want=%d, %d", name, len(sim.Agents), len(sim.Obstacles), wantAgents, wantObstacles)
		}
		if isSimulation := !strings.Contains(name, "/"); isSimulation && (sim.Dt != 0.1 || sim.EndTime != 100 || len(sim.Warnings) != 1) {
			t.Errorf("%s: got=step %v, end %v, warnings %q, want=0.1, 100 and one of policies", name, sim.Dt, sim.EndTime, sim.Warnings)
		}
	}
	if read == 0 {
		t.Error("got=no UMANS file in the manifest, want=some")
	}
}
