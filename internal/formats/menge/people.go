package menge

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

// Agent is an agent of a project.
type Agent struct {
	Profile, State  string  // names of the profile and the first state
	Position        r2.Vec  // m
	Radius          float64 // m
	PreferredSpeed  float64 // m/s
	MaxSpeed        float64 // m/s
	MaxAcceleration float64 // m/s²
	NeighborDist    float64 // m
	MaxNeighbors    int
	TimeHorizon     float64 // s
	TimeHorizonObst float64 // s
	Stops           []Stop
	End             formats.Then // Leave if the agent would otherwise walk on forever in a final state
	Led             bool         // a map, a mesh or a field leads the agent, so its path may not be straight
	Seconds         float64      // s, time that the stops take on straight paths with nothing in the way
}

// Stop is one thing that an agent does: it goes to a place, walks in a direction, or stands.
type Stop struct {
	systems.Stop
	Reach float64 // m, distance at which a place counts as reached
}

const (
	useProfile = iota + 1
	useMoved
	useDirection
	useNumber
	useWalk
)

// People returns all agents with their stops. The seed determines whatever is random. People returns an
// error if ctx is done, or if states follow one another forever without taking time.
func (p *Project) People(ctx context.Context, seed uint64) ([]Agent, error) {
	total := 0
	for _, g := range p.groups {
		total += len(g.starts)
	}
	p.maxStops = min(max(mostStops/max(total, 1), 4), 40)
	for _, goals := range p.sets {
		for _, goal := range goals {
			goal.taken = 0
		}
	}
	all := make([]Agent, 0, total)
	timers := map[*condition]float64{}
	for _, g := range p.groups {
		for _, s := range g.starts {
			if err := ctx.Err(); err != nil && len(all)%256 == 0 {
				return nil, err
			}
			base := hash.Mix(hash.Mix(seed) + uint64(len(all)))
			at := func(use uint64) uint64 { return hash.Mix(base + use) }
			profile := p.profiles[pick(g.profiles, at(useProfile))]
			of := func(i uint64, name string) float64 { return profile.of(name, at(useNumber)+i*64) }
			a := Agent{
				Profile: profile.name, State: g.state, Position: s.at, End: formats.Stay,
				Radius: of(0, "r"), PreferredSpeed: of(1, "pref_speed"), MaxSpeed: of(2, "max_speed"), MaxAcceleration: of(3, "max_accel"),
				NeighborDist: of(4, "neighbor_dist"), MaxNeighbors: int(of(5, "max_neighbors")), TimeHorizon: of(6, "tau"), TimeHorizonObst: of(7, "tauObst"),
			}
			if s.moved != (draw{}) {
				sin, cos := vec.SinCos(6.283185307179586 * hash.Float(at(useDirection)))
				a.Position = vec.AddScaled(a.Position, s.moved.of(at(useMoved)), r2.Vec{X: cos, Y: sin})
			}
			if p.behaves {
				w := walk{Project: p, agent: &a, draws: at(useWalk), timers: timers, kept: map[*state]*goal{}}
				if err := w.run(p.byName[g.state]); err != nil {
					return nil, err
				}
			}
			all = append(all, a)
		}
	}
	return all, nil
}

func pick(all []weighted, h uint64) string {
	return all[pickIndex(len(all), func(i int) float64 { return all[i].weight }, h)].name
}

// pickIndex returns an index below n, drawn with probabilities proportional to the weights, or 0 if all
// weights are 0.
func pickIndex(n int, weight func(int) float64, h uint64) int {
	sum := 0.
	for i := range n {
		sum += weight(i)
	}
	at, last := float64(sum*hash.Float(h)), 0
	for i := range n {
		if w := weight(i); w > 0 {
			if last = i; at < w {
				break
			}
			at -= w
		}
	}
	return last
}

type profile struct {
	name      string
	numbers   map[string]draw // by name of the attribute
	obstacles float64         // classes of obstacles that the agents see, as bits
}

