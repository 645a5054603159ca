package vadere

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	useTime = iota + 1
	useWait
	useSpeed = 8
)

const (
	mostTimes = 100_000 // maximum number of times at which a source produces people
	mostWaits = 100     // maximum number of itineraries of a group, if waiting times are random
)

// people makes a group for each source of people, and one for each combination of targets and
// velocity of the people present from the start.
func (v *builder) people() error {
	for i := range v.from.Sources {
		if err := v.source(&v.from.Sources[i]); err != nil {
			return err
		}
	}
	if err := v.present(); err != nil {
		return err
	}
	size := v.from.Bounds.Size()
	area := size.X * size.Y * float64(max(1, len(v.Groups)))
	cell := max(leastCell, math.Sqrt(area/cells))
	if cell > wideCell {
		v.note(fmt.Sprintf("people may find no path through passages narrower than %.1f m, because the floor is so large", 2*cell))
	}
	n := 0
	for i := range v.Groups {
		g := &v.Groups[i]
		if n += g.Count; g.Target != nil && g.Itineraries == nil {
			g.FieldCell = cell
		}
	}
	if n == 0 || n > world.MaxAgents {
		return fmt.Errorf("%s: there are %d people in topography.sources and topography.dynamicElements, want 1 to %d", v.path, n, world.MaxAgents)
	}
	return nil
}

func (v *builder) source(o *Source) error {
	switch {
	case o.Cars:
		v.note(fmt.Sprintf("the source on line %d produces cars, which are not simulated", o.Line))
		return nil
	case o.Groups:
		v.note("people do not stay together in the groups in which they come")
	}
	g := formats.Group{Name: v.sourceName(o.ID)}
	attributes(&g, &o.Pedestrian)
	var err error
	if g.At, err = v.within(o); err != nil {
		return err
	}
	if err := v.times(&g, o); err != nil || g.Count == 0 {
		return err
	}
	if err := v.goes(&g, o.Targets, o.Box.Center()); err != nil {
		return err
	}
	v.Groups = append(v.Groups, g)
	return nil
}

func (v *builder) sourceName(id int) string {
	n := 0
	for i := range v.from.Sources {
		if v.from.Sources[i].ID == id {
			n++
		}
	}
	if n > 1 || id < 0 {
		return ""
	}
	return fmt.Sprint("source ", id)
}

// within returns where the people of a source start. A rectangle that is large enough is reduced so that
// whole bodies are inside the source.
func (v *builder) within(o *Source) (formats.Place, error) {
	p := formats.Place{Clear: o.Pedestrian.Radius}
	switch o.Kind {
	case Circle:
		p.Disc = &formats.Disc{Center: o.Center, Radius: o.Radius}
	case Polygon:
		boxes, err := v.filled(&o.Shape, o.Line)
		if err != nil {
			return p, err
		}
		p.Boxes = largest(boxes)
	default:
		p.Box = o.Box
		size := o.Box.Size()
		if r := o.Pedestrian.Radius; 2*r+smallest < min(size.X, size.Y) {
			p.Box = inset(o.Box, r)
		}
	}
	return p, nil
}

func (v *builder) filled(s *Shape, line int) ([]r2.Box, error) {
	if n := len(s.Corners); n > mostCorners {
		return nil, fmt.Errorf("%s:%d: a polygon has %d points, want at most %d where people come from or go to", v.path, line, n, mostCorners)
	}
	if s.Kind == Polygon {
		return strips(s.Corners, fineness), nil
	}
	return []r2.Box{s.Box}, nil
}

func largest(boxes []r2.Box) []r2.Box {
	area := func(b r2.Box) float64 { return (b.Max.X - b.Min.X) * (b.Max.Y - b.Min.Y) }
	boxes = slices.SortedStableFunc(slices.Values(boxes), func(a, b r2.Box) int { return cmp.Compare(area(b), area(a)) })
	return boxes[:min(len(boxes), mostExits)]
}

