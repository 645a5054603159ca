package steerbench

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// Placement is a test case after Place: nothing in it is random.
type Placement struct {
	Agents    []Agent    // those of the file, then those of the regions, each in order; may share Goals
	Emitters  []Agent    // may overlap one another; those with a place in the file may overlap anything
	Obstacles []Obstacle // those of the file, then those of the regions, each in order
}

const (
	maxAttempts    = 10_000  // to find one place, as in SteerSuite
	maxChecks      = 1 << 30 // checks of one thing against another
	attemptsAtOnce = 64      // attempts between two checks of the context
	goalRoom       = 1.0     // m, minimum distance of a random target from obstacles, as in SteerSuite
)

// Place draws whatever is random in the test case, in the order of SteerSuite. The result depends only
// on the seed and the test case, which Place does not change. Agents and obstacles that have a place in the
// file may overlap. Random ones get places where they overlap nothing; for a random obstacle, a circle
// whose radius is the obstacle's side must be free. Random targets keep clear of obstacles. A region
// contains its agents entirely if it is wide enough.
//
// Place returns an error if it finds no free place, as in SteerSuite, or if ctx is done.
func (t *TestCase) Place(ctx context.Context, seed uint64) (*Placement, error) {
	return t.place(ctx, seed, maxChecks)
}