var numbersOfAgents = map[string]struct {
	textio.Limit
	otherwise float64
}{
	"r": {aboveZero, DefaultRadius}, "pref_speed": {notNegative, DefaultPreferredSpeed},
	"max_speed": {notNegative, DefaultMaxSpeed}, "max_accel": {aboveZero, DefaultMaxAccel},
	"neighbor_dist": {notNegative, DefaultNeighborDist}, "max_neighbors": {wholeNumber, DefaultMaxNeighbors},
	"tau": {aboveZero, DefaultTau}, "tauObst": {aboveZero, DefaultTauObst},
}

// otherNumbers are known attributes that are not read.
var otherNumbers = []string{"max_angle_vel", "priority"}

func (r *reader) profile(t textio.Tag) error {
	p := &profile{numbers: map[string]draw{}, obstacles: 1<<30 - 1}
	if err := r.String(&p.name, t, "name"); err != nil {
		return err
	}
	if r.p.profiles[p.name] != nil {
		return r.BadAttr(t, "name", "a name that no other profile has")
	}
	if name, ok := t.Attr("inherits"); ok {
		parent := r.p.profiles[name]
		if parent == nil {
			return r.BadAttr(t, "inherits", "the name of an earlier profile")
		}
		p.numbers, p.obstacles = maps.Clone(parent.numbers), parent.obstacles
	}
	r.p.profiles[p.name] = p
	return r.Element(t, func(c textio.Tag) error {
		for _, a := range c.Attrs {
			if err := r.setting(p, c, a.Name); err != nil {
				return err
			}
		}
		return r.Element(c, func(prop textio.Tag) error { return r.property(p, c, prop) })
	})
}

func (r *reader) setting(p *profile, t textio.Tag, name string) error {
	of, known := numbersOfAgents[name]
	switch {
	case !slices.Contains(r.Vocabulary[t.Name].Attrs, name): // Element refuses it
		return nil
	case known:
		x := 0.
		err := r.Number(&x, t, name, of.Limit)
		p.numbers[name] = draw{low: x, high: x}
		return err
	case name == "obstacleSet":
		return r.Number(&p.obstacles, t, name, wholeNumber)
	}
	return r.Odd(t.Line, "no time_step", "attribute %s in the <%s> of a profile", name, t.Name)
}

func (r *reader) property(p *profile, in, t textio.Tag) error {
	var name string
	if err := r.String(&name, t, "name"); err != nil {
		return err
	}
	of, known := numbersOfAgents[name]
	if !known && !slices.Contains(otherNumbers, name) {
		if err := r.Odd(t.Line, "the name of a number", "<Property> name=%q in <%s>", textio.Clip(name), in.Name); err != nil {
			return err
		}
	}
	if !known {
		return r.Skip(t)
	}
	d, err := r.distribution(t, "", of.Limit)
	if err != nil {
		return err
	}
	p.numbers[name] = d
	return r.Element(t, nil)
}

func (p *profile) of(name string, h uint64) float64 {
	if d, has := p.numbers[name]; has {
		return d.of(h)
	}
	return numbersOfAgents[name].otherwise
}

func (r *reader) generator(g *group, t textio.Tag, kind string) error {
	moved := draw{}
	if _, has := t.Attr("displace_dist"); has {
		var err error
		if moved, err = r.distribution(t, "displace_", anyNumber); err != nil {
			return err
		}
	}
	add := func(at r2.Vec) error {
		if r.agents++; r.agents > r.MaxAgents {
			return r.Fail(t.Line, "too many agents: want at most %d", r.MaxAgents)
		}
		g.starts = append(g.starts, start{at, moved})
		return nil
	}
	var err error
	switch kind {
	case "rect_grid":
		err = r.grid(t, add)
	case "hex_lattice":
		err = r.lattice(t, add)
	}
	if err != nil {
		return err
	}
	return r.Element(t, func(c textio.Tag) error {
		var at r2.Vec
		err := cmp.Or(r.Point(&at, c, "p_x", "p_y"), r.Element(c, nil))
		switch {
		case err != nil:
			return err
		case kind != "explicit":
			return r.Odd(c.Line, `type="explicit"`, "<Agent> in <Generator type=%q>", kind)
		}
		return add(at)
	})
}

