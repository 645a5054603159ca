package command

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/testkit"
)

func TestForeignFiles(t *testing.T) {
	dir := testkit.DataDir(t)
	t.Chdir(t.TempDir())
	for _, test := range []struct {
		args    string
		agents  int
		arrived float64 // minimum share of the agents that arrive; 0 means not checked
	}{
		{"jupedsim/bottleneck.wkt", 60, 1},
		{"jupedsim/corner_with_shortcut.wkt", 100, 1},
		{"jupedsim/crossing.wkt", 40, 1},
		{"jupedsim/double_bottleneck.wkt", 28, 1},
		{"jupedsim/room_with_alcoven.wkt", 36, 1},
		{"jupedsim/t_shaped_room.wkt", 28, 1},
		{"menge/4square.xml", 100, 0.9},
		{"menge/bottleneck.xml", 5, 1},
		{"menge/circle.xml", 100, 1},
		{"menge/cross.xml", 4, 1},
		{"menge/headon.xml", 2, 1},
		{"menge/pedModelSwap.xml --steps 6000", 102, 0.4}, // the other agents never stop
		{"menge/persistGoal.xml", 8, 1},
		{"menge/profileSelect.xml", 75, 1},
		{"menge/swap.xml", 2, 1},
		{"menge/maze/mazeS.xml", 30, 0},
	} {
		r := reportOf(t, "run "+filepath.Join(dir, filepath.FromSlash(test.args))+" --picture x.png")
		if r.Agents != test.agents || r.CentersInside != 0 || r.SkippedRowSteps != 0 {
			t.Errorf("%s: got=%d agents, %d centers inside obstacles, %d skipped, want=%d, 0, 0", test.args, r.Agents, r.CentersInside, r.SkippedRowSteps, test.agents)
		}
		if share := r.ArrivedShare; test.arrived > 0 && (share == nil || *share < test.arrived) {
			t.Errorf("%s: got=%d of %d agents arrived, want=a share of %v or more", test.args, r.ArrivedAgents, r.Agents, test.arrived)
		}
	}
	refuses(t, "run", []refusal{{filepath.Join(dir, "menge", "maze", "mazeFieldB.xml"), ":3: <BFSM> contains a behavior, but no agents"}})
}

func TestShowForeignFiles(t *testing.T) {
	t.Chdir(testkit.DataDir(t, "umans"))
	for _, line := range []string{"Toric.xml", "agents/Circle25.xml", "agents/Room400.xml", "agents/LargeRoom10000.xml.gz --obstacles obstacles/LargeRoom.xml"} {
		hash := func(line string) string {
			out, _ := succeed(t, "run --steps 30 --json -q "+line)
			return decode[report.Report](t, out).Hash
		}
		testkit.Equal(t, hash(shown(t, strings.Fields(line)...)), hash(line), "%s", line)
	}
}

type scored struct {
	File               string
	Error              string
	Agents             int
	ArrivedAgents      int     `json:"arrived_agents"`
	Collisions         int     `json:"collisions"`
	ObstacleCollisions int     `json:"obstacle_collisions"`
	CentersInside      int     `json:"centers_inside"`
	SkippedRowSteps    int     `json:"skipped_row_steps"`
	MaxPenetration     float64 `json:"agent_max_penetration"`
}

// scoreOf runs files, given by their paths in the folder of data, and returns their metrics.
func scoreOf(t *testing.T, flags string, files ...string) []scored {
	t.Helper()
	dir := testkit.DataDir(t)
	args := append([]string{"run", "--json", "-q", "--timeout", "10m"}, strings.Fields(flags)...)
	for _, file := range files {
		args = append(args, filepath.Join(dir, filepath.FromSlash(file)))
	}
	code, out, errs := sameFolder(t, t.Context(), args...)
	if code != exitOK {
		t.Fatalf("exit code %d, want 0, got:\n%s", code, errs)
	}
	return decode[[]scored](t, out)
}

