package measure

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/8f878440/crowd/systems/frame"
)

// Keep saves or restores the measurements, and the obstacles that agents touched in the last step.
func (s *TripMetrics) Keep(a *frame.Archive) {
	sum := s.sum()
	touches := s.touches.take(s)
	a.Keep(&sum, &s.records, &s.moves, &s.serial, &s.step, &touches)
	if a.Reading() && a.Err() == nil {
		s.gone = sum
		for i := range s.records {
			s.records[i].touches = 0 // put restores them
		}
		s.workers.Each(func(t *tripSums) { *t = tripSums{} })
		if len(s.moves) > len(s.records) {
			a.Fail("have %d moves, want at most %d, the number of records", len(s.moves), len(s.records))
		}
	}
	s.touches.put(a, s, touches)
}

type agentTouches struct {
	record uint32
	touched
}

// take removes the touched obstacles from the records and returns them by record, because their indexes in the
// records depend on the number of workers.
func (s *ObstacleCollisions) take(trips *TripMetrics) (all []agentTouches) {
	if s == nil {
		return nil
	}
	for i := range trips.records {
		r := &trips.records[i]
		if r.touches > 0 && r.seen == trips.step {
			all = append(all, agentTouches{uint32(i), s.kept(r.touches, r.seen)})
		}
		r.touches = 0
	}
	return all
}

func (s *ObstacleCollisions) put(a *frame.Archive, trips *TripMetrics, all []agentTouches) {
	if s == nil || a.Reading() && a.Err() != nil {
		return
	}
	for i := range s.lists {
		list := s.list(i, trips.step)
		*list = (*list)[:0]
	}
	for _, t := range all {
		if int(t.record) >= len(trips.records) {
			a.Fail("touched obstacles of record %d, want a record below %d", t.record, len(trips.records))
			return
		}
		trips.records[t.record].touches = s.keep(t.touched, 0, trips.step)
	}
}

// Keep saves or restores the counts. TripMetrics keeps the touched obstacles.
func (s *ObstacleCollisions) Keep(a *frame.Archive) {
	sum := s.sum()
	if a.Keep(&sum); a.Reading() {
		s.workers.Each(func(t *contactSums) { *t = noContacts() })
		*s.workers.First() = sum
	}
}

// Keep saves or restores the measurements.
func (s *AgentCollisions) Keep(a *frame.Archive) {
	pairs := slices.DeleteFunc(slices.Clone(s.touching.entries), func(e pairEntry) bool { return e.key == 0 })
	slices.SortFunc(pairs, func(a, b pairEntry) int { return cmp.Compare(a.key, b.key) })
	cells := len(s.grid.starts) - 1
	a.Keep(&s.steps, &s.wide, &s.count, &s.time, &s.depth, &pairs, &cells)
	s.nearest.keep(a)
	if !a.Reading() || a.Err() != nil {
		return
	}
	s.touching.reset()
	for _, e := range pairs {
		if e.key == 0 {
			a.Fail("pair of colliding agents has key 0, want above 0")
			return
		}
		s.touching.put(e.key, e.depth)
	}
	s.grid = bodyGrid{}
	switch most := 64 * max(64, len(s.TripMetrics.records)); {
	case cells < 0:
	case bits.OnesCount(uint(cells)) != 1 || cells > most:
		a.Fail("grid has %d cells, want a power of two, at most %d", cells, most)
	default:
		s.grid.lay(cells)
	}
}

func (h *histogram) keep(a *frame.Archive) {
	type bin struct {
		place uint32
		n     uint64
	}
	var bins []bin
	for k, n := range h.bins {
		if n > 0 {
			bins = append(bins, bin{uint32(k), n})
		}
	}
	if a.Keep(&h.total, &bins); !a.Reading() || a.Err() != nil {
		return
	}
	clear(h.bins[:])
	for _, b := range bins {
		if b.place >= histogramBins {
			a.Fail("histogram has bin %d, want below %d", b.place, histogramBins)
			return
		}
		h.bins[b.place] = b.n
	}
}

// Keep saves or restores the measurements.
func (s *Measurements) Keep(a *frame.Archive) {
	sum := s.sum()
	a.Keep(&s.areas, &s.passed, &sum)
	if !a.Reading() || a.Err() != nil {
		return
	}
	if len(s.areas) != len(s.Areas) || len(sum.lines) != len(s.Lines) || len(sum.areas) != len(s.Areas) {
		a.Fail("have %d areas and %d lines, want %d and %d", len(s.areas), len(sum.lines), len(s.Areas), len(s.Lines))
		return
	}
	s.workers.Each(func(t *measurementSums) { t.lines, t.areas = newMeasurementSums(s) })
	*s.workers.First() = sum
}
