package scene

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/formats/vadere"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// Uses of the draws for a scenario.
const (
	useVadereTime = iota + 1
	useVadereWait
)

// mostTimes bounds at how many times a source makes people, and mostWaits how many times of
// waiting there are where they are drawn.
const mostTimes, mostWaits = 100_000, 100

// people makes the groups: one of each source, and of people that are there from the start one
// of each that go to the same targets.
func (v *vadereScene) people(model Model) error {
	for i := range v.from.Sources {
		if err := v.source(&v.from.Sources[i]); err != nil {
			return err
		}
	}
	if err := v.present(); err != nil {
		return err
	}
	ways := make([]Way, len(v.Groups))
	for i := range v.Groups {
		ways[i] = v.Groups[i].Way
		v.Groups[i].Set(jamORCA)
	}
	v.steer(cmp.Or(model, DefaultModel))
	size := r2.Sub(v.from.Bounds.Max, v.from.Bounds.Min)
	area := size.X * size.Y * float64(max(1, len(v.Groups)))
	cell := max(vadereLeastCell, math.Sqrt(area/vadereCells))
	if cell > mapLeastCell {
		v.note(fmt.Sprintf("people find no way through passages of less than %.1f m, because the floor is so large", 2*cell))
	}
	for i := range v.Groups {
		if g := &v.Groups[i]; ways[i] == Field {
			g.Way, g.FieldCell = Field, cell
		}
	}
	return nil
}

// source makes the group of a source.
func (v *vadereScene) source(o *vadere.Source) error {
	switch {
	case o.Cars:
		v.note(fmt.Sprintf("the source of line %d makes cars, which are not there", o.Line))
		return nil
	case o.Groups:
		v.note("people who come in groups do not keep together")
	}
	g := Group{Name: v.sourceName(o.ID)}
	v.attributes(&g, &o.Pedestrian)
	at, err := v.within(o)
	if err != nil {
		return err
	}
	g.At = at
	if g.Count, g.Source, err = v.times(o); err != nil || g.Count == 0 {
		return err
	}
	if err := v.goes(&g, o.Targets, center(o.Box)); err != nil {
		return err
	}
	v.Groups = append(v.Groups, g)
	return nil
}

