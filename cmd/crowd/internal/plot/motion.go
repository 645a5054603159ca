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
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/plot/plotter"
)

// ReadOptions say what to keep of trajectories.
type ReadOptions struct {
	Paths int       // of how many agents
	To    []float64 // place from which distances are measured; nil: where each agent started
}

// Motion is how agents moved. Its memory does not grow with the length of the file: of many moments
// every second, fourth … is kept, and paths are those of a sample of the agents.
type Motion struct {
	Moments []Moment
	Paths   []*Path
	Agents  int // different ones
	Rows    int
	Skipped int // rows with a number that is not finite
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

// mostMoments is how many moments are kept, finer than a picture shows.
const mostMoments = 4096

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
	to              *[2]float64
	most            int // paths
	columns         []int
	agents          map[uint64]*walker
	every           int // of how many moments one is kept
	now             Moment
	speed, distance []float64
}

// walker is the place from which the distance of an agent is measured, and its path if it is kept.
type walker struct {
	from *[2]float64
	path *Path
}

func readMotion(in io.Reader, columns []int, o ReadOptions) (*Motion, error) {
	m := &motionReader{most: o.Paths, columns: columns, agents: map[uint64]*walker{}, every: 1}
	if len(o.To) == 2 {
		m.to = (*[2]float64)(o.To)
	}
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
	if w == nil {
		w = &walker{from: cmp.Or(m.to, &[2]float64{at.X, at.Y})}
		m.agents[id] = w
		m.choose(id, w)
	}
	m.distance = append(m.distance, math.Hypot(at.X-w.from[0], at.Y-w.from[1]))
	if w.path != nil && at.number%m.every == 0 {
		w.path.Places = append(w.path.Places, at)
	}
	return nil
}

