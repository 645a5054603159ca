package benchmarks

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
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

// contenders lists what does a workload, in the order of the tables.
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

// Contenders returns the names of what does workloads: crowd, which is our
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

// Cycle returns after how many steps the state has to be set back to the start.
func Cycle(agents int) int {
	if agents >= 1_000_000 {
		return 20
	}
	return 200
}

// WriteTargets writes targets as a Markdown table below a line that names the
// machine; an empty processor is unknown.
func WriteTargets(w io.Writer, processor string, targets []Target) error {
	if err := WriteTargetsHead(w, processor); err != nil {
		return err
	}
	for i := range targets {
		if err := targets[i].WriteRow(w); err != nil {
			return err
		}
	}
	return nil
}

// WriteTargetsHead writes what stands above the rows of the table.
func WriteTargetsHead(w io.Writer, processor string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, GOMAXPROCS %d, kernels %v, %s, %s/%s.\n", cmp.Or(processor, "unknown processor"),
		runtime.GOMAXPROCS(0), kernel.Used(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	b.WriteString("Figures are medians of rounds taken by turns, with their quartiles.\n\n")
	b.WriteString("| what | must reach | beyond | figure | reached? |\n|---|---|---|---|---|\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteRow writes the row of a target.
func (t *Target) WriteRow(w io.Writer) error {
	beyond := "–"
	if t.Beyond != 0 {
		beyond = t.number(t.Beyond)
	}
	figure := t.number(t.Figure)
	if t.Low != t.High {
		figure += fmt.Sprintf(" (%s–%s)", digits(t.Low), digits(t.High))
	}
	_, err := fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", t.What, t.bound(), beyond, figure, t.verdict())
	return err
}

// verdict tells in a word whether the target is reached.
func (t *Target) verdict() string {
	beyond := t.Beyond != 0 && (t.Kind == AtLeast && t.Figure >= t.Beyond || t.Kind != AtLeast && t.Figure <= t.Beyond)
	switch {
	case beyond:
		return "beyond"
	case t.Kind == Reported:
		return "–"
	case t.OK():
		return "yes"
	}
	return "**missed**"
}

// amount writes a number with a comma before every three digits.
func amount(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// plural returns a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "one " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// What walkers that avoid one another have in common.
const (
	density   = 0.15 // agents a m²
	walkDt    = 0.1  // s
	walkSpeed = 1.3  // m/s, top speed
	walkBody  = 0.3  // m, radius
)

// sized returns the workload with the side that its agents need.
func (w Workload) sized(agents int) *Workload {
	if w.Reciprocal && w.Side == 0 {
		w.Side = math.Sqrt(float64(agents) / density)
	}
	return &w
}

// walker returns what a walker starts with.
func walker() []any {
	return []any{
		c.Target{}, c.Radius{Meters: walkBody}, c.Limits{MaxSpeed: walkSpeed, MaxForce: math.Inf(1)}, c.Arrival{Gain: gain, SlowingRadius: 1},
		c.ORCA{Gain: gain, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 4, MaxNeighbors: 10, Priority: 1},
	}
}

// walking is the frame of walkers. The published rule is that of the paper alone.
func walking(published bool) *frame.Frame {
	rule := &systems.ORCA{Seed: seedAgents, Faithful: published}
	return frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &systems.Arrival{}, rule, &systems.Integration{})
}

// speed is the top speed in m/s.
func (w *Workload) speed() float64 {
	if w.Reciprocal {
		return walkSpeed
	}
	return maxSpeed
}

// dt is the length of a step in s.
func (w *Workload) dt() float64 {
	if w.Reciprocal {
		return walkDt
	}
	return dt
}

// whole is the whole step of a scene.
type whole struct {
	*world.World
	scene   *scene.Scene
	options scene.Options
}

func startScene(w *Workload, agents, workers int) (Runner, error) {
	s, err := scene.Named(w.Scene)
	if err != nil {
		return nil, err
	}
	s.Resize(agents)
	k := &whole{scene: s, options: scene.Options{Workers: workers, Measure: w.Measured}}
	k.World, err = s.Build(k.options)
	return k, err
}

func (k *whole) Step() {
	if err := k.World.Step(); err != nil {
		panic(fmt.Sprintf("crowd: scene %s: %v", k.scene.Name, err)) // a built-in one does not spawn
	}
}

// Reset rebuilds the scene.
func (k *whole) Reset() {
	k.World.Close()
	var err error
	if k.World, err = k.scene.Build(k.options); err != nil {
		panic(fmt.Sprintf("crowd: scene %s: %v", k.scene.Name, err)) // it was built before
	}
}

func (k *whole) State() (positions, velocities []r2.Vec) {
	n := k.scene.Agents()
	positions, velocities = make([]r2.Vec, n), make([]r2.Vec, n)
	agent, position, velocity := ecs.ComponentID[c.Agent](k.ECS), ecs.ComponentID[c.Position](k.ECS), ecs.ComponentID[c.Velocity](k.ECS)
	q := k.ECS.Query(ecs.All(agent, position, velocity))
	for q.Next() {
		i := (*c.Agent)(q.Get(agent)).ID - 1
		positions[i], velocities[i] = (*c.Position)(q.Get(position)).Vec, (*c.Velocity)(q.Get(velocity)).Vec
	}
	return positions, velocities
}
