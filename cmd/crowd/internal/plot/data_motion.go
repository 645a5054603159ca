package plot

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// ReadOptions say what to keep of trajectories.
type ReadOptions struct {
	Paths int       // of how many agents
	To    []float64 // place from which distances are measured; nil: where each agent started
}

// Motion is how agents moved. Its memory does not grow with the length of the file: of many moments
// every second, fourth … is kept, and paths are those of a sample of the agents.
type Motion struct {
	Moments  []Moment
	Paths    []*Path
	Agents   int // different ones, up to MostPlaced
	Rows     int
	Skipped  int // rows with a number that is not finite
	Unplaced int // rows of agents beyond MostPlaced, whose starts are not known
}

// Moment is what the agents did at a time.
type Moment struct {
	number          int
	Time            float64
	Agents          int
	Speed, Distance [3]float64 // quartiles
}

// Path is where an agent was.
type Path struct {
	id, rank uint64 // the lowest ranks are kept
	Places   []Place
}

// Place is where an agent was at a moment, and how fast.
type Place struct {
	number            int
	Time, X, Y, Speed float64
}

// Limits of what is kept.
const (
	mostMoments = 4096 // finer than a picture shows
	MostPlaced  = 1 << 20
)

var motionFields = []string{"id", "time", "x", "y", "vx", "vy"}

// motionColumns returns where the fields of trajectories are, nil if one is missing.
func motionColumns(header []string) (columns []int) {
	for _, name := range motionFields {
		i := slices.Index(header, name)
		if i < 0 {
			return nil
		}
		columns = append(columns, i)
	}
	return columns
}

// motionReader reads trajectories in the order of time.
type motionReader struct {
	Motion
	to              []float64
	most            int // paths
	columns         []int
	agents          map[uint64]*walker
	every           int // of how many moments one is kept
	now             Moment
	speed, distance []float64
}

// walker is where an agent started, and its path if it is kept.
type walker struct {
	x, y float64
	path *Path
}

func readMotion(in io.Reader, columns []int, o ReadOptions) (*Motion, error) {
	m := &motionReader{to: o.To, most: o.Paths, columns: columns, agents: map[uint64]*walker{}, every: 1}
	header := true
	err := EachRow(in, func(row []string) error {
		if header {
			header = false
			return nil
		}
		return m.row(row)
	})
	if err == nil && m.Rows == m.Skipped {
		err = errors.New("has no rows with numbers but its first line; want trajectories as run --trajectories writes them")
	}
	m.end(true)
	m.Agents = len(m.agents)
	slices.SortFunc(m.Paths, func(a, b *Path) int { return cmp.Compare(a.id, b.id) })
	return &m.Motion, err
}

// row takes the row of an agent.
func (m *motionReader) row(row []string) error {
	id, err := strconv.ParseUint(row[m.columns[0]], 10, 64)
	if err != nil {
		return fmt.Errorf("id is %q, want a whole number", cli.Shorten(row[m.columns[0]], 20))
	}
	var v [5]float64
	whole := true
	for i := range v {
		text := row[m.columns[i+1]]
		v[i], err = strconv.ParseFloat(text, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) && text != "" && text != "null" {
			return fmt.Errorf("%s is %q, want a number", motionFields[i+1], cli.Shorten(text, 20))
		}
		whole = whole && err == nil && cli.Drawable(v[i])
	}
	if m.Rows++; !whole {
		m.Skipped++
		return nil
	}
	at := Place{m.now.number, v[0], v[1], v[2], math.Hypot(v[3], v[4])}
	switch {
	case m.now.Agents > 0 && at.Time < m.now.Time:
		return fmt.Errorf("time goes back from %v to %v; want rows in the order of time, as run --trajectories writes them", m.now.Time, at.Time)
	case m.now.Agents > 0 && at.Time > m.now.Time:
		m.end(false)
		at.number = m.now.number
	}
	m.now.Time, m.speed = at.Time, append(m.speed, at.Speed)
	m.now.Agents++
	w := m.agents[id]
	if w == nil && len(m.agents) == MostPlaced {
		m.Unplaced++
		return nil
	} else if w == nil {
		w = &walker{x: at.X, y: at.Y}
		m.agents[id] = w
		m.choose(id, w)
	}
	from := []float64{w.x, w.y}
	if len(m.to) == 2 {
		from = m.to
	}
	m.distance = append(m.distance, math.Hypot(at.X-from[0], at.Y-from[1]))
	if w.path != nil && at.number%m.every == 0 {
		w.path.Places = append(w.path.Places, at)
	}
	return nil
}

// choose keeps the path of a new agent if its rank is among the lowest.
func (m *motionReader) choose(id uint64, w *walker) {
	rank := (id + 1) * 0x9e3779b97f4a7c15 // mixed by SplitMix64, so that the lowest are spread over all
	rank = (rank ^ rank>>30) * 0xbf58476d1ce4e5b9
	rank = (rank ^ rank>>27) * 0x94d049bb133111eb
	fresh := &Path{id: id, rank: rank ^ rank>>31}
	if len(m.Paths) < m.most {
		w.path, m.Paths = fresh, append(m.Paths, fresh)
	} else if m.most > 0 {
		top := 0
		for i, p := range m.Paths {
			if p.rank > m.Paths[top].rank {
				top = i
			}
		}
		if fresh.rank < m.Paths[top].rank {
			m.agents[m.Paths[top].id].path = nil
			w.path, m.Paths[top] = fresh, fresh
		}
	}
}

// end concludes a moment. The last one is kept in any case.
func (m *motionReader) end(last bool) {
	if last || m.now.number%m.every == 0 {
		m.now.Speed, m.now.Distance = cli.Quartiles(m.speed), cli.Quartiles(m.distance)
		m.Moments = append(m.Moments, m.now)
	}
	if len(m.Moments) > mostMoments && !last {
		m.every *= 2
		m.Moments = slices.DeleteFunc(m.Moments, func(at Moment) bool { return at.number%m.every != 0 })
		for _, p := range m.Paths {
			p.Places = slices.DeleteFunc(p.Places, func(at Place) bool { return at.number%m.every != 0 })
		}
	}
	m.now, m.speed, m.distance = Moment{number: m.now.number + 1}, m.speed[:0], m.distance[:0]
}