func (v *builder) times(g *formats.Group, o *Source) (err error) {
	most := o.Most
	if most < 0 {
		most = math.MaxInt32
	}
	add := func(t float64) bool {
		n := min(o.Count, most-g.Count)
		g.Count += n
		g.Come = append(g.Come, world.Batch{Time: t, N: n})
		if len(g.Come) > mostTimes {
			err = fmt.Errorf("%s:%d: a source produces people at too many times, want at most %d: use longer intervals", v.path, o.Line, mostTimes)
		}
		return g.Count < most && err == nil
	}
	end := min(o.End, v.from.FinishTime)
	switch {
	case o.Count == 0 || most == 0 || o.Start > v.from.FinishTime:
	case o.Once():
		add(o.Start)
	case o.Every.Kind == Constant && (end-o.Start)/o.Every.Mean < mostTimes:
		g.Every = &formats.Every{From: o.Start, Until: end, Interval: o.Every.Mean, AtOnce: o.Count}
		for t := o.Start; t <= end && g.Count < most; t += o.Every.Mean {
			g.Count += min(o.Count, most-g.Count)
		}
	case o.Every.Kind == TimeSeries:
		for i, count := range o.Every.Counts {
			for k := range count {
				t := o.Start + float64(o.Every.Length*(float64(i)+float64(k)/float64(count)))
				if t > end || !add(t) {
					return err
				}
			}
		}
	default:
		for t, k := o.Start, uint64(0); t <= end && add(t); k++ {
			t += v.draw(&o.Every, useTime, uint64(o.Line), k)
		}
	}
	return err
}

// draw returns the k-th time, in s, drawn from an Exponential or Normal distribution, or the mean of any
// other distribution. The draw is for a purpose (use) and a source or stop (of).
func (v *builder) draw(d *Distribution, use, of, k uint64) float64 {
	id := hash.Draw(v.Seed, use, of) + k
	switch {
	case d.Kind == Exponential:
		return -d.Mean * vec.Log(1-frame.HashFloat(v.Seed, id, 0, 4*use))
	case d.Kind == Normal && d.Deviation > 0:
		return v.normal(formats.Normal{Mean: d.Mean, SD: d.Deviation, Max: math.Inf(1)}, id, use)
	}
	return d.Mean
}

// normal draws a number for an ID and a use, as scenes do.
func (v *builder) normal(n formats.Normal, id, use uint64) float64 {
	return hash.Within(n.Min, n.Max, func(try uint64) float64 {
		return n.Mean + float64(n.SD*hash.Normal(func(k uint64) float64 { return frame.HashFloat(v.Seed, id, try*hash.NormalDraws+k, 4*use) }))
	})
}

func attributes(g *formats.Group, p *Pedestrian) {
	g.Radius, g.MaxSpeed = []float64{p.Radius}, []float64{min(max(p.Mean, p.LeastSpeed), p.GreatestSpeed)}
	if p.Deviation > 0 && p.LeastSpeed < p.GreatestSpeed {
		g.Normal = &formats.Normal{Mean: p.Mean, SD: p.Deviation, Min: p.LeastSpeed, Max: p.GreatestSpeed}
	}
}

func (v *builder) present() error {
	groups := map[string]int{}
	for i := range v.from.People {
		p := &v.from.People[i]
		key := fmt.Sprint(p.Targets, p.Velocity)
		k, known := groups[key]
		if !known {
			g := formats.Group{Velocity: p.Velocity}
			if err := v.goes(&g, p.Targets, p.Position); err != nil {
				return err
			}
			k = len(v.Groups)
			groups[key], v.Groups = k, append(v.Groups, g)
		}
		g, a := &v.Groups[k], &p.Pedestrian
		drawn := formats.Normal{Mean: a.Mean, SD: max(a.Deviation, 1e-9), Min: a.LeastSpeed, Max: a.GreatestSpeed}
		g.Add(p.Position, a.Radius, cmp.Or(p.Speed, v.normal(drawn, uint64(i)+1, useSpeed)))
	}
	return nil
}