// All agents can arrive in these SteerBench files. With -full, the test includes the largest.
func TestQuality(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		files string
		share float64 // minimum share of agents that arrive in the time of the run
		each  float64 // maximum number of collisions per agent
	}{
		{`oncoming-1 oncoming-3 oncoming-obstacle crossing-1 crossing-2 crossing-4 crossing-5 crossing-obstacle
			overtake similar-direction squeeze 3-squeeze doorway-one-way cut-across-1 surprise-1 3-way-confusion-1 4-way-confusion
			oncoming-groups almost_vortex2 sheffield/groups-2-2 sheffield/oncoming-groups-closer sheffield/bag-join`, 1, 0},
		{"more/circle-10 circle-20 more/circle-obstacle-10 more/circle-obstacle-20 fan-in", 1, 0},
		{"maze curve1 curve2 curve3 search-1 simple-wall", 1, 0},
		{"basic-office plane_ingress", 1, 0.05},
		{`subspaces/hallway-one-way subspaces/hallway-one-way-40-agents subspaces/hallway-one-way-100-agents
			subspaces/hallway-one-way-100-agent-goal-region subspaces/hallway-one-way-funnel subspaces/hallway-two-way-100-agents`, 0.99, 0.1},
		{"hallway-one-way hallway-four-way-obstacle-center concentric-circles concentric-circles_250", 0.99, 0.1},
		{"full: hallway-four-way-2 hallway-four-way-open concentric-circles_500v2", 0.99, 0.1},
	} {
		list, large := strings.CutPrefix(tt.files, "full: ")
		if large && !*full {
			continue
		}
		var files []string
		for _, name := range strings.Fields(list) {
			files = append(files, "steersuite/"+name+".xml")
		}
		rows := scoreOf(t, "", files...)
		testkit.Equal(t, len(rows), len(files), "rows")
		for _, r := range rows {
			agents := float64(r.Agents)
			if r.Error != "" || r.Agents == 0 || float64(r.ArrivedAgents) < tt.share*agents || float64(r.Collisions) > tt.each*agents || r.ObstacleCollisions > 0 {
				t.Errorf("%s: %s: got=%d of %d arrived, %d collisions, %d with obstacles, want=a share of %v or more, at most %v collisions per agent, none with obstacles",
					r.File, r.Error, r.ArrivedAgents, r.Agents, r.Collisions, r.ObstacleCollisions, tt.share, tt.each)
			}
		}
	}
}

var full = flag.Bool("full", false, "run large files too, and all files for longer, which takes two minutes")

// TestNoneInside runs all readable files, those of the first two folders for 50 steps or, with -full, 300.
func TestNoneInside(t *testing.T) {
	t.Parallel()
	steps := "50"
	if *full {
		steps = "300"
	}
	for _, test := range []struct {
		flags string
		files []string
		ran   int // minimum number of files that run
	}{
		{"--no-safety --model orca --steps " + steps, []string{"steersuite", "umans"}, 86},
		{"--no-safety --model steer --steps " + steps, []string{"steersuite", "umans"}, 86},
		{"--steps 20", []string{"jupedsim", "menge", "own", "ucy", "vadere"}, 36},
	} {
		ran := 0
		for _, r := range scoreOf(t, test.flags, test.files...) {
			if r.Error == "" {
				ran++
			}
			if r.CentersInside != 0 || r.SkippedRowSteps != 0 {
				t.Errorf("%s: %s: got=%d centers inside obstacles, %d skipped, want=0, 0", test.flags, r.File, r.CentersInside, r.SkippedRowSteps)
			}
		}
		if ran < test.ran {
			t.Errorf("%s: got=%d files that ran, want=%d or more", test.flags, ran, test.ran)
		}
	}
}

// In these files, some agents overlap at the start. No other collision may begin, and none may deepen.
func TestOverlapsAtStart(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]int{
		"steersuite/sheffield/3-way-confusion-1-bag.xml": 1, "steersuite/sheffield/4-way-confusion-bag.xml": 4,
		"steersuite/sheffield/bag-single.xml": 1, "steersuite/sheffield/crossing-1-bag.xml": 2, "umans/OneWayFlow100-ORCA.xml": 4,
	} {
		first, all := scoreOf(t, "--steps 1", file)[0], scoreOf(t, "", file)[0]
		if first.Collisions != want || all.Collisions != want || all.MaxPenetration > first.MaxPenetration {
			t.Errorf("%s: got=%d collisions in the first step and %d in all, %v and %v m; want=%d, and no deeper",
				file, first.Collisions, all.Collisions, first.MaxPenetration, all.MaxPenetration, want)
		}
	}
}
