package plot

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
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

// motion summarizes trajectories. Its memory does not grow with their length: motion keeps only every second,
// fourth, … moment of long files, and the paths of a sample of the agents.
type motion struct {
	Moments []moment
	Paths   map[uint64][]place // places at the kept moments, by agent ID
	Agents  int                // distinct IDs
	Rows    int
	Skipped int // rows with a number that is missing or cannot be drawn
}

type moment struct {
	number          int
	Time            float64
	Agents          int
	Speed, Distance [3]float64 // quartiles
}

type place struct {
	moment            int
	time, x, y, speed float64
}

const (
	mostMoments = 4096 // more than the width of most pictures in pixels
	mostPaths   = 100  // of a file; those with the lowest ranks are kept
)

// motionHeader is the first line of trajectories.
const motionHeader = "id,time,x,y,vx,vy"

type motionReader struct {
	motion
	to              []float64            // origin of distances; nil means the start of each agent
	starts          map[uint64][]float64 // origin of the distances of each agent, by ID
	every           int                  // keep one of this many moments
	now             moment
	speed, distance []float64
}

func readMotion(in io.Reader, to []float64) (*motion, error) {
	m := &motionReader{motion: motion{Paths: map[uint64][]place{}}, to: to, starts: map[uint64][]float64{}, every: 1}
	err := eachRow(in, m.row)
	if err == nil && m.Rows == m.Skipped {
		err = errors.New("has no rows with numbers after the first line; want trajectories written by run --trajectories")
	}
	m.end(true)
	m.Agents = len(m.starts)
	return &m.motion, err
}

func (m *motionReader) row(row []string) error {
	id, err := strconv.ParseUint(row[0], 10, 64)
	if row[0] == "id" { // the header
		return nil
	} else if err != nil {
		return fmt.Errorf("id is %q, want a whole number", cli.Shorten(row[0], 20))
	}
	var v [5]float64
	for i := range v {
		v[i] = number(row[i+1])
	}
	m.Rows++
	time, x, y, speed := v[0], v[1], v[2], math.Hypot(v[3], v[4])
	switch {
	case slices.ContainsFunc(v[:], math.IsNaN):
		m.Skipped++
		return nil
	case m.now.Agents > 0 && time < m.now.Time:
		return fmt.Errorf("time goes back from %v to %v; want rows in order of time, as run --trajectories writes them", m.now.Time, time)
	case m.now.Agents > 0 && time > m.now.Time:
		m.end(false)
	}
	from := m.starts[id]
	if from == nil {
		if from = m.to; from == nil {
			from = []float64{x, y}
		}
		m.starts[id] = from
		m.startPath(id)
	}
	if places, ok := m.Paths[id]; ok {
		if n := len(places); n > 0 && places[n-1].moment%m.every != 0 {
			places = places[:n-1]
		}
		m.Paths[id] = append(places, place{m.now.number, time, x, y, speed})
	}
	m.now.Time, m.speed, m.distance = time, append(m.speed, speed), append(m.distance, math.Hypot(x-from[0], y-from[1]))
	m.now.Agents++
	return nil
}

// startPath adds an empty path, and drops the one with the highest rank if there are too many.
func (m *motionReader) startPath(id uint64) {
	if m.Paths[id] = nil; len(m.Paths) > mostPaths {
		delete(m.Paths, slices.MaxFunc(slices.Collect(maps.Keys(m.Paths)), func(a, b uint64) int { return cmp.Compare(rank(a), rank(b)) }))
	}
}

// rank returns a Fibonacci hash, so the agents with the lowest ranks are a fair sample.
func rank(id uint64) uint64 { return (id + 1) * 0x9e3779b97f4a7c15 }

// end completes the current moment. It keeps the last moment and every m.every-th one, and drops half of
// those kept if there are too many.
func (m *motionReader) end(last bool) {
	if last || m.now.number%m.every == 0 {
		m.now.Speed, m.now.Distance = cli.Quartiles(m.speed), cli.Quartiles(m.distance)
		m.Moments = append(m.Moments, m.now)
	}
	if len(m.Moments) > mostMoments && !last {
		m.every *= 2
		m.Moments = slices.DeleteFunc(m.Moments, func(at moment) bool { return at.number%m.every != 0 })
		for id, places := range m.Paths {
			last := places[len(places)-1].moment
			m.Paths[id] = slices.DeleteFunc(places, func(at place) bool { return at.moment%m.every != 0 && at.moment != last })
		}
	}
	m.now, m.speed, m.distance = moment{number: m.now.number + 1}, m.speed[:0], m.distance[:0]
}

