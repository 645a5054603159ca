package steerbench

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/spatial/r2"
)

// Placement is a test case with nothing left to chance.
type Placement struct {
	Agents    []Agent    // of the file, then those of the regions, each in order; Goals may be shared
	Emitters  []Agent    // may overlap agents
	Obstacles []Obstacle // of the file, then those of the regions, each in order
}

const (
	maxAttempts    = 10_000  // for one place, as in SteerSuite
	maxChecks      = 1 << 30 // of one thing against another, for a whole test case
	attemptsAtOnce = 64      // between two looks at the context
	goalRoom       = 1.0     // m, of a random target to the next obstacle, as in SteerSuite
)

// Place settles what is random in the test case, by draws that depend on the
// seed alone. The order is SteerSuite's: obstacles and agents that the file
// places may overlap; then random obstacles, which keep their whole size free
// about their center, and random agents find a place where they touch nothing;
// random targets keep clear of obstacles. A region holds its agents entirely, if
// it is wide enough.
//
// It is an error that no place is found, as in SteerSuite, or that the context ends.
// The test case itself does not change.
func (t *TestCase) Place(ctx context.Context, seed uint64) (*Placement, error) {
	return t.place(ctx, seed, maxChecks)
}

// place gives up after limit checks.
func (t *TestCase) place(ctx context.Context, seed uint64, limit int) (*Placement, error) {
	p := &placer{ctx: ctx, room: newRoom(t), seed: seed, limit: limit, bounds: t.Bounds, find: t.finder()}
	p.Obstacles = slices.Clone(t.Obstacles)
	for _, a := range t.Agents {
		if !a.Random {
			p.room.addCircle(a.Position, a.Radius)
		}
	}
	for _, region := range t.ObstacleRegions {
		for i := range region.Count {
			if err := p.obstacle(region); err != nil {
				return nil, fmt.Errorf("%s: obstacle %d of %d: %w", t.Name, i+1, region.Count, err)
			}
		}
	}
	p.total = len(t.Agents)
	for _, region := range t.Regions {
		p.total += region.Count
	}
	for _, a := range t.Agents {
		if err := p.agent(a); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	for _, region := range t.Regions {
		for range region.Count {
			if err := p.agent(region.Agent); err != nil {
				return nil, fmt.Errorf("%s: %w", t.Name, err)
			}
		}
	}
	for i, a := range t.Emitters {
		a, err := p.settle(a, p.total+i)
		if err != nil {
			return nil, fmt.Errorf("%s: emitter %d: %w", t.Name, i+1, err)
		}
		p.Emitters = append(p.Emitters, a)
	}
	return &p.Placement, nil
}

// finder returns a function that finds an agent by its name, or else by its
// number in the file, from 0, as some test cases name it; −1 means none.
func (t *TestCase) finder() func(name string) int {
	byName := map[string]int{}
	for i, a := range slices.Backward(t.Agents) {
		if a.Name != "" {
			byName[a.Name] = i
		}
	}
	return func(name string) int {
		if i, ok := byName[name]; ok {
			return i
		}
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(t.Agents) {
			return i
		}
		return -1
	}
}

// placer gathers a placement.
type placer struct {
	Placement
	ctx   context.Context
	room  *room
	seed  uint64
	limit int // of checks

	attempts int    // so far
	bounds   r2.Box // of the world
	total    int    // agents in the end
	find     func(name string) int
}

// obstacle places an obstacle of the region.
func (p *placer) obstacle(region ObstacleRegion) error {
	center, err := p.place(region.Bounds, region.Size, theObstacle, len(p.Obstacles), withAgents)
	if err != nil {
		return err
	}
	half := r2.Vec{X: region.Size / 2, Y: region.Size / 2}
	o := Obstacle{Outline: corners(r2.Box{Min: r2.Sub(center, half), Max: r2.Add(center, half)})}
	p.Obstacles = append(p.Obstacles, o)
	p.room.addObstacle(o)
	return nil
}

// agent settles an agent, and keeps its place free.
func (p *placer) agent(a Agent) error {
	n := len(p.Agents)
	placed, err := p.settle(a, n)
	if err != nil {
		return fmt.Errorf("agent %d of %d: %w", n+1, p.total, err)
	}
	if a.Random {
		p.room.addCircle(placed.Position, placed.Radius)
	}
	p.Agents = append(p.Agents, placed)
	return nil
}

// settle draws what is random in the agent with that index.
func (p *placer) settle(a Agent, index int) (_ Agent, err error) {
	if a.Random {
		if a.Position, err = p.place(a.Bounds, a.Radius, thePosition, index, withAgents); err != nil {
			return a, err
		}
		a.Random = false
	}
	if a.RandomDirection {
		a.Direction = p.direction(theDirection, index)
		a.RandomDirection = false
	}
	if slices.ContainsFunc(a.Goals, Goal.open) {
		a.Goals = slices.Clone(a.Goals)
		for i := range a.Goals {
			if err := p.goal(&a.Goals[i], theGoal+uint64(i), index); err != nil {
				return a, fmt.Errorf("goal %d: %w", i+1, err)
			}
		}
	}
	return a, nil
}

// open reports whether Place has something to settle in a goal.
func (g Goal) open() bool {
	return g.Random || g.Kind == SeekMoving || g.Kind == FleeMoving || g.Kind == FlowMoving
}

// goal settles a goal of the agent with that index.
func (p *placer) goal(g *Goal, what uint64, index int) (err error) {
	switch g.Kind {
	case SeekTarget, FleeTarget:
		if g.Random {
			g.Target, err = p.place(p.bounds, goalRoom, what, index, withoutAgents)
		}
	case SeekMoving, FleeMoving, FlowMoving:
		g.Agent = p.find(g.Name)
		if g.Random && g.Kind != FlowMoving {
			g.Agent = p.other(what, index)
		}
	case Flow:
		if g.Random {
			g.Direction = p.direction(what, index)
		}
	}
	g.Random = false
	return err
}

// other draws an agent other than the one with that index; −1 when there is none.
func (p *placer) other(what uint64, index int) int {
	others := p.total
	if index < p.total {
		others--
	}
	if others <= 0 {
		return -1
	}
	i := int(draw(p.seed, what, uint64(index), 0) % uint64(others))
	if i >= index {
		i++
	}
	return i
}

// place draws a point in bounds, at least r inside and with room for a circle of
// radius r. Of bounds too small for that a circle may stick out, as in SteerSuite.
func (p *placer) place(bounds r2.Box, r float64, what uint64, index int, among others) (r2.Vec, error) {
	obstacles := p.room.near(bounds, r)
	for attempt := range uint64(maxAttempts) {
		v := r2.Vec{
			X: between(bounds.Min.X+r, bounds.Max.X-r, draw(p.seed, what, uint64(index), 2*attempt)),
			Y: between(bounds.Min.Y+r, bounds.Max.Y-r, draw(p.seed, what, uint64(index), 2*attempt+1)),
		}
		if p.room.free(v, r, obstacles, among) {
			return v, nil
		}
		if p.attempts++; p.attempts%attemptsAtOnce == 0 && p.ctx.Err() != nil {
			return v, p.ctx.Err()
		}
		if p.room.checks > p.limit {
			return v, fmt.Errorf("no free place: gave up after %d checks for all", p.room.checks)
		}
	}
	return r2.Vec{}, fmt.Errorf("no free place for radius %g in x %g…%g, y %g…%g: gave up after %d attempts with seed %d",
		r, bounds.Min.X, bounds.Max.X, bounds.Min.Y, bounds.Max.Y, maxAttempts, p.seed)
}