// sourceName returns the name of the group of a source; none if several have the id.
func (v *vadereScene) sourceName(id int) string {
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

// within returns where the people of a source start: with their whole bodies in its shape, if
// it is a rectangle.
func (v *vadereScene) within(o *vadere.Source) (Place, error) {
	p := Place{Clear: o.Pedestrian.Radius}
	switch o.Kind {
	case vadere.Circle:
		p.Disc = &Disc{o.Center, o.Radius}
	case vadere.Polygon:
		boxes, err := v.filled(&o.Shape, o.Line)
		if err != nil {
			return p, err
		}
		p.Exits = exits(boxes)
	default:
		p.Box = o.Box
		size := r2.Sub(o.Box.Max, o.Box.Min)
		if r := o.Pedestrian.Radius; 2*r+smallest < min(size.X, size.Y) {
			p.Box = box(o.Box.Min.X+r, o.Box.Min.Y+r, o.Box.Max.X-r, o.Box.Max.Y-r)
		}
	}
	return p, nil
}

// filled returns boxes that fill a shape.
func (v *vadereScene) filled(s *vadere.Shape, line int) ([]r2.Box, error) {
	if n := len(s.Corners); n > vadereMostCorners {
		return nil, fmt.Errorf("%s:%d: a polygon has %d points, want at most %d where people come from or go to", v.path, line, n, vadereMostCorners)
	}
	if s.Kind == vadere.Polygon {
		return strips(s.Corners, vadereStrips), nil
	}
	return []r2.Box{s.Box}, nil
}

// exits returns the largest of some boxes as exits, weighted by their areas.
func exits(boxes []r2.Box) (all []Exit) {
	for _, b := range boxes {
		all = append(all, Exit{Box: b, Weight: (b.Max.X - b.Min.X) * (b.Max.Y - b.Min.Y)})
	}
	slices.SortStableFunc(all, func(a, b Exit) int { return cmp.Compare(b.Weight, a.Weight) })
	return all[:min(len(all), maxExits)]
}

// times returns how many people come, and when.
func (v *vadereScene) times(o *vadere.Source) (n int, s *Source, err error) {
	most := o.Most
	if most < 0 {
		most = math.MaxInt32
	}
	end := min(o.End, v.from.FinishTime)
	switch {
	case o.Count == 0 || most == 0 || o.Start > v.from.FinishTime:
		return 0, nil, nil
	case o.Once():
		n = min(o.Count, most)
		return n, &Source{AtOnce: 1, Schedule: []world.Batch{{Time: o.Start, N: n}}}, nil
	case o.Every.Kind == vadere.Constant && (end-o.Start)/o.Every.Mean < mostTimes:
		s = &Source{From: o.Start, Until: end, Every: Same(o.Every.Mean), AtOnce: o.Count}
		if end == 0 {
			s.Until = v.from.FinishTime
		}
		return s.agents(0, 0, most), s, nil
	}
	s = &Source{AtOnce: 1}
	add := func(t float64) bool {
		batch := min(o.Count, most-n)
		n += batch
		s.Schedule = append(s.Schedule, world.Batch{Time: t, N: batch})
		if len(s.Schedule) > mostTimes {
			err = fmt.Errorf("%s:%d: a source makes people at more than %d times, want fewer: a longer time from one to the next", v.path, o.Line, mostTimes)
		}
		return n < most && err == nil
	}
	if o.Every.Kind == vadere.TimeSeries {
		for i, count := range o.Every.Counts {
			for k := range count {
				t := o.Start + float64(o.Every.Length*(float64(i)+float64(k)/float64(count)))
				if t > end || !add(t) {
					return n, s, err
				}
			}
		}
		return n, s, err
	}
	for t, k := o.Start, uint64(0); t <= end && add(t); k++ {
		t += v.draw(&o.Every, useVadereTime, uint64(o.Line), k)
	}
	return n, s, err
}

// draw draws a time in s from a distribution.
func (v *vadereScene) draw(d *vadere.Distribution, use, of, k uint64) float64 {
	s := Spread{Max: math.Inf(1)}
	switch d.Kind {
	case vadere.Exponential:
		s.Distribution, s.Scale = Exponential, d.Mean
	case vadere.Normal:
		if s.Distribution, s.Mean, s.SD = Normal, d.Mean, d.Deviation; d.Deviation == 0 {
			return d.Mean
		}
	default:
		return d.Mean
	}
	return s.draw(v.Seed, draw(v.Seed, use, of)+k, use)
}

// attributes gives a group bodies and speeds.
func (v *vadereScene) attributes(g *Group, p *vadere.Pedestrian) {
	g.Radius, g.MaxSpeed = Same(p.Radius), Same(min(max(p.Mean, p.LeastSpeed), p.GreatestSpeed))
	if p.Deviation > 0 && p.LeastSpeed < p.GreatestSpeed {
		g.MaxSpeed = Value{Spread: &Spread{Distribution: Normal, Mean: p.Mean, SD: p.Deviation, Min: p.LeastSpeed, Max: p.GreatestSpeed}}
	}
}

// present makes the groups of people that are there from the start.
func (v *vadereScene) present() error {
	groups := map[string]int{}
	for i := range v.from.People {
		p := &v.from.People[i]
		key := fmt.Sprint(p.Targets, p.Velocity)
		k, known := groups[key]
		if !known {
			g := Group{Velocity: p.Velocity}
			if err := v.goes(&g, p.Targets, p.Position); err != nil {
				return err
			}
			k = len(v.Groups)
			groups[key], v.Groups = k, append(v.Groups, g)
		}
		g, a := &v.Groups[k], &p.Pedestrian
		speed := p.Speed
		if speed == 0 {
			s := Spread{Distribution: Normal, Mean: a.Mean, SD: max(a.Deviation, 1e-9), Min: a.LeastSpeed, Max: a.GreatestSpeed}
			speed = s.draw(v.Seed, uint64(i)+1, useMaxSpeed)
		}
		g.Count++
		g.At.Points = append(g.At.Points, p.Position)
		g.Radius.Each, g.MaxSpeed.Each = append(g.Radius.Each, a.Radius), append(g.MaxSpeed.Each, speed)
	}
	return nil
}

// goes says where the people of a group go, which start at about a place: to their targets, one
// after another, up to the first one where they leave. The way to a single target is a field,
// as in Vadere.
func (v *vadereScene) goes(g *Group, ids []int, from r2.Vec) error {
	var stages [][]*vadere.Target
	for _, id := range ids {
		var shapes []*vadere.Target
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
	g.Goal = &Goal{Radius: Same(max(last.Distance, 0.1)), Then: Stay}
	if last.Absorbs {
		g.Goal.Then = Leave
	}
	if len(stages) == 1 && v.wait(last) == nil {
		target, err := v.aim(stages[0])
		g.Target, g.Way = target, Field
		return err
	}
	return v.itinerary(g, stages, from)
}

// aim returns the place of a target of one or more shapes.
func (v *vadereScene) aim(shapes []*vadere.Target) (*Place, error) {
	if one := shapes[0]; len(shapes) == 1 && one.Kind == vadere.Rectangle {
		return &Place{Box: one.Box}, nil
	} else if len(shapes) == 1 && one.Kind == vadere.Circle {
		return &Place{Disc: &Disc{one.Center, one.Radius}}, nil
	}
	var all []r2.Box
	for _, t := range shapes {
		boxes, err := v.filled(&t.Shape, t.Line)
		if err != nil {
			return nil, err
		}
		all = append(all, boxes...)
	}
	nearest := exits(all)
	for i := range nearest {
		nearest[i].Weight = 0
	}
	return &Place{Exits: nearest}, nil
}

// wait returns how long people stay at a target; nil: not at all.
func (v *vadereScene) wait(t *vadere.Target) *vadere.Distribution {
	switch {
	case t.Wait.Kind == 0:
		return nil
	case t.Lights:
		v.note("no agent waits at traffic lights")
		return nil
	case t.Most > 0:
		v.note("any number of people wait at a target at the same time")
	}
	return &t.Wait
}

// itinerary lets the people of a group go from target to target, and wait there.
func (v *vadereScene) itinerary(g *Group, stages [][]*vadere.Target, from r2.Vec) error {
	n := 1
	for _, shapes := range stages {
		if w := v.wait(shapes[0]); w != nil && w.Kind != vadere.Constant {
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
				stops = append(stops, systems.Stop{Kind: systems.StopIdle, Duration: v.draw(w, useVadereWait, uint64(len(v.Groups)*len(stages)+i), uint64(k))})
			}
			at, speed = center(b), shapes[0].Speed
		}
		g.Itineraries = append(g.Itineraries, stops)
	}
	return nil
}

// nearest returns the box of a target whose middle is the nearest to a place: of a polygon the
// largest that is in it.
func (v *vadereScene) nearest(shapes []*vadere.Target, to r2.Vec) (found r2.Box, err error) {
	least := math.Inf(1)
	for _, t := range shapes {
		boxes, err := v.filled(&t.Shape, t.Line)
		if err != nil {
			return found, err
		}
		b := exits(boxes)[0].Box
		if d := vec.Norm(vec.Sub(center(b), to)); d < least {
			least, found = d, b
		}
	}
	return found, nil
}

// center returns the middle of a box.
func center(b r2.Box) r2.Vec { return vec.Scale(0.5, vec.Add(b.Min, b.Max)) }
