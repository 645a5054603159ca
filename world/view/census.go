package view

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

type census struct {
	agents int
	bodies int     // agents with a finite radius above 0
	radii  float64 // m, sum
	box    r2.Box  // m, bounds of all finite positions

	agent  frame.In[c.Agent]
	vel    frame.In[c.Velocity]
	pos    frame.In[c.Position]
	radius frame.In[c.Radius]
}

func takeCensus(w *world.World) *census {
	all := &census{box: noBox}
	f := frameOver(w, 1, all) // one worker makes the sum reproducible
	defer f.Finalize(w.ECS)
	f.Update(w.ECS)
	return all
}

var noBox = r2.Box{Min: r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, Max: r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}}

func (s *census) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	n.Optional(&s.agent, &s.vel, &s.radius)
	frame.Without[c.Obstacle](n)
}

func (s *census) Run(b *frame.Batch) {
	if s.agent.Of(b) == nil && s.vel.Of(b) == nil {
		return
	}
	pos, radius := s.pos.Of(b), s.radius.Of(b)
	s.agents += len(pos)
	for i := range pos {
		if finite(pos[i].Vec) {
			s.box = including(s.box, pos[i].Vec, 0)
		}
		if radius != nil && radius[i].Meters > 0 && radius[i].Meters <= math.MaxFloat64 {
			s.radii += radius[i].Meters
			s.bodies++
		}
	}
}

// around returns a box around all agents and obstacles or, if there are none, around the origin. Its margin
// is a tenth of the longer side, at least 1 m.
func (s *census) around(w *world.World) r2.Box {
	all := s.box
	w.Inspect().EachObstacle(func(o world.ObstacleShape) {
		for _, p := range append(o.Corners, o.A, o.B) {
			all = including(all, p, o.Radius)
		}
	})
	if !finite(all.Min) || !finite(all.Max) {
		all = r2.Box{}
	}
	size := all.Size()
	room := max(0.1*max(size.X, size.Y), 1)
	return r2.Box{Min: r2.Sub(all.Min, r2.Vec{X: room, Y: room}), Max: r2.Add(all.Max, r2.Vec{X: room, Y: room})}
}

func including(b r2.Box, at r2.Vec, radius float64) r2.Box {
	return r2.Box{
		Min: r2.Vec{X: min(b.Min.X, at.X-radius), Y: min(b.Min.Y, at.Y-radius)},
		Max: r2.Vec{X: max(b.Max.X, at.X+radius), Y: max(b.Max.Y, at.Y+radius)},
	}
}

type crowding struct {
	Radius float64 `json:"radius"` // m, within which other agents count
	Top    float64 `json:"top"`    // agents/m² at the top of the scale
}

// crowdingOf returns a scale that suits the agents. With bodies, its radius is eight mean body radii, and its
// top is half the density of the closest packing: 2 m and 2.3 agents/m² for people with a radius of 0.25 m.
// According to Fruin, contact is unavoidable at higher densities. With points, a circle of its radius
// contains ten agents on average, and its top is four times the average density.
func crowdingOf(all *census, box r2.Box) crowding {
	if mean := all.radii / float64(all.bodies); all.bodies > 0 && mean <= math.MaxFloat64 {
		return crowding{8 * mean, twoDigits(1 / (4 * math.Sqrt(3) * mean * mean))}
	}
	agents := float64(max(all.agents, 1))
	area := box.Size().X * box.Size().Y
	if !(area > 0 && area <= math.MaxFloat64) {
		area = agents
	}
	return crowding{math.Sqrt(10 * area / (math.Pi * agents)), twoDigits(4 * agents / area)}
}

func twoDigits(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Round(x/unit) * unit
}

type around struct {
	scale crowding
	id    uint64
	at    r2.Vec
	body  float64 // m, radius
	near  int
	depth float64 // deepest overlap, as a fraction of the smaller radius
}

// look counts the other agents within the radius of the scale. The function visit must be a.meet.
func (a *around) look(n *sense.Neighbors, visit func(sense.Neighbor) bool) {
	a.near, a.depth = 0, 0
	n.Within(a.at, a.scale.Radius, ecs.Entity{}, visit)
}

func (a *around) meet(o sense.Neighbor) bool {
	if o.ID == a.id {
		return true
	}
	a.near++
	if least := min(a.body, o.Radius); least > 0 {
		overlap := a.body + o.Radius - r2.Norm(r2.Sub(o.Position, a.at))
		a.depth = max(a.depth, overlap/least)
	}
	return a.near < enough
}

const (
	enough  = 4096
	touches = 0.004 // fraction of the smaller radius, about a millimeter for a person; smaller overlaps do not count
)