func (t *TestCase) place(ctx context.Context, seed uint64, limit int) (*Placement, error) {
	p := &placer{ctx: ctx, room: newRoom(t), seed: seed, limit: limit, bounds: t.Bounds, find: t.finder(), total: len(t.Agents)}
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

// finder returns a function that finds the index of an agent by the agent's name or, as some test cases need,
// by the index itself. The index is -1 if there is no such agent.
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

type placer struct {
	Placement
	ctx   context.Context
	room  *room
	seed  uint64
	limit int // maximum number of checks

	attempts int // so far
	bounds   r2.Box
	total    int // number of agents in the end
	find     func(name string) int
}

func (p *placer) obstacle(region ObstacleRegion) error {
	center, err := p.place(region.Bounds, region.Size, theObstacle, len(p.Obstacles), true)
	if err != nil {
		return err
	}
	half := r2.Vec{X: float64(region.Size / 2), Y: float64(region.Size / 2)}
	o := Obstacle{Outline: r2.Box{Min: r2.Sub(center, half), Max: r2.Add(center, half)}.Vertices()}
	p.Obstacles = append(p.Obstacles, o)
	p.room.addObstacle(o)
	return nil
}

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

func (p *placer) settle(a Agent, index int) (_ Agent, err error) {
	if a.Random {
		if a.Position, err = p.place(a.Bounds, a.Radius, thePosition, index, true); err != nil {
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

func (g Goal) open() bool {
	return g.Random || g.Kind == SeekMoving || g.Kind == FleeMoving || g.Kind == FlowMoving
}

func (p *placer) goal(g *Goal, what uint64, index int) (err error) {
	switch g.Kind {
	case SeekTarget, FleeTarget:
		if g.Random {
			g.Target, err = p.place(p.bounds, goalRoom, what, index, false)
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

// place draws a point in bounds with room for a circle of radius r. The circle stays in bounds unless
// they are too small, as in SteerSuite.
func (p *placer) place(bounds r2.Box, r float64, what uint64, index int, agents bool) (r2.Vec, error) {
	obstacles := p.room.near(bounds, r)
	for attempt := range uint64(maxAttempts) {
		v := r2.Vec{
			X: between(bounds.Min.X+r, bounds.Max.X-r, draw(p.seed, what, uint64(index), 2*attempt)),
			Y: between(bounds.Min.Y+r, bounds.Max.Y-r, draw(p.seed, what, uint64(index), 2*attempt+1)),
		}
		if p.room.free(v, r, obstacles, agents) {
			return v, nil
		}
		if p.attempts++; p.attempts%attemptsAtOnce == 0 && p.ctx.Err() != nil {
			return v, p.ctx.Err()
		}
		if p.room.checks > p.limit {
			return v, fmt.Errorf("no free place: gave up after %d checks in total", p.room.checks)
		}
	}
	return r2.Vec{}, fmt.Errorf("no free place for a radius of %g m in x %g to %g m, y %g to %g m: gave up after %d attempts with seed %d",
		r, bounds.Min.X, bounds.Max.X, bounds.Min.Y, bounds.Max.Y, maxAttempts, p.seed)
}

// room holds the obstacles and agents that have a place. Its square cells are at least as wide as the widest
// agent, so an agent can overlap only agents in its own cell and the eight around that.
type room struct {
	obstacles []solid
	cells     map[cell][]circle
	width     float64
	checks    int

	// The last result of near, and its box.
	nearby    []solid
	nearbyBox r2.Box
	nearbySet bool
}

type (
	cell   struct{ x, y float64 }
	circle struct {
		center r2.Vec
		radius float64
	}
	solid struct {
		Obstacle
		box r2.Box
	}
)

func newRoom(t *TestCase) *room {
	m := &room{cells: map[cell][]circle{}}
	for _, a := range slices.Concat(t.Agents, t.Emitters) {
		m.width = max(m.width, 2*a.Radius)
	}
	for _, region := range t.Regions {
		m.width = max(m.width, 2*region.Agent.Radius)
	}
	for _, region := range t.ObstacleRegions {
		m.width = max(m.width, 2*region.Size)
	}
	for _, o := range t.Obstacles {
		m.addObstacle(o)
	}
	return m
}

func (m *room) addObstacle(o Obstacle) {
	s := solid{Obstacle: o, box: o.box()}
	m.obstacles = append(m.obstacles, s)
	if m.nearbySet && textio.Meet(s.box, m.nearbyBox) {
		m.nearby = append(m.nearby, s)
	}
}

func (m *room) addCircle(center r2.Vec, radius float64) {
	c := m.cellOf(center)
	m.cells[c] = append(m.cells[c], circle{center, radius})
}

func (m *room) cellOf(v r2.Vec) cell {
	return cell{math.Floor(v.X / m.width), math.Floor(v.Y / m.width)}
}

// near returns the obstacles whose boxes come within r of the box along each axis.
func (m *room) near(box r2.Box, r float64) []solid {
	box.Min, box.Max = r2.Sub(box.Min, r2.Vec{X: r, Y: r}), r2.Add(box.Max, r2.Vec{X: r, Y: r})
	if m.nearbySet && box == m.nearbyBox {
		return m.nearby
	}
	m.nearby, m.nearbyBox, m.nearbySet = nil, box, true
	for _, s := range m.obstacles {
		if textio.Meet(s.box, box) {
			m.nearby = append(m.nearby, s)
		}
	}
	m.checks += len(m.obstacles)
	return m.nearby
}

func (m *room) free(center r2.Vec, r float64, obstacles []solid, agents bool) bool {
	m.checks += 1 + len(obstacles)
	box := Obstacle{Center: center, Radius: r}.box()
	for _, s := range obstacles {
		if !textio.Meet(s.box, box) {
			continue
		}
		m.checks += len(s.Outline)
		if s.overlaps(center, r) {
			return false
		}
	}
	if !agents {
		return true
	}
	at := m.cellOf(center)
	for x := -1.0; x <= 1; x++ {
		for y := -1.0; y <= 1; y++ {
			circles := m.cells[cell{at.x + x, at.y + y}]
			m.checks += len(circles)
			for _, c := range circles {
				if overlap(center, c.center, r+c.radius) {
					return false
				}
			}
		}
	}
	return true
}

func (o Obstacle) box() r2.Box {
	if len(o.Outline) == 0 {
		r := r2.Vec{X: o.Radius, Y: o.Radius}
		return r2.Box{Min: r2.Sub(o.Center, r), Max: r2.Add(o.Center, r)}
	}
	return textio.Bounds(o.Outline)
}

func (o Obstacle) overlaps(center r2.Vec, r float64) bool {
	if len(o.Outline) == 0 {
		return overlap(center, o.Center, r+o.Radius)
	}
	inside := false
	a := o.Outline[len(o.Outline)-1]
	for _, b := range o.Outline {
		if overlap(center, closest(a, b, center), r) {
			return true
		}
		if (a.Y > center.Y) != (b.Y > center.Y) &&
			center.X < a.X+float64((center.Y-a.Y)/(b.Y-a.Y)*(b.X-a.X)) {
			inside = !inside
		}
		a = b
	}
	return inside
}

func closest(a, b, p r2.Vec) r2.Vec {
	d, w := r2.Sub(b, a), r2.Sub(p, a)
	n2 := float64(d.X*d.X) + float64(d.Y*d.Y)
	if n2 == 0 {
		return a
	}
	s := min(max((float64(w.X*d.X)+float64(w.Y*d.Y))/n2, 0), 1)
	return r2.Vec{X: a.X + float64(s*d.X), Y: a.Y + float64(s*d.Y)}
}

func overlap(a, b r2.Vec, r float64) bool {
	x, y := a.X-b.X, a.Y-b.Y
	return float64(x*x)+float64(y*y) < float64(r*r)
}

// Each kind of draw has its own number, so no draw depends on how often another one was repeated.
const (
	theObstacle uint64 = iota
	thePosition
	theDirection
	theGoal // this value plus the index of the goal
)

func draw(words ...uint64) uint64 {
	var h uint64
	for _, w := range words {
		h = hash.Mix(h ^ w)
	}
	return h
}

func between(a, b float64, d uint64) float64 {
	return a + float64(hash.Float(d)*(b-a))
}

func (p *placer) direction(what uint64, index int) r2.Vec {
	for attempt := uint64(0); ; attempt++ {
		x := between(-1, 1, draw(p.seed, what, uint64(index), 2*attempt))
		y := between(-1, 1, draw(p.seed, what, uint64(index), 2*attempt+1))
		if n2 := float64(x*x) + float64(y*y); n2 > 1e-6 && n2 <= 1 {
			n := math.Sqrt(n2)
			return r2.Vec{X: x / n, Y: y / n}
		}
	}
}