// spans describes each file, and notes its skipped rows.
func (p *drawing) spans() (lines []string) {
	for _, f := range p.files {
		m := f.Motion
		lines = append(lines, fmt.Sprintf("%s: %s, %s to %s s", f.Label, cli.Plural(m.Agents, "agent"), cli.Number(m.Moments[0].Time), cli.Number(m.Moments[len(m.Moments)-1].Time)))
		if m.Skipped > 0 {
			p.note("%s: rows left out because a number is missing or cannot be drawn: %s of %s", f.Label, cli.Thousands(m.Skipped), cli.Thousands(m.Rows))
		}
	}
	return lines
}

const ofAgents = "median and middle half of the agents"

func (p *drawing) speeds() (*Panel, error) {
	return p.overTime("Speed", "speed, m/s", ofAgents, func(m moment) [3]float64 { return m.Speed }), nil
}

func (p *drawing) present() (*Panel, error) {
	return p.overTime("Agents present", "agents", "", func(m moment) [3]float64 {
		return [3]float64{float64(m.Agents), float64(m.Agents), float64(m.Agents)}
	}), nil
}

func (p *drawing) distances() (*Panel, error) {
	title := "Distance from the start"
	if p.To != nil {
		title = fmt.Sprintf("Distance from (%s, %s)", cli.Number(p.To[0]), cli.Number(p.To[1]))
	}
	return p.overTime(title, "distance, m", ofAgents, func(m moment) [3]float64 { return m.Distance }), nil
}

// overTime draws quartiles over time. The name is for the line of a single file.
func (p *drawing) overTime(title, label, name string, of func(moment) [3]float64) *Panel {
	panel := NewPanel(p.style, title, "time, s", label).log(false, p.Log)
	for i, f := range p.files {
		s := p.series(i, f.Label)
		if len(p.files) == 1 {
			s.Name = name
		}
		for _, m := range f.Motion.Moments {
			q := of(m)
			s.Points = append(s.Points, Point{X: m.Time, Y: q[1], Low: q[0], High: q[2]})
		}
		panel.AddSeries(Joined|Banded, s)
	}
	return panel.fromZero()
}

func (p *drawing) paths() (*Panel, error) {
	panel, n := NewPanel(p.style, "", "x, m", "y, m"), 0
	if p.What == "paths" {
		panel.High = 700 * pixel
	}
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
			starts.Name, ends.Name = "start", "last position"
		}
		for _, id := range slices.Sorted(maps.Keys(f.Motion.Paths)) {
			places := f.Motion.Paths[id]
			var lines []plotter.XYs
			for i, at := range places {
				if i == 0 || leaps(places[i-1], at) {
					lines = append(lines, nil)
				}
				lines[len(lines)-1] = append(lines[len(lines)-1], plotter.XY{X: at.x, Y: at.y})
			}
			for _, xys := range lines {
				if line, err := plotter.NewLine(xys); err == nil {
					line.Color = Pale(p.style.Line(k), max(0.25, min(0.8, 30/float64(n+1))))
					panel.Add(line)
				}
			}
			if last := len(places) - 1; last >= 0 {
				starts.Points = append(starts.Points, At(places[0].x, places[0].y))
				ends.Points = append(ends.Points, At(places[last].x, places[last].y))
			}
		}
		panel.AddSeries(Marked, starts, ends)
	}
	panel.widen()
	return panel, nil
}

// leaps reports whether an agent jumped instead of walking, as at a wrapping edge.
func leaps(a, b place) bool {
	d := math.Hypot(b.x-a.x, b.y-a.y)
	return d > 5 && d > 3*max(a.speed, b.speed)*(b.time-a.time)
}

// obstacles draws the obstacles of --scene, but no doors that are open at some time of the trajectories.
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
	last := 0.
	for _, f := range p.files {
		last = max(last, f.Motion.Moments[len(f.Motion.Moments)-1].Time)
	}
	w.Inspect().EachObstacle(func(o world.ObstacleShape) {
		if o.Door != nil && (o.Door.Open || o.Door.Opens != o.Door.Closes && o.Door.Opens <= last) {
			return
		}
		var outline plotter.XYs
		if len(o.Corners) == 0 { // a disc, or a wall with round ends
			o.Corners = picture.Capsule(o.A, o.B, max(o.Radius, 0.02))
		}
		for _, at := range o.Corners {
			outline = append(outline, plotter.XY{X: at.X, Y: at.Y})
		}
		panel.area(outline, Pale(p.style.Faint, 0.6))
	})
	return nil
}
