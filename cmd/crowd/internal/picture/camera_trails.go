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

// A picture shows the trails of all agents if they are few, and of none if they are many.
const (
	agentsWithTrails = 300
	pointsOfTrail    = 1000
)

// Trails records the trails of agents, for the picture.
type Trails struct {
	world  *world.World
	agents *generic.Filter2[c.Agent, c.Position]
	ways   map[uint64][]r2.Vec // by agent ID
	every  int                 // steps between points; doubled when trails grow long
	steps  int
}

// NewTrails returns trails for a number of agents; nil if they are too many.
func NewTrails(w *world.World, agents int) *Trails {
	if agents > agentsWithTrails {
		return nil
	}
	t := &Trails{world: w, agents: generic.NewFilter2[c.Agent, c.Position](), ways: map[uint64][]r2.Vec{}, every: 1}
	t.Note()
	return t
}

// Note records where the agents are, at some steps.
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
		way := append(t.ways[agent.ID], pos.Vec)
		t.ways[agent.ID] = way
		long = long || len(way) >= pointsOfTrail
	}
	if long {
		t.thin()
	}
}

// thin keeps every other point.
func (t *Trails) thin() {
	t.every *= 2
	for id, way := range t.ways {
		kept := way[:0]
		for i := 0; i < len(way); i += 2 {
			kept = append(kept, way[i])
		}
		t.ways[id] = kept
	}
}

// All returns the trails, by ID.
func (t *Trails) All() [][]r2.Vec {
	if t == nil {
		return nil
	}
	var all [][]r2.Vec
	for _, id := range slices.Sorted(maps.Keys(t.ways)) {
		all = append(all, t.ways[id])
	}
	return all
}

const (
	// pointsOfWake is the largest number of points of a wake, besides its head.
	pointsOfWake = 120
	// pointsOfWakes bounds the memory of all wakes.
	pointsOfWakes = 20_000_000
)

// wakes records where agents were in the last steps.
type wakes struct {
	world  *world.World
	agents *generic.Filter3[c.Agent, c.Position, c.Velocity]
	every  int           // steps between points
	length int           // points
	count  int           // number of recorded points
	since  int           // steps since the last
	points [][]wakePoint // ring buffer: those of a step, by agent ID minus one
	known  int           // ids
}

// wakePoint is where an agent was, in single precision. There is none if x is NaN.
type wakePoint struct{ x, y, speed float32 }

const bytesOfPoint = 12

// TrailBytes returns the memory of trails over some steps, in bytes.
func TrailBytes(agents, steps int) uint64 {
	return uint64(agents) * uint64(min(steps, pointsOfWake)) * bytesOfPoint
}

// newWakes returns wakes over a number of steps; nil for none. The error says how many fit into
// memory.
func newWakes(w *world.World, steps, agents int) (*wakes, error) {
	if steps == 0 {
		return nil, nil
	}
	k := &wakes{world: w, agents: generic.NewFilter3[c.Agent, c.Position, c.Velocity](), known: agents}
	k.every = (steps + pointsOfWake - 1) / pointsOfWake
	k.length = (steps + k.every - 1) / k.every
	if most := pointsOfWakes / agents; k.length > most {
		return nil, fmt.Errorf("--trails of %d steps are too much for %s agents, want at most %d", steps, cli.Thousands(agents), most*k.every)
	}
	k.note()
	return k, nil
}

// step records where the agents are, at some steps.
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

// reach returns the longest possible length of a wake, given the largest displacement per step.
func (k *wakes) reach(step float64) float64 {
	if k == nil {
		return 0
	}
	return step * float64((k.length+1)*k.every)
}

// all appends the wakes of nearby agents with some IDs. Their last points are the agents'
// positions.
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
			to = to[:len(to)+1] // reuses its memory
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

// longestLeg is the share of the view's width beyond which two points of a trail are not joined,
// because the agent jumped, as at a periodic edge.
const longestLeg = 0.4

// drawTrails draws trails as thin lines, so faint that many on top of each other add up.
func (s *sheet) drawTrails(to pen, trails [][]r2.Vec) {
	f, t := s.frame, s.colors.theme
	l := line{color: t.trail, width: 2 * max(float64(f.bounds.Dx())/1600, 0.6), opacity: trailOpacity}
	for _, way := range trails {
		var parts [][]r2.Vec
		var part []r2.Vec
		for _, p := range way {
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

// A Wake is the path that an agent has just taken. It fades toward its tail.
type Wake struct {
	Agent  Agent     // index of the agent
	Points []r2.Vec  // m, oldest first
	Speeds []float64 // m/s, at each point; nil: that of the agent
}

// strongest is the opacity of a wake at its head.
const strongest = 0.75

// A stroke is a segment of a wake to be drawn.
type stroke struct {
	a, b      r2.Vec // pixels
	widths    [2]float64
	opacities [2]float64
	value     value
	wake      int32
}

// strokesOf returns the visible segments of all wakes, wake by wake, without jumps across the view,
// as at a periodic edge.
func strokesOf(f viewport, wakes []Wake, c *coloring, s spotting) (all []stroke) {
	longest := longestLeg * float64(f.bounds.Dx())
	for w := range wakes {
		wake := &wakes[w]
		head := wakeWidth(length(wake.Agent.Radius)*f.scale, s)
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

// wakeWidth returns the width of an agent's wake at its head, in pixels.
func wakeWidth(r float64, s spotting) float64 {
	return min(max(0.8*max(r, s.least), 1), 6)
}

// drawStrokes draws strokes into the band of the picture that l covers. Segments of one wake add
// up, so that they join; of several wakes the strongest counts.
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

// merge moves a rectangle of another layer of the same size into l, as one opaque shape.
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
