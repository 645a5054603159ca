package benchmarks

import (
	"fmt"
	"math"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Runner is the crowd of a workload, run by one contender.
type Runner interface {
	Step()
	// Reset restores the initial state.
	Reset()
	// State returns copies of the positions, in m, and the velocities, in m/s, by agent number.
	State() (positions, velocities []r2.Vec)
	// Close ends the runner, which must not be used afterward.
	Close()
}

// Workload is the behavior and the surroundings of agents.
type Workload struct {
	Name string

	Seek       bool    // agents seek their targets at full speed instead of arriving
	Flock      bool    // agents flock, without a target
	Side       float64 // m, side of the square with agents, targets and obstacles; 0 means computed from the number of agents
	Point      bool    // all agents start in the middle of the square
	Obstacles  int     // circles to avoid; 0 means no avoidance
	MovingOf   int     // one obstacle in MovingOf moves in every step; 0 means none
	Archetypes int     // number of archetypes of agents
	Reciprocal bool    // agents avoid one another with ORCA
	Published  bool    // with Reciprocal, use only the published rule
	People     bool    // with Reciprocal, agents walk like people
	Scene      string  // a built-in scene to run instead
	Measured   bool    // with Scene, measure agents as crowd run does
}

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

// Workloads returns all workloads, in the order in which tables list them.
func Workloads() []Workload { return slices.Clone(workloads) }

// ByName returns the workload with the given name, or an error that lists all names.
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

// Contenders returns the names of all contenders. The contender crowd runs this module's systems in an arche
// world; plain is one loop over slices, written for speed; blocks is plain with three loops over 64 agents at
// a time; query does the arithmetic of plain in a loop over arche's query; and objects tests every obstacle,
// with pointers to agents and lists of behaviors behind an interface.
func Contenders() []string {
	var names []string
	for _, c := range contenders {
		names = append(names, c.name)
	}
	return names
}

// mostTests is the maximum number of pairs that objects tests in a step.
const mostTests = 1e8

// Start returns a Runner in which the contender runs the workload. There must be one or more agents; if
// workers is 0, crowd uses one worker per processor. Start returns an error if the contender does not support
// the combination: only crowd supports scenes, ORCA, and more than one worker; blocks supports only W1 and
// W2; query and objects support no flocks; plain supports no flock from one point; and objects supports at
// most 1e8 pairs of agents and obstacles.
func (w Workload) Start(contender string, agents, workers int) (Runner, error) {
	if agents < 1 {
		return nil, fmt.Errorf("%s: agents is %d, want 1 or more", w.Name, agents)
	}
	if workers < 0 {
		return nil, fmt.Errorf("%s: workers is %d, want 0 (one per processor) or more", w.Name, workers)
	}
	for _, c := range contenders {
		switch {
		case c.name != contender:
			continue
		case c.name == "crowd":
		case w.Scene != "":
			return nil, fmt.Errorf("%s: %s does not run scenes; only crowd does", w.Name, contender)
		case w.Flock && c.name != "plain":
			return nil, fmt.Errorf("%s: %s does not flock; only crowd and plain do", w.Name, contender)
		case w.Point:
			return nil, fmt.Errorf("%s: %s does not support agents at one point; only crowd does", w.Name, contender)
		case w.Reciprocal:
			return nil, fmt.Errorf("%s: %s does not support ORCA; only crowd does", w.Name, contender)
		case workers > 1:
			return nil, fmt.Errorf("%s: %s has one worker, not %d; only crowd has several", w.Name, contender, workers)
		}
		return c.start(w.sized(agents), agents, workers)
	}
	return nil, fmt.Errorf("no contender is named %q, want one of %s", contender, strings.Join(Contenders(), ", "))
}

// Cycle returns the number of steps between resets of the state.
func Cycle(agents int) int {
	if agents >= 1_000_000 {
		return 20
	}
	return 200
}

// amount formats a number with thousands separators.
func amount(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func plural(n int, thing string) string {
	if n == 1 {
		return "one " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Parameters of the walkers of W5.
const (
	density   = 0.15 // agents/m²
	walkDt    = 0.1  // s
	walkSpeed = 1.3  // m/s, top speed
	walkBody  = 0.3  // m, radius
)

func (w Workload) sized(agents int) *Workload {
	switch {
	case w.Flock:
		w.Side = flockSide(agents)
	case w.Reciprocal && w.Side == 0:
		w.Side = math.Sqrt(float64(agents) / density)
	}
	return &w
}

func walker() []any {
	return []any{
		c.Target{}, c.Radius{Meters: walkBody}, c.Limits{MaxSpeed: walkSpeed, MaxForce: math.Inf(1)}, c.Arrival{Gain: gain, SlowingRadius: 1},
		c.ORCA{Gain: gain, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 4, MaxNeighbors: 10, Priority: 1},
	}
}

// walking returns the systems of W5. If published is set, they use only the published rule.
func walking(published bool) *frame.Frame {
	rule := &systems.ORCA{Seed: seedAgents, Faithful: published}
	return frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &systems.Arrival{}, rule, &systems.Integration{})
}

// speed returns the top speed in m/s.
func (w *Workload) speed() float64 {
	if w.Reciprocal {
		return walkSpeed
	}
	return maxSpeed
}

// dt returns the length of a step in s.
func (w *Workload) dt() float64 {
	if w.Reciprocal {
		return walkDt
	}
	return dt
}

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
		panic(fmt.Sprintf("crowd: scene %s: %v", k.scene.Name, err)) // a built-in scene never fails
	}
}

func (k *whole) Reset() {
	k.World.Close()
	var err error
	if k.World, err = k.scene.Build(k.options); err != nil {
		panic(fmt.Sprintf("crowd: scene %s: %v", k.scene.Name, err)) // Build has succeeded before
	}
}

func (k *whole) State() (positions, velocities []r2.Vec) {
	return state(k.ECS, k.scene.Agents())
}

func state(w *ecs.World, n int) (positions, velocities []r2.Vec) {
	positions, velocities = make([]r2.Vec, n), make([]r2.Vec, n)
	agent, position, velocity := ecs.ComponentID[c.Agent](w), ecs.ComponentID[c.Position](w), ecs.ComponentID[c.Velocity](w)
	q := w.Query(ecs.All(agent, position, velocity))
	for q.Next() {
		i := (*c.Agent)(q.Get(agent)).ID - 1
		positions[i], velocities[i] = (*c.Position)(q.Get(position)).Vec, (*c.Velocity)(q.Get(velocity)).Vec
	}
	return positions, velocities
}
