package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/quantile"
)

// motionFields are the columns of trajectories.
var motionFields = []string{"id", "time", "x", "y", "vx", "vy"}

// motionColumns returns where a header has motionFields, nil if it lacks one.
func motionColumns(header []string) []int {
	var columns []int
	for _, name := range motionFields {
		i := slices.Index(header, name)
		if i < 0 {
			return nil
		}
		columns = append(columns, i)
	}
	return columns
}

// walker is what is known of an agent.
type walker struct {
	x, y float64 // where it began
	way  int
}

// motionReader reads trajectories, time by time.
type motionReader struct {
	motion
	options         motionOptions
	walkers         map[uint64]walker
	speed, distance thinned[float64] // at the current time
	time            float64          // the current one
	present         int              // agents at the current time
	began           bool
	moment          int
}

// readMotion reads lines as run --trajectories writes them, in the order of time.
func readMotion(ctx context.Context, r *bufio.Reader, columns []int, o motionOptions) (*motion, error) {
	m := &motionReader{options: o, walkers: map[uint64]walker{}}
	width := slices.Max(columns) + 1
	fields := make([][]byte, 0, 16)
	header := true
	for line := 1; ; line++ {
		text, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, lineError{line, errors.New("the line is too long for a row of trajectories")}
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		last := err == io.EOF
		text = bytes.TrimRight(text, "\r\n")
		switch {
		case len(text) == 0:
		case header:
			header = false
		default:
			fields = fields[:0]
			for rest, more := text, true; more; {
				var field []byte
				field, rest, more = bytes.Cut(rest, []byte{','})
				fields = append(fields, field)
			}
			if len(fields) < width {
				return nil, lineError{line, fmt.Errorf("%s, want %d as in the first line", numbers.Plural(len(fields), "cell"), width)}
			}
			if err := m.row(fields, columns); err != nil {
				return nil, lineError{line, err}
			}
		}
		if line%100_000 == 0 {
			if ctx.Err() != nil {
				return nil, errors.New("interrupted")
			}
			if o.read != nil {
				o.read(line)
			}
		}
		if last {
			break
		}
	}
	if !m.began {
		return nil, errors.New("has no rows with numbers but its first line; want trajectories as run --trajectories writes them")
	}
	m.end(true)
	m.motion.agents = len(m.walkers)
	slices.SortFunc(m.ways, func(a, b way) int {
		if a.id < b.id {
			return -1
		}
		return 1
	})
	return &m.motion, nil
}

// row takes the row of an agent.
func (m *motionReader) row(fields [][]byte, columns []int) error {
	id, err := strconv.ParseUint(string(fields[columns[0]]), 10, 64)
	if err != nil {
		return fmt.Errorf("id is %q, want a whole number", printable(string(fields[columns[0]]), 20))
	}
	var v [5]float64
	whole := true
	for i := range v {
		field := fields[columns[i+1]]
		if v[i], err = strconv.ParseFloat(string(field), 64); err != nil && !errors.Is(err, strconv.ErrRange) {
			if len(field) > 0 && string(field) != "null" {
				return fmt.Errorf("%s is %q, want a number", motionFields[i+1], printable(string(field), 20))
			}
			v[i] = math.NaN()
		}
		whole = whole && drawable(v[i])
	}
	m.rows++
	if !whole {
		m.skipped++
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
	case len(m.options.to) == 2:
		m.distance.add(math.Hypot(x-m.options.to[0], y-m.options.to[1]), mostSampled)
	default:
		m.distance.add(math.Hypot(x-w.x, y-w.y), mostSampled)
	}
	if w.way != noWay && m.times.takes() {
		k := &m.ways[w.way]
		k.places = append(k.places, place{m.moment, time, x, y, speed})
	}
	return nil
}

// place notes where an agent begins, and whether its way is kept: those are of the
// lowest ranks. It returns false if there are too many agents.
func (m *motionReader) place(id uint64, x, y float64) (walker, bool) {
	if len(m.walkers) == mostPlaced {
		m.unplaced++
		return walker{}, false
	}
	w := walker{x: x, y: y, way: noWay}
	fresh := way{id: id, rank: rankOf(id)}
	switch {
	case len(m.ways) < m.options.ways:
		w.way, m.ways = len(m.ways), append(m.ways, fresh)
	case len(m.ways) > 0:
		top := 0
		for i := range m.ways {
			if m.ways[i].rank > m.ways[top].rank {
				top = i
			}
		}
		if old := m.ways[top]; fresh.rank < old.rank {
			last := m.walkers[old.id]
			last.way = noWay
			m.walkers[old.id] = last
			fresh.places = old.places[:0]
			w.way, m.ways[top] = top, fresh
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
	takes := m.times.takes()
	if takes || last {
		now := moment{time: m.time, agents: m.present, speed: quantile.Quartiles(m.speed.kept), distance: quantile.Quartiles(m.distance.kept)}
		if takes {
			if m.times.add(now, mostMoments) {
				m.thinWays()
			}
		} else {
			m.times.kept = append(m.times.kept, now)
		}
	} else {
		m.times.seen++
	}
	m.speed.reset()
	m.distance.reset()
	m.present = 0
	m.moment++
}

// thinWays keeps the places at times that are kept.
func (m *motionReader) thinWays() {
	for i := range m.ways {
		k := &m.ways[i]
		k.places = slices.DeleteFunc(k.places, func(at place) bool { return at.moment%m.times.every != 0 })
	}
}
