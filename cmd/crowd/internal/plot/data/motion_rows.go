package data

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/quantile"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// walker is what is known of an agent.
type walker struct {
	x, y float64 // where it began
	way  int
}

// motionReader reads trajectories, time by time.
type motionReader struct {
	Motion
	options         Options
	walkers         map[uint64]walker
	speed, distance Thinned[float64] // at the current time
	time            float64          // the current one
	present         int              // agents at the current time
	began           bool
	moment          int
}

// row takes the row of an agent.
func (m *motionReader) row(fields [][]byte, columns []int) error {
	id, err := strconv.ParseUint(string(fields[columns[0]]), 10, 64)
	if err != nil {
		return fmt.Errorf("id is %q, want a whole number", terminal.Shorten(string(fields[columns[0]]), 20))
	}
	var v [5]float64
	whole := true
	for i := range v {
		field := fields[columns[i+1]]
		if v[i], err = strconv.ParseFloat(string(field), 64); err != nil && !errors.Is(err, strconv.ErrRange) {
			if len(field) > 0 && string(field) != "null" {
				return fmt.Errorf("%s is %q, want a number", motionFields[i+1], terminal.Shorten(string(field), 20))
			}
			v[i] = math.NaN()
		}
		whole = whole && numbers.Drawable(v[i])
	}
	m.Rows++
	if !whole {
		m.Skipped++
		return nil
	}
	time, x, y, speed := v[0], v[1], v[2], math.Hypot(v[3], v[4])
	switch {
	case !m.began:
		m.time, m.began = time, true
	case time < m.time:
		return fmt.Errorf("time goes back from %v to %v; want rows in the order of time, as run --trajectories writes them", m.time, time)
	case time > m.time:
		m.end(false)
		m.time = time
	}
	m.present++
	m.speed.add(speed, mostSampled)
	w, known := m.walkers[id]
	if !known {
		if w, known = m.place(id, x, y); !known {
			return nil
		}
	}
	switch {
	case len(m.options.To) == 2:
		m.distance.add(math.Hypot(x-m.options.To[0], y-m.options.To[1]), mostSampled)
	default:
		m.distance.add(math.Hypot(x-w.x, y-w.y), mostSampled)
	}
	if w.way != noWay && m.Times.takes() {
		k := &m.Ways[w.way]
		k.Places = append(k.Places, Place{m.moment, time, x, y, speed})
	}
	return nil
}

// place notes where an agent begins, and whether its way is kept: those are of the
// lowest ranks. It returns false if there are too many agents.
func (m *motionReader) place(id uint64, x, y float64) (walker, bool) {
	if len(m.walkers) == MostPlaced {
		m.Unplaced++
		return walker{}, false
	}
	w := walker{x: x, y: y, way: noWay}
	fresh := Way{id: id, rank: rankOf(id)}
	switch {
	case len(m.Ways) < m.options.Ways:
		w.way, m.Ways = len(m.Ways), append(m.Ways, fresh)
	case len(m.Ways) > 0:
		top := 0
		for i := range m.Ways {
			if m.Ways[i].rank > m.Ways[top].rank {
				top = i
			}
		}
		if old := m.Ways[top]; fresh.rank < old.rank {
			last := m.walkers[old.id]
			last.way = noWay
			m.walkers[old.id] = last
			fresh.Places = old.Places[:0]
			w.way, m.Ways[top] = top, fresh
		}
	}
	m.walkers[id] = w
	return w, true
}

// rankOf mixes the bits of an id (the finalizer of SplitMix64), so that a sample of
// the lowest is spread over all.
func rankOf(id uint64) uint64 {
	id += 0x9e3779b97f4a7c15
	id = (id ^ id>>30) * 0xbf58476d1ce4e5b9
	id = (id ^ id>>27) * 0x94d049bb133111eb
	return id ^ id>>31
}

// end concludes a time. The last one is kept in any case.
func (m *motionReader) end(last bool) {
	takes := m.Times.takes()
	if takes || last {
		now := Moment{Time: m.time, Agents: m.present, Speed: quantile.Quartiles(m.speed.Kept), Distance: quantile.Quartiles(m.distance.Kept)}
		if takes {
			if m.Times.add(now, mostMoments) {
				m.thinWays()
			}
		} else {
			m.Times.Kept = append(m.Times.Kept, now)
		}
	} else {
		m.Times.seen++
	}
	m.speed.reset()
	m.distance.reset()
	m.present = 0
	m.moment++
}

// thinWays keeps the places at times that are kept.
func (m *motionReader) thinWays() {
	for i := range m.Ways {
		k := &m.Ways[i]
		k.Places = slices.DeleteFunc(k.Places, func(at Place) bool { return at.moment%m.Times.every != 0 })
	}
}
