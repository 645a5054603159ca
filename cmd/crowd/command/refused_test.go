package command

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

// A refusal is a command line that ends with exit code 2, and a part of its error.
type refusal struct{ args, want string }

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range leftovers(t, dir, nil) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if info, at := os.Stat(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) && (at != nil || !info.IsDir()) {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	return all
}

// refuses runs words followed by the args of each test. It verifies that the command line ends with exit code
// 2 and one line, and changes nothing in the current folder.
func refuses(t *testing.T, words string, tests []refusal) {
	t.Helper()
	before := contents(t, ".")
	for _, test := range tests {
		line := words + " " + test.args
		code, out, errs := sameFolder(t, t.Context(), strings.Fields(line)...)
		if code != exitBadInput || out != "" || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit code %d, want 2, and one line with %q, got:\n%s%s", line, code, test.want, out, errs)
		}
		if after := contents(t, "."); !maps.Equal(after, before) {
			t.Errorf("%s: changed files: got=%.300q, want=%.300q", line, after, before)
		}
	}
}

const noModel = "a model needs pedestrians with targets, but in seek, lengths are in pixels"

// refusals are keyed by the first words of the command lines.
var refusals = map[string][]refusal{
	"run": {
		{"nosuch", `no scene or file is named "nosuch" (crowd scene lists the scenes)`},
		{"./nosuch.xml", "./nosuch.xml: no such file or directory"},
		{"empty", "no scene in this folder"},
		{"--resume=", "--resume is empty, want FILE"},
		{"plaza --obstacles x.xml", "need a file of agents"},
		{"plaza --nosuch", "unknown flag --nosuch"},
		{"plaza --json --csv", "can't be used together"},
		{"plaza --timeout=-1s", "--timeout is -1s"},
		{"plaza seek --seed 1", "--seed can't be combined with several scenes, a folder, --csv or --timeout"},
		// Numbers.
		{"plaza --agents=-1", "--agents is -1, want 1 to 50000000"},
		{"plaza --agents 1.5", `--agents: "1.5": want a whole number such as 120`},
		{"plaza --seed -1", `--seed: "-1": want a whole number, 0 or more`},
		{"plaza --model", "--model needs a value (crowd --help"},
		{"plaza --steps --json", "--steps needs a value (crowd --help"},
		{"plaza --agents 50000001", "--agents is 50000001"},
		{"plaza --steps 0", "--steps is 0, want 1 to"},
		{"plaza --workers 0", "--workers is 0, want 1 or more"},
		{"plaza --set dt=0", "dt is 0 s"},
		{"plaza --set dt=2", "want 0 to mass/dt"},
		{"plaza --set nosuch=1", `no parameter is named "nosuch", want one of anticipation-time, avoidance`},
		{"plaza --set max-speed", `--set: expected "<key>=<value>"`},
		{"evacuation --model social-force-2000 --set dt=0.02", "--set dt is 0.02 s, want at most 0.01 s for the model social-force-2000"},
		{"seek --model orca", noModel},
		// Outputs.
		{"plaza --picture no/such/folder.png", "no/such/folder.png"},
		{"plaza --profile cpu=no/such/folder", "no/such/folder"},
		{"plaza --profile cpi=x", `--profile: unknown kind "cpi", want one of cpu, heap, http, http-anywhere, trace; did you mean "cpu"?`},
		{"plaza --profile http=0.0.0.0:0", `--profile http is "0.0.0.0:0", want a loopback address`},
		{"plaza --crop 1,2,3", "--crop is [1 2 3], want X0,Y0,X1,Y1"},
		{"plaza --crop 0,0,1,inf", "--crop is [0 0 1 +Inf]"},
		{"seek --crop 0,0,1,1 --picture none", "--crop needs a picture, and none is drawn"},
		{"seek --picture x.jpg", "--picture is x.jpg, want a name that ends in .png"},
		{"seek --every 1", "--every needs --trajectories, which is missing"},
		{"seek --trajectories a.dat", "--trajectories is a.dat, want a name that ends in .csv, .csv.gz, .parquet, .sql or .txt"},
		{"seek --trajectories a.sqlite", "--trajectories is a.sqlite, want a.sql; then run: sqlite3 a.sqlite < a.sql"},
		{"seek --trajectories a.csv --every 0", "--every is 0, want 1 or more"},
		{"plaza --line=1,2,3", "four numbers"},
		{"plaza --line=1,2,1,2", "want two"},
		{"plaza --area=1,2,3,inf", "four numbers"},
		{"plaza --area=5,5,1,1", "--area is 5,5,1,1, want x0,y0,x1,y1 with x0 < x1"},
		// Misspelled.
		{"plazza", `no scene or file is named "plazza", did you mean "plaza"? (crowd scene lists the scenes)`},
		{"plaza --agnets 5", `unknown flag --agnets, did you mean "--agents"?`},
		{"plaza --dt 5", "unknown flag --dt, want --set dt=SECONDS"},
		{"plaza --step 5", `unknown flag --step, did you mean one of "--seed", "--set", "--steps"?`},
		{"plaza --seeds 5", `unknown flag --seeds, did you mean one of "--seed", "--steps"?`},
		{"plaza --width 3", "unknown flag --width (crowd --help"},
		{"plaza --model orka", `model is "orka", want one of orca, steer, social-force-1995, social-force-2000, collision-free-speed, anticipation-velocity; did you mean "orca"?`},
	},
	"": {
		{"nosuch extra", `no scene or file is named "nosuch"`},
		{"vew", `unknown command, scene or file "vew", did you mean "view"? (crowd --help lists commands, crowd scene lists scenes)`},
		{"-q rnder plaza --out a.png", `did you mean "render"?`},
		{"lint plaza", `unknown command "lint", want crowd scene check`},
		{"plaza --threads 2", `unknown flag --threads, want --workers`},
	},
	"scene": {
		{"shw plaza", `unknown command crowd scene shw, want one of check, list, show; did you mean "show"?`},
		{"plaza", `unknown command crowd scene plaza, want one of check, list, show`},
		{"show seek --model steer", noModel},
	},
	"render": {
		{"", "missing flags: --out=FILE"},
		{"nosuch --out x.png", "nosuch"},
		{"--out x.jpg", "--out is x.jpg, want a name that ends in .png, .svg, .gif, .apng or .mp4"},
		{"--out no/such/folder.png", "no/such/folder.png"},
		{"--out .png/ --size 20", "--out is .png/"},
		{"--out x.png --size 9000", "a side of --size is 9000 pixels, want 16 to 8192"},
		{"--out x.png --every 0", "--every is 0, want 1 to "},
		{"--out x.gif --seconds 0", "--seconds is 0, want more than 0 and at most 3600"},
		{"--out x.gif --seconds two", `--seconds: "two": want a number such as 2.5`},
		{"--out x.gif --seconds 1 --steps 9", "--seconds and --steps"},
		{"--out x.gif --from 9 --steps 9", "--from is step 9, want less than --steps, 9"},
		{"--out x.gif --at 9", "--at is for pictures, want --from with .gif"},
		{"--out x.gif --fps 60", "--fps is 60, want 1 to 50 in .gif"},
		{"--out x.apng --fps 121", "--fps is 121, want 1 to 120 in .apng"},
		{"--out x.png --fps 30", "--fps is for animations, and .png is a picture"},
		{"--out x.png --from 0", "are for animations, want --at with .png"},
		{"--out x.png --every 2", "are for animations, want --at with .png"},
		{"--out x.png --at 9 --steps 9", "--at and --steps"},
		{"--out x.png --at x", `"x": want a number of steps such as 120, or a time such as 2.5s or 5m`},
		{"--out x.png --trails=-3s", `"-3s": want a number of steps`},
		{"--out x.png --trails 2 --heat", "--heat draws no agents"},
		{"--out x.png --heat=,0", "the top of --heat is 0 agents/m², want more than 0 and at most 1e+09"},
		{"--out x.png --heat=0", "the radius of --heat is 0 m, want more than 0 and at most 1e+09"},
		{"--out x.png --heat=NaN", "the radius of --heat is NaN"},
		{"--out x.png --heat --color group", "--color is for agents, and --heat draws none"},
		{"--out x.png --palette jet", "--palette is jet, want one of plasma, viridis, magma, inferno, gray"},
		{"--out x.gif --palette gray --color heading", "--palette is for speed and density, and --color is heading"},
		{"--out x.png --color mood", `no coloring is named "mood", want one of speed, heading, group`},
		{"--out x.png --crop 1,1,1,5", "--crop is [1 1 1 5], want X0,Y0,X1,Y1"},
		{"plaza --out old.svg --agents 200001 --at 0", "want at most 200000"},
		{"--out x.png plaza --agents 10 --field", `--field: no group of plaza follows a field, want way = "field" in one that has a target`},
		{"--out x.png rooms.toml --field 1", "--field is 1, want 0 to 0: rooms has 1 field"},
		{"--out x.png rooms.toml --field=-1", `--field: "-1" is not a field, want a whole number, 0 or more (crowd --help lists commands and flags)`},
		{"--out x.png rooms.toml --field --heat", "--heat and --field both color the floor, want one of them"},
	},
	"render standing.toml --out x.png": {
		{"--overlay", "--overlay is for --beside, which is missing"},
		{"--recording at=1,2", "--recording at, turn and from are for --beside, which is missing"},
		{"--recording frame-rate=10", "--recording is for recordings, and standing is not one"},
		{"--beside walk.txt --recording unit=cm", "walk.txt does not state its frame rate, want --recording frame-rate"},
		{"--beside walk.txt --recording frame-rate=10", "walk.txt does not state the unit of its lengths, want --recording unit=m or cm"},
		{"--beside walk.txt --recording frame-rate=10,unit=m", "people move at 100 m/s (median), want at most 15"},
		{"--beside walk.txt --recording frame-rate=10,unit=mile", `--recording unit is "mile", want m or cm`},
		{"--beside nosuch.txt --recording frame-rate=10,unit=cm", "nosuch.txt"},
		{"--beside walk.txt --recording frame-rate=10,unit=cm,at=1", "--recording at is [1], want X,Y"},
		{"--beside walk.txt --recording frame-rate=10,unit=cm,turn=400", "--recording turn is 400, want -360 to 360 degrees"},
		{"--beside walk.txt --recording frame-rate=10,unit=cm,from=Inf", "--recording from is +Inf, want a time within ±1e+06 s"},
		{"--beside walk.txt --recording frame-rate=10,unit=cm --out x.svg", "--beside draws two pictures, and .svg holds one: want --overlay"},
		{"--beside walk.txt --recording frame-rate=10,unit=cm --heat", "--heat with --beside needs --heat=,MAX"},
		{"--beside walk.txt --recording frame-rate=10,unit=cm --heat=,1 --overlay", "--heat draws no agents, so it takes no --overlay"},
		{"--beside walk.txt --recording frame-rate=10,unit=cm --overlay --color speed", "--color is not for --overlay"},
	},
	"view": {
		{"seek --record=", "--record is empty, want FILE"},
		{"broken.toml", "broken.toml"},
		{"seek --listen here", `--listen is "here", want host:port`},
		{"plaza --agents 3000000", "3,000,000 agents"},
	},
	"explain": {
		{"plaza --agents 20 --agent 21", "--agent is 21, want 1 to 20, the number of agents in plaza"},
		{"plaza --agents 20 --agent 0", "--agent is 0, want 1 to 20, the number of agents in plaza"},
		{"plaza --step 5", "unknown flag --step, want --at"},
		{"plaza --at 0", "--at is 0, want a step of 1 or more, or its time"},
		{"plaza --at 100000001", `"100000001": want a number of steps such as 120, or a time such as 2.5s or 5m`},
		{"enters.toml --agent 2 --at 10", "agent 2 did not enter before step 10, want a later --at"},
		{"leaves.toml --at 4", "agent 1 arrived in step 3 and left, want an --at from 1 to 3"},
	},
	"bench": {
		{"W", `unknown scene, workload or file "W", did you mean "W1"?`},
		{"W3", `unknown scene, workload or file "W3", did you mean "W3/obstacles=64"?`},
		{"--json plasa", `file "plasa", did you mean "plaza"? (crowd scene lists scenes, crowd bench --help lists workloads)`},
		{"w3/obstacles=1025", `did you mean "W3/obstacles=1024"?`},
		{"nosuch.toml", "nosuch.toml: no such file"},
		{"--agents 0", `--agents contains "0", want whole numbers from 1 to 50000000`},
		{"--agents 10,many", `--agents contains "many"`},
		{"--workers 0", "--workers contains 0, want 1 to 1024"},
		{"--workers 1,x", `--workers: "x": want a whole number`},
		{"--steps 0", "--steps is 0, want 1 to"},
		{"--repeats 0", "--repeats is 0, want 1 to"},
		{"--json --go -", "--json and --go - both write to standard output"},
		{"--json --compare a.json", "--compare writes to standard output"},
		{"--compare nosuch.json", "--compare: open nosuch.json: no such file"},
		{"--out no/such/folder", "no/such/folder"},
		{"W1 --out a.json --go a.json", "a.json would be written twice"},
		{"W1 --out -", "--out is -, want a file"},
		{"seek --baselines", "--baselines needs a workload such as W2, but no workload is measured"},
	},
	"bench maps": {
		{"court.scen --out a.gif", "--out is a.gif, want a name that ends in .png or .svg"},
		{"court.scen --out nowhere/a.png", "nowhere"},
		{"court.scen --out a.png --size 9", "a side of --size is 9 pixels, want 200 to 8192"},
		{"court.scen --dark", "--dark needs --out, which is missing"},
		{"court.scen map.png --out map.png", "which is also read"},
		{"nowhere.scen", "nowhere.scen: no such file"},
		{"gone.scen", `gone.scen:2: the map "gone.map" is not in the folder of the scenario`},
	},
	"validate": {
		{"waltz", `no suite is named "waltz", want one of juelich, diagram, jam, rimea, nist, all`},
		{"diagram --data .", "--data is only for juelich, which is not among the suites"},
		{"--quick --repeats 3", "--repeats and --quick exclude each other"},
		{"--repeats 0", "--repeats is 0, want 1 to 1000"},
		{"--out a.gif", "--out is a.gif, want a name that ends in .png, .svg or .pdf"},
		{"--out nowhere/a.png", "nowhere/a-juelich.png"},
		{"--dark", "--dark needs --out, which is missing"},
		{"--model all --out x.png", "--out is only for one model, and --model is all"},
		{"--model waltz", "--model is \"waltz\", want one of orca, "},
		{"--data nowhere", "--data is nowhere, want a folder that contains uo-050-180-180.txt, directly or in its subfolder juelich"},
		{"--data .", `uo-050-180-180.txt:2: frame is "x", want a whole number from -1e9 to 1e9`},
	},
	"sweep": {
		{"none.toml", "none.toml: no such file or directory"},
		{"s.toml --shard 4/3", `--shard is "4/3", want i/n with i from 1 to n, or auto`},
		{"s.toml --shard 1/2 --workers 0", "--workers is 0, want 1 or more"},
		{"s.toml --workers -1", "--workers is -1, want 0 or more"},
		{"s.toml --dry-run --listen 127.0.0.1:0", "--listen is for the runs, and --dry-run does none"},
		{"s.toml --dry-run --retry-dead", "--retry-dead is for the runs, and --dry-run does none"},
		{"s.toml --dry-run --shard 1/2", "--shard is for the runs, and --dry-run does none"},
		{"merge .", "manifest.json: no such file or directory: want the folder of a sweep"},
		{"marge", `unknown command crowd sweep marge, want one of init, join, merge, status; did you mean "merge"?`},
		{"join . --workers -1", "--workers is -1, want 1 or more\n"},
		{"join nowhere", "no such file or directory; want the folder of a sweep"},
		{"join .", "no sweep runs in this folder"},
		{"join http://host:4222", `"http://host:4222" is not the address of a sweep, want one such as https://host:4222`},
	},
	"plot run.json --out x.png": {
		{"--out x.gif", "--out is x.gif, want a name that ends in .png, .svg or .pdf"},
		{"--out no/such/folder.png", "--out is no/such/folder.png: no such folder"},
		{"--size 0", "want a width or WIDTHxHEIGHT in pixels, such as 640 or 640x480"},
		{"--size 300x20", "a side of --size is 20 pixels, want 200 to 10000"},
		{"--by scene", "--by does not affect the chart overview of the report of a run"},
		{"--what overview --x agents", "--x does not affect the chart overview of the report of a run"},
		{"--what nosuch", "no chart nosuch for run.json, which is the report of a run; want one of overview, histogram"},
		{"--to 1,2", "--to does not affect the chart overview of"},
		{"--heat a,b", "--heat does not affect the chart overview of"},
	},
	"plot --out x.png": {
		{"run.json motion.csv", "want files of one kind"},
		{"nosuch.json", "nosuch.json: no such file or directory"},
		{"empty", "empty: has no results.csv"},
		{"score.json --x nosuch", "--x: no column nosuch in score.json"},
		{"score.json --x scene", "--x: scene has no numbers in score.json"},
		{"score.json --x agents --by nosuch", "--by: no column nosuch in score.json"},
		{"bench.json --what rows --x agents --by folder", "--by: no column folder in bench.json"},
		{"score.json --y agents", "--y does not affect the chart overview of a table"},
		{"score.json --what scatter", "--x is missing, want one of agents, "},
		{"score.json --what scatter --x agents", "--y is missing"},
		{"bench.json --what speedup --log", "--log does not affect the chart speedup of the results of a benchmark"},
		{"motion.csv --x time", "--x does not affect the chart overview of trajectories"},
		{"motion.csv --to 1", "--to is [1], want X,Y"},
		{"motion.csv --what speed --to 1,2", "--to does not affect the chart speed of trajectories"},
		{"motion.csv --scene nosuch", `--scene: no scene or file is named "nosuch"`},
		{"motion.csv --what speed --scene bottleneck", "--scene does not affect the chart speed of trajectories"},
		{"results.csv --x flwo", `--x: no column flwo in `},
		{"results.csv --pareto flow", "--pareto is flow, want two metrics"},
		{"results.csv --pareto flow,+cost", `--pareto: no column cost in `},
		{"results.csv --pareto order,flow", "--pareto: the better direction of order is unknown: write +order if more is better, or -order if less is"},
		{"results.csv --heat gap,gap", "--heat is gap,gap, want two axes"},
		{"results.csv --heat gap,agents", `--heat: no axis is named "agents", want one of scene, model, gap`},
		{"results.csv --heat gap,model --over scene", "--over does not affect the chart heat of a sweep"},
		{"results.csv --pareto flow,collisions --x flow", "--x does not affect the chart front of a sweep"},
		{"results.csv --over model,gap", "--over contains all axes that vary"},
		{"results.csv results.csv", "results.csv:2: there are two runs of this point with seed 1"},
	},
	"plot": {
		{"results.csv results.csv", "--out is missing, want a name that ends in .png, .svg or .pdf"},
		{"nosuch.csv", "nosuch.csv: no such file or directory"},
	},
}

