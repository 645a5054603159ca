package command

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

// scored are the figures of a file that quality goes by.
type scored struct {
	File               string
	Error              string
	Agents             int
	ArrivedAgents      int     `json:"arrived_agents"`
	TimedOut           int     `json:"timed_out"`
	Collisions         int     `json:"collisions"`
	ObstacleCollisions int     `json:"obstacle_collisions"`
	CentersInside      int     `json:"centers_inside"`
	SkippedRowSteps    int     `json:"skipped_row_steps"`
	MaxPenetration     float64 `json:"agent_max_penetration"`
}

// scoreOf scores files of other people, by their path in the folder of data.
func scoreOf(t *testing.T, args []string, files ...string) []scored {
	t.Helper()
	dir := testkit.DataDir(t)
	args = append([]string{"run", "--json", "-q", "--timeout", "10m"}, args...)
	for _, file := range files {
		args = append(args, filepath.Join(dir, filepath.FromSlash(file)))
	}
	code, out, errs := command(t, context.Background(), args...)
	var rows []scored
	if err := json.Unmarshal([]byte(out), &rows); err != nil || code != exitOK {
		t.Fatalf("exit code %d, %v, %s", code, err, errs)
	}
	for i := range rows {
		name, err := filepath.Rel(dir, filepath.FromSlash(rows[i].File))
		if err != nil {
			t.Fatal(err)
		}
		rows[i].File = filepath.ToSlash(name)
	}
	return rows
}

// quality are SteerBench files in which all agents can arrive.
var quality = []struct {
	name  string
	files string
	share float64 // that arrive in the run's time, at least
	each  float64 // collisions an agent, at most
}{
	{"two and few", `oncoming-1 oncoming-3 oncoming-obstacle crossing-1 crossing-2 crossing-4 crossing-5 crossing-obstacle
		overtake similar-direction squeeze 3-squeeze doorway-one-way cut-across-1 surprise-1 3-way-confusion-1 4-way-confusion
		oncoming-groups almost_vortex2 sheffield/groups-2-2 sheffield/oncoming-groups-closer sheffield/bag-join`, 1, 0},
	{"circles", "more/circle-10 circle-20 more/circle-obstacle-10 more/circle-obstacle-20 fan-in", 1, 0},
	{"concentric circles", "concentric-circles", 0.99, 0.1},
	{"short hallways", `subspaces/hallway-one-way subspaces/hallway-one-way-40-agents subspaces/hallway-one-way-100-agents
		subspaces/hallway-one-way-100-agent-goal-region subspaces/hallway-one-way-funnel subspaces/hallway-two-way-100-agents`, 0.99, 0.1},
	{"large circles", "concentric-circles_250 concentric-circles_500v2", 0.99, 0.1},
	{"hallways", "hallway-one-way hallway-four-way-2 hallway-four-way-open hallway-four-way-obstacle-center", 0.99, 0.1},
	{"ways to find", "maze curve1 curve2 curve3 search-1 simple-wall", 1, 0},
	{"rooms and doors", "basic-office plane_ingress", 1, 0.05},
}

// TestQuality verifies that the agents of the default model arrive, and do not collide.
func TestQuality(t *testing.T) {
	for _, tt := range quality {
		t.Run(tt.name, func(t *testing.T) {
			var files []string
			for _, name := range strings.Fields(tt.files) {
				files = append(files, "steersuite/"+name+".xml")
			}
			rows := scoreOf(t, nil, files...)
			if len(rows) != len(files) {
				t.Errorf("got=%d rows, want=%d", len(rows), len(files))
			}
			for _, r := range rows {
				agents := float64(r.Agents)
				if r.Error != "" || r.Agents == 0 || float64(r.ArrivedAgents) < tt.share*agents || float64(r.Collisions) > tt.each*agents || r.ObstacleCollisions > 0 {
					t.Errorf("%s: %s: %d of %d arrived, %d collisions, %d with obstacles; want=%v arrived, %v an agent, none",
						r.File, r.Error, r.ArrivedAgents, r.Agents, r.Collisions, r.ObstacleCollisions, tt.share, tt.each)
				}
			}
		})
	}
}

// TestNobodyInside verifies that no center is ever inside an obstacle, and that no agent
// is lost, in any file and with any model.
func TestNobodyInside(t *testing.T) {
	for _, model := range []string{"orca", "steer"} {
		t.Run(model, func(t *testing.T) {
			ran := 0
			for _, r := range scoreOf(t, []string{"--model", model, "--no-safety", "--steps", "300"}, "steersuite", "umans") {
				if r.Error == "" {
					ran++
				}
				if r.CentersInside != 0 || r.SkippedRowSteps != 0 {
					t.Errorf("%s: centers inside obstacles %d, skipped %d, want 0", r.File, r.CentersInside, r.SkippedRowSteps)
				}
			}
			if ran < 86 {
				t.Errorf("got=%d files that ran, want=86 or more", ran)
			}
		})
	}
}

// TestOverlapsAtStart verifies that the only collisions in these files are of agents that
// overlap where the file puts them: none comes after the first step, and none is
// deeper than the overlaps that the file has.
func TestOverlapsAtStart(t *testing.T) {
	for file, want := range map[string]int{
		"steersuite/sheffield/3-way-confusion-1-bag.xml": 1, "steersuite/sheffield/4-way-confusion-bag.xml": 4,
		"steersuite/sheffield/bag-single.xml": 1, "steersuite/sheffield/crossing-1-bag.xml": 2, "umans/OneWayFlow100-ORCA.xml": 4,
	} {
		first, all := scoreOf(t, []string{"--steps", "1"}, file)[0], scoreOf(t, nil, file)[0]
		if first.Collisions != want || all.Collisions != want || all.MaxPenetration > first.MaxPenetration {
			t.Errorf("%s: got=%d collisions in the first step and %d in all, %v and %v m; want=%d, and no deeper",
				file, first.Collisions, all.Collisions, first.MaxPenetration, all.MaxPenetration, want)
		}
	}
}
