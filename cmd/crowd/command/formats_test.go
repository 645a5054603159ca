package command

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/testkit"
)

// TestForeignFiles runs each geometry of JuPedSim and each file of Menge to its end, or to one
// clear error, and draws it.
func TestForeignFiles(t *testing.T) {
	for _, test := range []struct {
		name    string
		agents  int
		arrived float64 // share of the agents that arrive, at least
	}{
		{name: "jupedsim/bottleneck.wkt", agents: 60, arrived: 1},
		{name: "jupedsim/corner_with_shortcut.wkt", agents: 100, arrived: 1},
		{name: "jupedsim/crossing.wkt", agents: 40, arrived: 1},
		{name: "jupedsim/double_bottleneck.wkt", agents: 28, arrived: 1},
		{name: "jupedsim/room_with_alcoven.wkt", agents: 36, arrived: 1},
		{name: "jupedsim/t_shaped_room.wkt", agents: 28, arrived: 1},
		{name: "menge/4square.xml", agents: 100, arrived: 0.9},
		{name: "menge/bottleneck.xml", agents: 5, arrived: 1},
		{name: "menge/circle.xml", agents: 100, arrived: 1},
		{name: "menge/cross.xml", agents: 4, arrived: 1},
		{name: "menge/headon.xml", agents: 2, arrived: 1},
		{name: "menge/pedModelSwap.xml", agents: 102, arrived: 0.4}, // the others walk on for ever
		{name: "menge/persistGoal.xml", agents: 8, arrived: 1},
		{name: "menge/profileSelect.xml", agents: 75, arrived: 1},
		{name: "menge/swap.xml", agents: 2, arrived: 1},
		{name: "menge/maze/mazeS.xml", agents: 30},
		{name: "menge/maze/mazeFieldB.xml"},
	} {
		path := filepath.Join(testkit.DataDir(t, strings.Split(test.name, "/")[0]), filepath.FromSlash(test.name[strings.Index(test.name, "/"):]))
		t.Run(test.name, func(t *testing.T) {
			args := []string{"run", path, "--json", "-q", "--picture", filepath.Join(t.TempDir(), "x.png")}
			code, out, errs := command(t, context.Background(), args...)
			if test.agents == 0 {
				if code != exitBadInput || !strings.Contains(errs, ":3: <BFSM> has a behavior, but no agents") || strings.Count(errs, "\n") != 1 {
					t.Errorf("exit code %d, want 2 and why:\n%s", code, errs)
				}
				return
			}
			var r report.Report
			if err := json.Unmarshal([]byte(out), &r); err != nil || code != exitOK {
				t.Fatalf("exit code %d, %v, %s", code, err, errs)
			}
			if r.Agents != test.agents || r.CentersInside != 0 || r.SkippedRowSteps != 0 {
				t.Errorf("got=%d agents, %d centers inside obstacles, %d skipped, want=%d, 0, 0", r.Agents, r.CentersInside, r.SkippedRowSteps, test.agents)
			}
			if share := r.ArrivedShare; test.arrived > 0 && (share == nil || *share < test.arrived) {
				t.Errorf("arrived: got=%v of the agents, want=%v or more", share, test.arrived)
			}
		})
	}
}

// TestNoRoomToCome verifies that the report counts agents that could not come, since a source stands in a wall.
func TestNoRoomToCome(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wall.toml")
	text := "dt = 0.1\nsteps = 20\nbox = [[0, 0], [9, 9]]\n[obstacles]\nboxes = [{box = [[0, 0], [3, 3]]}]\n" +
		"[[groups]]\ncount = 4\nat = [1, 1]\nradius = 0.2\nmax-speed = 1\nstart-speed = 1\nsource = {every = 1, at-once = 2}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := command(t, context.Background(), "run", path, "--json", "-q")
	var r report.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != exitOK {
		t.Fatalf("exit code %d, %v, %s", code, err, errs)
	}
	if want := "at the end, 4 agents could not start for lack of room"; len(r.Notes) != 1 || r.Notes[0] != want {
		t.Errorf("got=%q, want=%s", r.Notes, want)
	}
}