// choose keeps the path of a new agent if its rank is among the lowest.
func (m *motionReader) choose(id uint64, w *walker) {
	fresh := &Path{id: id, rank: (id + 1) * 0x9e3779b97f4a7c15} // Fibonacci hashing spreads the lowest over all
	if len(m.Paths) < m.most {
		w.path, m.Paths = fresh, append(m.Paths, fresh)
	} else if m.most > 0 {
		top := slices.MaxFunc(m.Paths, func(a, b *Path) int { return cmp.Compare(a.rank, b.rank) })
		if fresh.rank < top.rank {
			m.agents[top.id].path, w.path = nil, fresh
			m.Paths[slices.Index(m.Paths, top)] = fresh
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

// motionTitle says whose trajectories are drawn, and notes what is not.
func (p *drawing) motionTitle(of string) (title string, caption []string) {
	for _, f := range p.files {
		m := f.Motion
		caption = []string{fmt.Sprintf("%s, %s to %s s", cli.Plural(m.Agents, "agent"), cli.Figure(m.Moments[0].Time), cli.Figure(m.Moments[len(m.Moments)-1].Time))}
		if m.Skipped > 0 {
			p.note("%s of %s rows of %s have a number that is missing or not finite", cli.Thousands(m.Skipped), cli.Thousands(m.Rows), f.Label)
		}
	}
	if len(p.files) > 1 {
		return cli.Plural(len(p.files), "run"), nil
	}
	return of, caption
}

// motion makes a chart of panels.
func motion(panels ...func(*drawing) (*Panel, error)) func(*drawing) (*Sheet, error) {
	return func(p *drawing) (*Sheet, error) {
		var all []*Panel
		for _, draw := range panels {
			panel, err := draw(p)
			if err != nil {
				return nil, err
			}
			all = append(all, panel)
		}
		if len(all) == 1 && all[0].Plane {
			all[0].High = 700 * pixel
		}
		return p.picture(min(2, len(all)), all...), nil
	}
}

func (p *drawing) speeds() (*Panel, error) {
	return p.overTime("Speed", "speed (m/s)", func(m Moment) [3]float64 { return m.Speed })
}

func (p *drawing) agents() (*Panel, error) {
	return p.overTime("Agents present", "agents", func(m Moment) [3]float64 {
		return [3]float64{float64(m.Agents), float64(m.Agents), float64(m.Agents)}
	})
}

func (p *drawing) distances() (*Panel, error) {
	title := "Distance from the start"
	if p.To != nil {
		title = fmt.Sprintf("Distance from (%s, %s)", cli.Figure(p.To[0]), cli.Figure(p.To[1]))
	}
	return p.overTime(title, "distance (m)", func(m Moment) [3]float64 { return m.Distance })
}

// overTime draws the median of a figure, and a band between its quartiles.
func (p *drawing) overTime(title, label string, of func(Moment) [3]float64) (*Panel, error) {
	panel, look := NewPanel(p.style, title, "time (s)", label).log(false, p.Log), Joined
	all := make([]Series, len(p.files))
	for i, f := range p.files {
		all[i] = Series{Name: f.Label, Color: i, Dash: i / len(p.style.Lines)}
		for _, m := range f.Motion.Moments {
			q := of(m)
			all[i].Points = append(all[i].Points, Point{X: m.Time, Y: q[1], Low: q[0], High: q[2]})
			if q[0] < q[2] {
				look |= Banded
			}
		}
	}
	if len(all) == 1 {
		all[0].Name = map[bool]string{true: "median, and the middle half of the agents"}[look != Joined]
	}
	panel.AddSeries(look, all...)
	return panel.fromZero(), nil
}

// paths draws paths from a ring to a disc, among the obstacles of --scene.
func (p *drawing) paths() (*Panel, error) {
	panel, n := NewPanel(p.style, "", "x (m)", "y (m)"), 0
	if panel.Plane = true; p.Scene != "" {
		if err := p.obstacles(panel); err != nil {
			return nil, err
		}
	}
	for _, f := range p.files {
		n += len(f.Motion.Paths)
	}
	panel.Title.Text = "Paths of " + cli.Plural(n, "agent")
	for k, f := range p.files {
		starts, ends := Series{Color: k, Glyph: 4}, Series{Color: k, Name: f.Label}
		if len(p.files) == 1 {
			starts.Name, ends.Name = "start", "last place"
		}
		for _, path := range f.Motion.Paths {
			var lines []plotter.XYs
			for i, at := range path.Places {
				if i == 0 || leaps(path.Places[i-1], at) {
					lines = append(lines, nil)
				}
				lines[len(lines)-1] = append(lines[len(lines)-1], plotter.XY{X: at.X, Y: at.Y})
			}
			for _, xys := range lines {
				if line, err := plotter.NewLine(xys); err == nil {
					line.Color = Pale(p.style.Line(k), max(0.25, min(0.8, 30/float64(n+1))))
					panel.Add(line)
				}
			}
			if last := len(path.Places) - 1; last >= 0 {
				starts.Points = append(starts.Points, At(path.Places[0].X, path.Places[0].Y))
				ends.Points = append(ends.Points, At(path.Places[last].X, path.Places[last].Y))
			}
		}
		panel.AddSeries(Marked, starts, ends)
	}
	return panel, nil
}

// leaps reports whether an agent cannot have walked from one place to another, as where it wraps around.
func leaps(a, b Place) bool {
	d := math.Hypot(b.X-a.X, b.Y-a.Y)
	return d > 5 && d > 3*max(a.Speed, b.Speed)*(b.Time-a.Time)
}

// obstacles draws the obstacles of --scene, which do not widen the axes.
func (p *drawing) obstacles(panel *Panel) error {
	s, err := scene.Open(p.Scene, scene.OpenOptions{Context: p.ctx})
	if err != nil {
		return fmt.Errorf("--scene: %w", err)
	}
	s.Resize(len(s.Groups))
	w, err := run.Build(p.ctx, s, scene.Options{Workers: 1})
	if err != nil {
		return fmt.Errorf("--scene: %w", err)
	}
	defer w.Close()
	w.Inspect().EachObstacle(func(o world.ObstacleShape) {
		var outline plotter.XYs
		if len(o.Corners) == 0 { // a disc, or a wall with round ends
			o.Corners = picture.Capsule(o.A, o.B, max(o.Radius, 0.02))
		}
		for _, at := range o.Corners {
			outline = append(outline, plotter.XY{X: at.X, Y: at.Y})
		}
		panel.area(outline, Pale(p.style.Faint, 0.6))
	})
	panel.X.Min, panel.X.Max, panel.Y.Min, panel.Y.Max = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	return nil
}