func (a *around) density() uint8 {
	perArea := float64(a.near) / (math.Pi * a.scale.Radius * a.scale.Radius)
	return uint8(min(perArea/a.scale.Top, 1)*255 + 0.5)
}

// contact returns a number from 0, for no contact, to 255, for an overlap by the smaller radius or more.
func (a *around) contact() uint8 {
	if a.depth < touches {
		return 0
	}
	return uint8(1 + 254*min(a.depth, 1))
}

type activities struct {
	words  []string
	all    []activity // in the order of the entries
	worded []int      // indexes of behaviors with a word, most specific first

	mu    sync.Mutex
	kinds map[ecs.Mask]*kind
	names []string // of archetypes: the behaviors of their agents
}

type activity struct {
	name  string
	id    ecs.ID          // of its component
	word  uint8           // index
	while frame.Condition // nil means always
}

// moving is the index of the word for behaviors that have no word of their own.
const moving = 0

// kind describes all agents with the same components.
type kind struct {
	archetype uint8       // index of its name
	always    uint8       // index of the word when no condition holds
	now       []*activity // activities with a condition, most specific last
}

func activitiesOf(w *world.World, entries []catalog.Entry) *activities {
	bound, err := column.NewBindings(w.Config().Bind...)
	if err != nil {
		panic(err) // the world has applied the bindings
	}
	a := &activities{words: []string{"moving"}, kinds: map[ecs.Mask]*kind{}}
	for i := range entries {
		e := &entries[i]
		one := activity{name: e.Name, id: e.Column(bound, w.ECS).ID}
		if e.While != nil {
			one.while = e.While().(frame.Condition)
		}
		if e.Doing != "" {
			one.word = a.word(e.Doing)
			a.worded = append(a.worded, i)
		}
		a.all = append(a.all, one)
	}
	slices.SortStableFunc(a.worded, func(i, k int) int { return slices.Compare(rank(&entries[i]), rank(&entries[k])) })
	return a
}

// word returns the index of a word, or moving if there are too many.
func (a *activities) word(name string) uint8 {
	i := slices.Index(a.words, name)
	if i < 0 && len(a.words) <= math.MaxUint8 {
		i, a.words = len(a.words), append(a.words, name)
	}
	return uint8(max(i, moving))
}

// rank returns a sort key, which is lower for more specific behaviors. A Priority of 0 comes last in its
// tier.
func rank(e *catalog.Entry) []int {
	tier := 4
	switch {
	case e.While != nil:
		tier = 0
	case e.Does.Has(catalog.SetsTarget):
		tier = 1
	case e.Does.Has(catalog.SetsVelocity):
		tier = 2
	case e.Does.Has(catalog.Steers):
		tier = 3
	}
	return []int{tier, cmp.Or(e.Priority, math.MaxInt)}
}

func (a *activities) needs(n *frame.Needs) {
	for i := range a.all {
		if while := a.all[i].while; while != nil {
			while.Needs(n)
		}
	}
}

// kind is safe for concurrent use.
func (a *activities) kind(mask ecs.Mask) *kind {
	a.mu.Lock()
	defer a.mu.Unlock()
	if k := a.kinds[mask]; k != nil {
		return k
	}
	k := &kind{archetype: a.archetype(mask), always: moving}
	for _, i := range slices.Backward(a.worded) {
		switch one := &a.all[i]; {
		case !mask.Get(one.id):
		case one.while == nil:
			k.always = one.word
		default:
			k.now = append(k.now, one)
		}
	}
	a.kinds[mask] = k
	return k
}

// archetype returns the number of the set of behaviors in mask. All sets beyond the range of a byte share the
// last number. The caller must hold a.mu.
func (a *activities) archetype(mask ecs.Mask) uint8 {
	var has []string
	for i := range a.all {
		if mask.Get(a.all[i].id) {
			has = append(has, a.all[i].name)
		}
	}
	name := cmp.Or(strings.Join(has, ", "), "no behavior")
	if i := slices.Index(a.names, name); i >= 0 {
		return uint8(i)
	}
	if len(a.names) <= math.MaxUint8 {
		a.names = append(a.names, name)
	}
	return uint8(len(a.names) - 1)
}

func (a *activities) archetypes() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.names)
}

// ask returns the index of the word for each agent of a batch. It reuses the memory of answer.
func (k *kind) ask(b *frame.Batch, answer []uint8) []uint8 {
	answer = answer[:0]
	for range b.Len() {
		answer = append(answer, k.always)
	}
	for _, one := range k.now {
		one.while.Mark(b, answer, one.word)
	}
	return answer
}
