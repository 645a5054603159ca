package view

import (
	"time"

	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// publish makes a snapshot of what somebody wants to see.
func (s *simulation) publish(now time.Time) {
	to := s.shots.spare()
	if to == nil {
		return
	}
	var wanted layers
	var cells, pairs []r2.Box
	var chosen []uint64
	s.recorder.near.Always = false
	s.each(func(v *viewer) {
		box, layers, color := v.wants()
		wanted |= layers
		if color == byDensity || color == byContact {
			s.recorder.near.Always = true
		}
		if layers&layerCells != 0 {
			cells = append(cells, box)
		}
		if layers&layerRoutes != 0 {
			chosen = append(chosen, v.selected.Load())
		}
		if layers&layerNeighbors != 0 {
			pairs = append(pairs, box)
		}
	})
	if s.beside == nil {
		wanted &^= layerBeside
	}
	s.showFields()
	s.capture(to, wanted, cells, pairs)
	s.captureRoutes(to, chosen)
	s.shots.put(to)
	s.shown, s.last = s.version, now
}

// capture fills a snapshot, with the cells of the obstacle index and those who see
// one another in some boxes.
func (s *simulation) capture(to *snapshot, wanted layers, cells, pairs []r2.Box) {
	places := placesOf(s.world)
	to.build, to.version, to.layers = s.build, s.version, wanted
	to.step, to.time = uint64(s.world.Clock.Tick), s.world.Clock.Time
	to.obstacles = s.solids.version
	to.grow(places)
	s.recorder.to = to
	s.frame.Update(s.world.ECS)
	seen := s.recorder.sum()
	to.agents, to.maxSpeed, to.maxRadius = seen.agents, seen.maxSpeed, seen.maxRadius
	to.pointer, to.hasPointer = scene.PointerOf(s.world)
	if s.steering != nil {
		s.steering.grow(places)
		copy(to.steering, s.steering.to)
	}
	s.captureBeside(to)
	to.captureCells(s.world.Obstacles, cells)
	to.capturePairs(s.world.Neighbors, pairs)
}