func (r *reader) turned(t textio.Tag) (anchor r2.Vec, turn func(r2.Vec) r2.Vec, err error) {
	degrees := 0.
	err = cmp.Or(r.Point(&anchor, t, "anchor_x", "anchor_y"), r.Number(&degrees, t, "rotation", anyNumber))
	sin, cos := vec.SinCos(math.Mod(degrees, 360) * (math.Pi / 180))
	return anchor, func(p r2.Vec) r2.Vec { return vec.Rotate(p, cos, sin) }, err
}

func (r *reader) grid(t textio.Tag, add func(r2.Vec) error) error {
	anchor, turn, err := r.turned(t)
	if err != nil {
		return err
	}
	var offset r2.Vec
	var columns, rows float64
	if err = cmp.Or(r.Point(&offset, t, "offset_x", "offset_y"), r.needed(&columns, t, "count_x", wholeNumber), r.needed(&rows, t, "count_y", wholeNumber)); err != nil {
		return err
	}
	if columns == 0 {
		return nil
	}
	for y := 0.; y < rows; y++ {
		for x := 0.; x < columns; x++ {
			if err := add(r2.Add(anchor, turn(r2.Vec{X: x * offset.X, Y: y * offset.Y}))); err != nil {
				return err
			}
		}
	}
	return nil
}

// lattice places agents in a hexagonal lattice. If rows are along x, every second row has one place
// fewer.
func (r *reader) lattice(t textio.Tag, add func(r2.Vec) error) error {
	anchor, turn, err := r.turned(t)
	if err != nil {
		return err
	}
	align, err1 := r.oneOf(t, "alignment", "center", "left", "right")
	along, err2 := r.oneOf(t, "row_direction", "x", "y")
	var density, width, population float64
	if err := cmp.Or(err1, err2, r.needed(&density, t, "density", aboveZero), r.needed(&width, t, "width", notNegative),
		r.needed(&population, t, "population", wholeNumber)); err != nil {
		return err
	}
	radius := 1 / math.Sqrt(2*density*math.Sqrt(3))
	apart, rank := 2*radius, radius*math.Sqrt(3) // m, distances in a row, and between rows
	if !(math.Abs(anchor.X)+math.Abs(anchor.Y)+width < 1e12) || width/rank > 1e9 {
		return r.Fail(t.Line, "<Generator> width=%v at density=%v: want a width for at most 1000000000 places", width, density)
	}
	var all []r2.Vec
	wide := 0. // m, width of the filled part
	if along == "x" {
		full := max(1, math.Floor(width/apart))
		band := 2*full - 1 // places in a long row and a short row together
		total := float64(band * (math.Floor(population/band) + 1))
		if total-(full-1) > population {
			total -= full - 1
		}
		wide = (full - 1) * apart
		for i := 0.; i < total && len(all) <= r.MaxAgents; i++ {
			b, k := math.Floor(i/band), math.Mod(i, band)
			at, up := r2.Vec{X: float64(k * apart), Y: float64(2 * b * rank)}, 0.
			if k >= full {
				at.X, up = radius+float64((k-full)*apart), rank
			}
			at.Y += up
			all = append(all, at)
		}
	} else {
		columns := max(1, math.Floor(width/rank))
		each := math.Floor(population/columns) + 1
		wide = (columns - 1) * rank
		for i := 0.; i < columns*each && len(all) <= r.MaxAgents; i++ {
			column, k := math.Floor(i/each), math.Mod(i, each)
			at := r2.Vec{X: column * rank, Y: float64(k * apart)}
			if math.Mod(column, 2) == 1 {
				at.Y += radius
			}
			all = append(all, at)
		}
	}
	left := map[string]float64{"left": 0, "center": wide / 2, "right": wide}[align]
	for _, at := range all {
		at.X -= left
		if err := add(r2.Add(anchor, turn(at))); err != nil {
			return err
		}
	}
	return nil
}
