package benchmarks

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r2"
)

// Runner is a crowd that can be measured: one contender with one workload.
type Runner interface {
	// Step does one step.
	Step()
	// Reset puts the state back to the start. It is not measured.
	Reset()
	// State returns copies of what the agents' positions in meters and velocities
	// in meters per second are, by agent number.
	State() (positions, velocities []r2.Vec)
	// Close ends the runner's goroutines. It must not be used afterwards.
	Close()
}

// Workload is what agents do, and among what.
type Workload struct {
	Name string

	Seek       bool    // seek the target at full speed instead of arriving
	Flock      bool    // flock, without a target
	Side       float64 // m, of the square with agents, targets and obstacles; for a flock it follows from the number of agents
	Point      bool    // all agents start in its middle
	Obstacles  int     // circles to avoid; 0: no avoidance
	MovingOf   int     // one obstacle in MovingOf moves in every step; 0: none does
	Archetypes int     // into which the agents are divided
	Reciprocal bool    // they avoid one another by ORCA; a side of 0 follows from their number
	Published  bool    // with Reciprocal: by the rule of the paper alone
	People     bool    // with Reciprocal: they walk as people do, too
	Scene      string  // the built-in scene to run instead of all that
	Measured   bool    // of a scene: agents are measured as in crowd run
}

// workloads holds them in the order of the tables.
var workloads = []Workload{
	{Name: "W1", Seek: true, Side: 1000, Archetypes: 1},
	{Name: "W2", Side: 1000, Archetypes: 1},
	{Name: "W2/archetypes=100", Side: 1000, Archetypes: 100},
	{Name: "W2/archetypes=1000", Side: 1000, Archetypes: 1000},
	{Name: "W2/archetypes=10000", Side: 1000, Archetypes: 10_000},
	{Name: "W3/obstacles=64", Side: 1000, Obstacles: 64, Archetypes: 1},
	{Name: "W3/obstacles=64/side=250", Side: 250, Obstacles: 64, Archetypes: 1},
	{Name: "W3/obstacles=1024", Side: 1000, Obstacles: 1024, Archetypes: 1},
	{Name: "W3/obstacles=1024/moving=1%", Side: 1000, Obstacles: 1024, MovingOf: 100, Archetypes: 1},
	{Name: "W3/obstacles=1024/moving=100%", Side: 1000, Obstacles: 1024, MovingOf: 1, Archetypes: 1},
	{Name: "W3/obstacles=65536", Side: 8000, Obstacles: 65_536, Archetypes: 1},
	{Name: "W3/obstacles=65536/moving=1%", Side: 8000, Obstacles: 65_536, MovingOf: 100, Archetypes: 1},
	{Name: "W3/obstacles=1048576", Side: 32_000, Obstacles: 1_048_576, Archetypes: 1},
	{Name: "W4", Flock: true, Archetypes: 1},
	{Name: "W4/point", Flock: true, Point: true, Archetypes: 1},
	{Name: "W5", Reciprocal: true, Archetypes: 1},
	{Name: "W5/published", Reciprocal: true, Published: true, Archetypes: 1},
	{Name: "W5/point", Reciprocal: true, Point: true, Archetypes: 1},
	{Name: "W5/obstacles=5/side=40", Reciprocal: true, Side: 40, Obstacles: 5, Archetypes: 1},
	{Name: "W5/obstacles=5000/side=40", Reciprocal: true, Side: 40, Obstacles: 5000, Archetypes: 1},
	{Name: "W5/people", Reciprocal: true, People: true, Archetypes: 1},
	{Name: "plaza", Scene: "plaza"},
	{Name: "plaza/measured", Scene: "plaza", Measured: true},
	{Name: "predators", Scene: "predators"},
	{Name: "boids", Scene: "boids"},
	{Name: "rvo-circle", Scene: "rvo-circle"},
	{Name: "rvo-blocks", Scene: "rvo-blocks"},
	{Name: "antipodal", Scene: "antipodal"},
	{Name: "bottleneck", Scene: "bottleneck"},
	{Name: "crossing", Scene: "crossing"},
	{Name: "evacuation", Scene: "evacuation"},
	{Name: "concert", Scene: "concert"},
}

// Workloads returns all workloads, in the order of the tables.
func Workloads() []Workload { return slices.Clone(workloads) }

// ByName returns the workload with a name. The error lists the names there are.
func ByName(name string) (Workload, error) {
	var names []string
	for _, w := range workloads {
		if w.Name == name {
			return w, nil
		}
		names = append(names, w.Name)
	}
	return Workload{}, fmt.Errorf("no workload is named %q, want one of %s", name, strings.Join(names, ", "))
}

// contenders holds who does a workload, in the order of the tables.
var contenders = []struct {
	name  string
	start func(w *Workload, agents, workers int) (Runner, error)
}{
	{"crowd", startCrowd},
	{"plain", startPlain},
	{"blocks", startBlocks},
	{"query", startQuery},
	{"objects", startObjects},
}

// Contenders returns the names of those who do workloads: crowd, which is our
// systems in an arche world; plain, one loop over slices that does everything,
// written for speed; blocks, the same in three loops over 64 agents at a time;
// query, the same arithmetic in a loop over arche's query,
// entity by entity; and objects, pointers to agents that hold a list of
// behaviors behind an interface, and look at every obstacle.
func Contenders() []string {
	var names []string
	for _, c := range contenders {
		names = append(names, c.name)
	}
	return names
}

// mostTests is how many tests of agents against obstacles objects does in a step.
const mostTests = 1e8

// Start makes a contender ready to run the workload with a number of agents and
// of workers, 0 being one for each processor. The error says so if the contender
// does not do that: only crowd runs scenes, does ORCA, and has more than one worker, blocks
// does W1 and W2, query and objects do not flock, plain not from one point, and objects tests no more than 1e8 pairs of agents and obstacles in a step.
func (w Workload) Start(contender string, agents, workers int) (Runner, error) {
	if agents < 1 {
		return nil, fmt.Errorf("%s: agents is %d, want 1 or more", w.Name, agents)
	}
	if workers < 0 {
		return nil, fmt.Errorf("%s: workers is %d, want 0 (one for each processor) or more", w.Name, workers)
	}
	if w.Flock {
		w.Side = flockSide(agents)
	}
	for _, c := range contenders {
		switch {
		case c.name != contender:
			continue
		case c.name == "crowd":
		case w.Scene != "":
			return nil, fmt.Errorf("%s: %s does not run scenes, only crowd does", w.Name, contender)
		case w.Flock && c.name != "plain":
			return nil, fmt.Errorf("%s: %s does not flock, only crowd and plain do", w.Name, contender)
		case w.Point:
			return nil, fmt.Errorf("%s: %s does not care for agents in one point, only crowd does", w.Name, contender)
		case w.Reciprocal:
			return nil, fmt.Errorf("%s: %s does not do ORCA, only crowd does", w.Name, contender)
		case workers > 1:
			return nil, fmt.Errorf("%s: %s has one worker, not %d; only crowd has several", w.Name, contender, workers)
		}
		return c.start(w.sized(agents), agents, workers)
	}
	return nil, fmt.Errorf("no contender is named %q, want one of %s", contender, strings.Join(Contenders(), ", "))
}

// Cycle returns after how many steps the state is to be set back to the start.
func Cycle(agents int) int {
	if agents >= 1_000_000 {
		return 20
	}
	return 200
}
