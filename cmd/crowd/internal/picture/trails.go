package picture

import (
	"fmt"
	"image"
	"maps"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	agentsWithTrails = 300
	pointsOfTrail    = 1000
)

// Trails records the paths of agents, with fewer points once a path is long. The methods do nothing on a nil
// Trails.
type Trails struct {
	world  *world.World
	agents *generic.Filter2[c.Agent, c.Position]
	paths  map[uint64][]r2.Vec // by ID of the agent
	every  int                 // steps between points
	steps  int
}

// NewTrails returns trails that begin at the current positions, or nil for more than 300 agents, whose trails
// could not be distinguished.
func NewTrails(w *world.World, agents int) *Trails {
	if agents > agentsWithTrails {
		return nil
	}
	t := &Trails{world: w, agents: generic.NewFilter2[c.Agent, c.Position](), paths: map[uint64][]r2.Vec{}, every: 1}
	t.Note()
	return t
}

// Note records the positions after a step.
func (t *Trails) Note() {
	if t == nil {
		return
	}
	if t.steps++; (t.steps-1)%t.every != 0 {
		return
	}
	long := false
	q := t.agents.Query(t.world.ECS)
	for q.Next() {
		agent, pos := q.Get()
		path := append(t.paths[agent.ID], pos.Vec)
		t.paths[agent.ID] = path
		long = long || len(path) >= pointsOfTrail
	}
	if long {
		t.thin()
	}
}

func (t *Trails) thin() {
	t.every *= 2
	for id, path := range t.paths {
		kept := path[:0]
		for i := 0; i < len(path); i += 2 {
			kept = append(kept, path[i])
		}
		t.paths[id] = kept
	}
}

// All returns the paths in the order of the agents' IDs. They are valid until the next call to Note.
func (t *Trails) All() (all [][]r2.Vec) {
	if t == nil {
		return nil
	}
	for _, id := range slices.Sorted(maps.Keys(t.paths)) {
		all = append(all, t.paths[id])
	}
	return all
}

const (
	pointsOfWake  = 120        // without its head
	pointsOfWakes = 20_000_000 // to limit memory
	bytesOfPoint  = 12
)

// wakes records the positions and speeds of agents in the last steps. A nil wakes records nothing.
type wakes struct {
	world  *world.World
	agents *generic.Filter3[c.Agent, c.Position, c.Velocity]
	every  int           // steps between points
	length int           // maximum number of points, without the head
	count  int           // how often points were recorded
	since  int           // steps since the last recording
	points [][]wakePoint // ring buffer of moments, each indexed by ID - 1
	known  int           // highest recorded ID
}

// wakePoint is a point of a wake. Its x is NaN if the agent was not present.
type wakePoint struct{ x, y, speed float32 }

// TrailBytes returns the maximum memory of wakes, in bytes.
func TrailBytes(agents, steps int) uint64 {
	return uint64(agents) * uint64(min(steps, pointsOf(agents))) * bytesOfPoint
}

// pointsOf returns the maximum number of points of one wake. Large crowds have fewer, to limit memory.
func pointsOf(agents int) int { return min(pointsOfWake, pointsOfWakes/max(1, agents)) }

// newWakes returns wakes that begin at the current positions, or nil if steps is 0. It returns an error for
// too many agents.
func newWakes(w *world.World, steps, agents int) (*wakes, error) {
	if steps == 0 {
		return nil, nil
	}
	k := &wakes{world: w, agents: generic.NewFilter3[c.Agent, c.Position, c.Velocity](), known: agents}
	points := pointsOf(agents)
	if points == 0 {
		return nil, fmt.Errorf("--trails can't draw %s agents, want at most %s", cli.Thousands(agents), cli.Thousands(pointsOfWakes))
	}
	k.every = (steps + points - 1) / points
	k.length = (steps + k.every - 1) / k.every
	k.note()
	return k, nil
}

func (k *wakes) step() {
	if k == nil {
		return
	}
	if k.since++; k.since == k.every {
		k.note()
	}
}

func (k *wakes) note() {
	k.since = 0
	at := k.count % k.length
	k.count++
	if at == len(k.points) {
		k.points = append(k.points, make([]wakePoint, k.known))
	}
	points := k.points[at]
	for i := range points {
		points[i].x = float32(math.NaN())
	}
	query := k.agents.Query(k.world.ECS)
	for query.Next() {
		agent, pos, vel := query.Get()
		if i := agent.ID - 1; i < uint64(len(points)) {
			points[i] = wakePoint{float32(pos.X), float32(pos.Y), float32(r2.Norm(vel.Vec))}
		}
	}
}

// reach returns the maximum length of a wake, given that of a step.
func (k *wakes) reach(step float64) float64 {
	if k == nil {
		return 0
	}
	return step * float64((k.length+1)*k.every)
}

