package view

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// snapshot is the visible state of a crowd. placeOf returns an agent's index in the slices.
type snapshot struct {
	build   uint32 // number of the world
	version uint64 // of the simulation's state
	step    uint64
	time    float64 // s
	agents  int     // number of living agents
	layers  layers  // contents other than the agents

	maxSpeed, maxRadius float64 // m/s, m
	pointer             r2.Vec  // m
	hasPointer          bool
	obstacles           uint32 // version

	ids      []uint64 // 0 means no agent
	pos      []r2.Vec // m
	look     []look
	target   []r2.Vec // m; NaN means none
	contact  []r2.Vec // m; NaN means none
	steering []r2.Vec // m/s², of the last step
	cells    []cell   // of the obstacle index
	pairs    []pair   // of neighbors
	wrap     r2.Box   // m, box of a periodic world; zero means not periodic
	routes   routes
	beside   []walker
	crowded  bool         // too many agents look for neighbors
	holders  atomic.Int32 // viewers that hold the snapshot
}

type look struct {
	speed, radius  float32 // m/s, m
	aheadX, aheadY float32 // direction that the agent faces, of any length
	threat         uint8   // 0 means none, 255 means touching
	behavior       uint8   // index of its word
	archetype      uint8   // number
	density        uint8   // 255 means the top of the scale or more
	contact        uint8   // 255 means an overlap by the smaller radius or more
	group          uint8   // index; 255 also stands for all later groups
}

// heading returns the direction in 1/65,536 turn, counterclockwise from +x.
func (l *look) heading() uint16 {
	angle := math.Atan2(float64(l.aheadY), float64(l.aheadX))
	return uint16(int32(math.Round(angle / (2 * math.Pi) * 65536)))
}

type cell struct {
	box       r2.Box
	obstacles int
}

func placeOf(e ecs.Entity) int { return int(e.ID()) - 1 }

// placesOf returns the number of indexes that placeOf needs for a world.
func placesOf(w *world.World) int { return w.ECS.Stats().Entities.Total }

// grow makes room for n indexes in the slices that s.layers requires, and clears s.ids.
func (s *snapshot) grow(n int) {
	if n > len(s.ids) {
		s.ids, s.pos, s.look = make([]uint64, n), make([]r2.Vec, n), make([]look, n)
	}
	clear(s.ids)
	s.routes.grow(len(s.ids), s.layers&layerRoutes != 0)
	for _, l := range []struct {
		layer layers
		of    *[]r2.Vec
	}{{layerTargets, &s.target}, {layerThreats, &s.contact}, {layerSteering, &s.steering}} {
		switch {
		case s.layers&l.layer == 0:
			*l.of = nil
		case len(*l.of) < len(s.ids):
			*l.of = make([]r2.Vec, len(s.ids))
		}
	}
}

// captureCells captures at most mostCells cells of the obstacle index, in the smallest box that contains the
// given boxes.
func (s *snapshot) captureCells(o *sense.Obstacles, boxes []r2.Box) {
	s.cells = s.cells[:0]
	if len(boxes) == 0 {
		return
	}
	within := boxes[0]
	for _, b := range boxes[1:] {
		within = within.Union(b)
	}
	o.Cells(within, func(box r2.Box, n int) bool {
		s.cells = append(s.cells, cell{box, n})
		return len(s.cells) < mostCells
	})
}

const mostCells = 200_000

// at returns the position of an agent, and reports whether the agent is alive.
func (s *snapshot) at(id uint64, place int) (r2.Vec, bool) {
	if id == 0 || place < 0 || place >= len(s.ids) || s.ids[place] != id {
		return r2.Vec{}, false
	}
	return s.pos[place], true
}

// nearest returns the index of the agent nearest to p, and reports whether it is at most reach m away.
func (s *snapshot) nearest(p r2.Vec, reach float64) (place int, found bool) {
	best := reach * reach
	for i, one := range s.ids {
		if d := r2.Norm2(r2.Sub(s.pos[i], p)); one != 0 && d <= best {
			best, place, found = d, i, true
		}
	}
	return place, found
}

// choose returns the ID of an agent near p, or 0 if the nearest agent is more than reach m away. Agents at
// most dot m from the nearest agent look like one point with it. Of these agents, choose returns the lowest
// ID or, if the selected agent is one of them, the next higher ID, if any.
func (s *snapshot) choose(p r2.Vec, reach, dot float64, selected uint64) uint64 {
	place, found := s.nearest(p, reach)
	if !found {
		return 0
	}
	var first, next uint64 // 0 means none yet
	holds := false
	for i, one := range s.ids {
		if one == 0 || r2.Norm2(r2.Sub(s.pos[i], s.pos[place])) > dot*dot {
			continue
		}
		holds = holds || one == selected
		if first == 0 || one < first {
			first = one
		}
		if one > selected && (next == 0 || one < next) {
			next = one
		}
	}
	if holds && next != 0 {
		return next
	}
	return first
}

type snapshotPool struct {
	mu      sync.Mutex
	newest  *snapshot
	all     []*snapshot
	changed chan struct{} // closed when there is a newer snapshot
}

// mostSnapshots is enough for the newest snapshot, one being filled, and one that a viewer still encodes.
const mostSnapshots = 3

func newSnapshotPool() *snapshotPool { return &snapshotPool{changed: make(chan struct{})} }

// spare returns a snapshot to fill, or nil while viewers hold all of them.
func (s *snapshotPool) spare() *snapshot {
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

func (s *snapshotPool) put(one *snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest = one
	close(s.changed)
	s.changed = make(chan struct{})
}

// take returns the newest snapshot, which may be nil, and a channel that is closed when there is a newer one.
// The caller must give the snapshot back.
func (s *snapshotPool) take() (*snapshot, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.newest != nil {
		s.newest.holders.Add(1)
	}
	return s.newest, s.changed
}

func (s *snapshotPool) give(one *snapshot) {
	if one != nil {
		one.holders.Add(-1)
	}
}

// forget drops all snapshots, to free the memory of a large crowd.
func (s *snapshotPool) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest, s.all = nil, nil
}
