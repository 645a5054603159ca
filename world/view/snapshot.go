package view

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

// snapshot is what there is to see of a crowd at one time. Agents stand at the
// place of their id, counted from 1.
type snapshot struct {
	build   uint32 // which making of a world
	version uint64 // grows with each snapshot
	step    uint64
	time    float64 // s
	agents  int     // alive
	layers  layers  // what it holds beside the agents

	maxSpeed, maxRadius float64 // m/s, m
	pointer             r2.Vec  // m
	hasPointer          bool
	obstacles           uint32 // version

	alive    []bool
	pos      []r2.Vec // m
	look     []look   // of the same agents
	target   []r2.Vec // m; NaN: none
	contact  []r2.Vec // m, where the agent would hit; NaN: nowhere
	steering []r2.Vec // m/s², of the last step
	cells    []cell   // of the obstacle index
	pairs    []pair   // who can see whom
	crowded  bool     // they are too many to be shown
	holders  atomic.Int32
}

// look is how an agent looks.
type look struct {
	speed, radius  float32 // m/s, m
	aheadX, aheadY float32 // where it faces, of any length
	threat         uint8   // 0: none; up to 255: touching
	behavior       uint8   // what it does
	archetype      uint8   // what it has
	density        uint8   // how many are near, up to 255 at the top of the scale
	contact        uint8   // 0: touches nobody; up to 255: half a body deep
}

// heading returns where the agent faces, in 65,536 parts of a turn.
func (l *look) heading() uint16 {
	angle := math.Atan2(float64(l.aheadY), float64(l.aheadX))
	return uint16(int32(math.Round(angle / (2 * math.Pi) * 65536)))
}

// cell is a cell of the obstacle index.
type cell struct {
	box       r2.Box
	obstacles int
}

// grow makes room for agents with ids up to n.
func (s *snapshot) grow(n int) {
	if n > len(s.alive) {
		s.alive, s.pos, s.look = make([]bool, n), make([]r2.Vec, n), make([]look, n)
	}
	clear(s.alive)
	for _, l := range []struct {
		layer layers
		of    *[]r2.Vec
	}{{layerTargets, &s.target}, {layerThreats, &s.contact}, {layerSteering, &s.steering}} {
		switch {
		case s.layers&l.layer == 0:
			*l.of = nil
		case len(*l.of) < len(s.alive):
			*l.of = make([]r2.Vec, len(s.alive))
		}
	}
}

// captureCells takes the cells that touch any of some boxes.
func (s *snapshot) captureCells(o *systems.Obstacles, boxes []r2.Box) {
	s.cells = s.cells[:0]
	if len(boxes) == 0 {
		return
	}
	within := boxes[0]
	for _, b := range boxes[1:] {
		within.Min = r2.Vec{X: min(within.Min.X, b.Min.X), Y: min(within.Min.Y, b.Min.Y)}
		within.Max = r2.Vec{X: max(within.Max.X, b.Max.X), Y: max(within.Max.Y, b.Max.Y)}
	}
	o.Cells(within, func(box r2.Box, n int) bool {
		s.cells = append(s.cells, cell{box, n})
		return len(s.cells) < mostCells
	})
}

// mostCells bounds what a snapshot holds of the obstacle index.
const mostCells = 200_000

// at returns the place of the agent with an id, if it is alive.
func (s *snapshot) at(id uint64) (r2.Vec, bool) {
	if !s.knows(id) || !s.alive[id-1] {
		return r2.Vec{}, false
	}
	return s.pos[id-1], true
}

// nearest returns the id of the agent nearest to a point, if one is within reach
// of it in meters.
func (s *snapshot) nearest(p r2.Vec, reach float64) (id uint64, found bool) {
	best := reach * reach
	for i, alive := range s.alive {
		if d := r2.Norm2(r2.Sub(s.pos[i], p)); alive && d <= best {
			best, id, found = d, uint64(i)+1, true
		}
	}
	return id, found
}

// shelf holds the newest snapshot, and spare ones. The viewers take the newest
// and give it back.
type shelf struct {
	mu      sync.Mutex
	newest  *snapshot
	all     []*snapshot
	changed chan struct{} // closed when there is a newer one
}

// mostSnapshots bounds the memory of the shelf: one that is the newest, one that
// is being filled, and one that a viewer still encodes.
const mostSnapshots = 3

func newShelf() *shelf { return &shelf{changed: make(chan struct{})} }

// spare returns a snapshot to fill, nil while viewers hold all of them.
func (s *shelf) spare() *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.all {
		if one != s.newest && one.holders.Load() == 0 {
			return one
		}
	}
	if len(s.all) == mostSnapshots {
		return nil
	}
	s.all = append(s.all, &snapshot{})
	return s.all[len(s.all)-1]
}

// put makes a filled snapshot the newest.
func (s *shelf) put(one *snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest = one
	close(s.changed)
	s.changed = make(chan struct{})
}

// take returns the newest snapshot, nil if there is none yet, and what is closed
// when there is a newer one. Give it back.
func (s *shelf) take() (*snapshot, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.newest != nil {
		s.newest.holders.Add(1)
	}
	return s.newest, s.changed
}

// give gives a snapshot back.
func (s *shelf) give(one *snapshot) {
	if one != nil {
		one.holders.Add(-1)
	}
}

// forget drops all snapshots: those of a large crowd must not outlive it.
func (s *shelf) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest, s.all = nil, nil
}