// all appends to a slice the wakes of the recorded agents in a box, or of all recorded agents if the box is
// empty. It reuses the memory beyond the length of the slice. The parameter ids contains the agents' IDs.
func (k *wakes) all(to []Wake, agents []Agent, ids []uint64, near r2.Box) []Wake {
	if k == nil {
		return to
	}
	for i := range agents {
		a, slot := &agents[i], ids[i]-1
		if slot >= uint64(k.known) || !near.Empty() && !near.Contains(a.Position) {
			continue
		}
		if len(to) == cap(to) {
			to = append(to, Wake{})
		} else {
			to = to[:len(to)+1]
		}
		wake := &to[len(to)-1]
		wake.Agent = *a
		wake.Points, wake.Speeds = wake.Points[:0], wake.Speeds[:0]
		for n := len(k.points); n > 0; n-- {
			p := k.points[(k.count-n)%k.length][slot]
			if p.x == p.x {
				wake.Points = append(wake.Points, r2.Vec{X: float64(p.x), Y: float64(p.y)})
				wake.Speeds = append(wake.Speeds, float64(p.speed))
			}
		}
		wake.Points = append(wake.Points, a.Position)
		wake.Speeds = append(wake.Speeds, a.Speed)
	}
	return to
}

// longestLeg is the maximum length of a drawn leg, as a fraction of the width of the view. A longer leg is a
// jump, as at a wrapping edge.
const longestLeg = 0.4

func (s *sheet) drawTrails(to pen, trails [][]r2.Vec) {
	f, t := s.frame, s.colors.theme
	l := line{color: t.trail, width: 2 * max(float64(f.bounds.Dx())/1600, 0.6), opacity: 80. / 255}
	for _, trail := range trails {
		var parts [][]r2.Vec
		var part []r2.Vec
		for _, p := range trail {
			if !usable(p) {
				parts, part = append(parts, part), nil
				continue
			}
			p = f.at(p)
			if n := len(part); n > 0 && r2.Norm(r2.Sub(p, part[n-1])) > longestLeg*float64(f.bounds.Dx()) {
				parts, part = append(parts, part), nil
			}
			part = append(part, p)
		}
		to.stroke(l, append(parts, part)...)
	}
}

// A Wake is the recent path of an agent. It fades toward its tail.
type Wake struct {
	Agent  Agent
	Points []r2.Vec  // m, the oldest first
	Speeds []float64 // m/s, at each point; nil means the speed of the agent
}

const strongest = 0.75 // opacity of a wake at its head

type stroke struct {
	a, b      r2.Vec // pixels
	widths    [2]float64
	opacities [2]float64
	value     value
	wake      int32 // index
}

// strokesOf returns the legs of all wakes that may be in view, wake by wake.
func strokesOf(f viewport, wakes []Wake, c *coloring, s spotting) (all []stroke) {
	longest := longestLeg * float64(f.bounds.Dx())
	for w := range wakes {
		wake := &wakes[w]
		head := min(max(0.8*max(length(wake.Agent.Radius)*f.scale, s.least), 1), 6) // pixels
		n := float64(len(wake.Points) - 1)
		for i := 1; i < len(wake.Points); i++ {
			if !usable(wake.Points[i-1]) || !usable(wake.Points[i]) {
				continue
			}
			a, b := f.at(wake.Points[i-1]), f.at(wake.Points[i])
			if a == b || r2.Norm(r2.Sub(b, a)) > longest || !f.shows(a, longest) {
				continue
			}
			was := wake.Agent
			was.Heading = r2.Sub(wake.Points[i], wake.Points[i-1])
			if i < len(wake.Speeds) {
				was.Speed = wake.Speeds[i]
			}
			from, to := float64(i-1)/n, float64(i)/n
			width := func(t float64) float64 { return head * (0.35 + 0.65*t) }
			all = append(all, stroke{a, b, [2]float64{width(from), width(to)},
				[2]float64{strongest * from, strongest * to}, c.of(&was), int32(w)})
		}
	}
	return all
}

// drawStrokes draws strokes into l. The coverage by the legs of one wake adds up, so legs join. Where wakes
// overlap, the greatest coverage counts. The layer scratch has the size of l, and is empty before and after.
func drawStrokes(l, scratch *layer, strokes []stroke) {
	var touched image.Rectangle
	for i := range strokes {
		s := &strokes[i]
		touched = touched.Union(scratch.leg(s.a, s.b, s.widths, s.opacities, s.value))
		if i+1 == len(strokes) || strokes[i+1].wake != s.wake {
			l.merge(scratch, touched)
			touched = image.Rectangle{}
		}
	}
}

// merge moves the cells in box from another layer of the same size, as one opaque shape.
func (l *layer) merge(from *layer, box image.Rectangle) {
	for y := box.Min.Y; y < box.Max.Y; y++ {
		to, row := l.row(y), from.row(y)
		for x := box.Min.X - l.bounds.Min.X; x < box.Max.X-l.bounds.Min.X; x++ {
			if c := &row[x]; c.weight > 0 {
				to[x].cap(c.cover, c.mean())
				*c = cell{}
			}
		}
	}
}