// goes sets the targets of a group that starts near a place, up to the first at which people leave. If
// there is only one target and people do not wait there, a flow field leads to it, as in Vadere.
// Otherwise, the group gets itineraries.
func (v *builder) goes(g *formats.Group, ids []int, from r2.Vec) error {
	var stages [][]*Target
	for _, id := range ids {
		var shapes []*Target
		for i := range v.from.Targets {
			if v.from.Targets[i].ID == id {
				shapes = append(shapes, &v.from.Targets[i])
			}
		}
		if stages = append(stages, shapes); shapes[0].Absorbs {
			break
		}
	}
	if len(stages) == 0 {
		return nil
	}
	last := stages[len(stages)-1][0]
	g.Reach, g.Then = []float64{max(last.Distance, 0.1)}, formats.Stay
	if last.Absorbs {
		g.Then = formats.Leave
	}
	if len(stages) == 1 && v.wait(last) == nil {
		var err error
		g.Target, err = v.aim(stages[0])
		return err
	}
	return v.itinerary(g, stages, from)
}

func (v *builder) aim(shapes []*Target) (*formats.Place, error) {
	if one := shapes[0]; len(shapes) == 1 && one.Kind == Rectangle {
		return &formats.Place{Box: one.Box}, nil
	} else if len(shapes) == 1 && one.Kind == Circle {
		return &formats.Place{Disc: &formats.Disc{Center: one.Center, Radius: one.Radius}}, nil
	}
	var all []r2.Box
	for _, t := range shapes {
		boxes, err := v.filled(&t.Shape, t.Line)
		if err != nil {
			return nil, err
		}
		all = append(all, boxes...)
	}
	return &formats.Place{Boxes: largest(all)}, nil
}

func (v *builder) wait(t *Target) *Distribution {
	switch {
	case t.Wait.Kind == 0:
		return nil
	case t.Lights:
		v.note("no agent waits at traffic lights")
		return nil
	case t.Most > 0:
		v.note("any number of people may wait at a target at the same time")
	}
	return &t.Wait
}

// itinerary sets the itineraries of a group: one for all agents or, if waiting times are random, one per
// agent, up to mostWaits.
func (v *builder) itinerary(g *formats.Group, stages [][]*Target, from r2.Vec) error {
	n := 1
	for _, shapes := range stages {
		if w := v.wait(shapes[0]); w != nil && w.Kind != Constant {
			n = min(g.Count, mostWaits)
		}
	}
	for k := range max(n, 1) {
		var stops []systems.Stop
		at, speed := from, 0.
		for i, shapes := range stages {
			b, err := v.nearest(shapes, at)
			if err != nil {
				return err
			}
			stops = append(stops, systems.Stop{Kind: systems.StopBox, Box: b, Speed: speed})
			if w := v.wait(shapes[0]); w != nil {
				stops = append(stops, systems.Stop{Kind: systems.StopIdle, Duration: v.draw(w, useWait, uint64(len(v.Groups))<<32|uint64(i), uint64(k))})
			}
			at, speed = b.Center(), shapes[0].Speed
		}
		g.Itineraries = append(g.Itineraries, stops)
	}
	return nil
}

// nearest returns, of the boxes of the shapes, the one whose center is nearest to a place. The box of a
// polygon is the largest of the boxes that fill it.
func (v *builder) nearest(shapes []*Target, to r2.Vec) (found r2.Box, err error) {
	least := math.Inf(1)
	for _, t := range shapes {
		boxes, err := v.filled(&t.Shape, t.Line)
		if err != nil {
			return found, err
		}
		b := largest(boxes)[0]
		if d := vec.Norm(vec.Sub(vec.Scale(0.5, vec.Add(b.Min, b.Max)), to)); d < least {
			least, found = d, b
		}
	}
	return found, nil
}