func TestRefused(t *testing.T) {
	dir := testkit.Files(t, map[string]string{
		"run.json": plotFixture("run.json"), "bench.json": plotFixture("bench.json"), "motion.csv": plotFixture("motion.csv"), "score.json": plotFixture("score.json"),
		"results.csv": sweepTables["several.csv"], "rooms.toml": rooms(t), "standing.toml": standing, "walk.txt": walk(), "leaves.toml": leaves, "enters.toml": enters,
		"broken.toml": "name = 1\n[[groups]]\nat = [0, 0]\nmax-speed = 1\n", "old.svg": "before", "s.toml": strings.Replace(smallSweep, "floors/", "", 1), "shut.toml": shutTOML, "uo-050-180-180.txt": "1 2 3 4\n1 x 3 4\n",
		"court.scen": errands, "court.map": courtyard, "map.png": courtyard, "gone.scen": strings.ReplaceAll(errands, "court.map", "gone.map"),
	})
	testkit.Must(t, os.Mkdir(filepath.Join(dir, "empty"), 0o777))
	t.Chdir(dir)
	for words, tests := range refusals {
		t.Run(words, func(t *testing.T) { refuses(t, words, tests) })
	}
}

func TestCollisions(t *testing.T) {
	t.Chdir(testkit.Files(t, map[string]string{
		"in.toml": oneAgent, "in.png": oneAgent, "a.svg": plotInput, "walk.txt": walk(),
		"main.xml":   `<Simulation delta_time="0.1"><World type="Infinite"><Obstacles file="walls.xml"/></World><Agents file="agents.xml"/></Simulation>`,
		"agents.xml": `<Agents><Agent rad="0.3" pref_speed="1" max_speed="1"><pos x="1" y="2"/><goal x="3" y="4"/></Agent></Agents>`,
		"walls.xml":  `<Obstacles><Obstacle><Point x="9" y="0"/><Point x="10" y="0"/><Point x="10" y="1"/></Obstacle></Obstacles>`,
		"old.json":   `{"go_version":"go1.26","results":[{"name":"seek","by":"crowd","agents":1,"workers":1,"steps":5,"samples":[10,11,12]}]}`,
	}))
	refuses(t, "", []refusal{
		{"run in.toml --profile cpu=in.toml", "--profile cpu is in.toml, which is also read"},
		{"run walk.txt --recording frame-rate=10,unit=cm --trajectories walk.txt", "--trajectories is walk.txt, which is also read"},
		{"run in.png", "--picture is in.png, which is also read"},
		{"run agents.xml --obstacles walls.xml --profile trace=walls.xml", "--profile trace is walls.xml, which is also read"},
		{"run main.xml --profile trace=agents.xml", "--profile trace is agents.xml, which is also read"},
		{"run main.xml --profile heap=walls.xml", "--profile heap is walls.xml, which is also read"},
		{"render in.png --out ./in.png", "--out is ./in.png, which is also read as in.png"},
		{"plot a.svg --out a.svg", "--out is a.svg, which is also read"},
		{"bench in.toml --go in.toml", "--go is in.toml, which is also read"},
		{"bench seek --compare old.json --out old.json", "--out is old.json, which is also read"},
		{"bench seek --out x --go ./x", "./x would be written twice: want different files for --out and --go"},
	})
}

func TestOutputIsFile(t *testing.T) {
	t.Chdir(t.TempDir())
	out, err := os.Create("x.csv")
	testkit.Must(t, err)
	defer out.Close()
	defer func(was *os.File) { os.Stdout = was }(os.Stdout)
	os.Stdout = out
	refuses(t, "run seek --json", []refusal{{"--trajectories x.csv", "--trajectories is x.csv, to which the command's output already goes"}})
}
