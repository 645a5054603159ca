package vadere

import (
	"cmp"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

var defaultPedestrian = Pedestrian{Radius: 0.2, Mean: 1.34, Deviation: 0.26, LeastSpeed: 0.5, GreatestSpeed: 2.2}

func (r *reader) topography(s *Scenario, p *Pedestrian) error {
	bounds := false
	all := func(read func(*Scenario) error) func() error {
		return r.list(func() error { return read(s) })
	}
	f := fields{
		"attributes":           func() error { bounds = true; return r.ground(s) },
		"obstacles":            all(r.obstacle),
		"measurementAreas":     all(r.area),
		"stairs":               all(r.stairs),
		"targets":              all(r.target),
		"sources":              all(r.source),
		"dynamicElements":      all(r.person),
		"pedestrians":          all(r.person), // before version 0.1
		"attributesPedestrian": r.pedestrian(p),
	}
	for _, key := range []string{"targetChangers", "absorbingAreas", "aerosolClouds", "droplets", "teleporter"} {
		f[key] = r.unused(s, key)
	}
	err := r.object("topography", f)()
	if err == nil && !bounds {
		err = r.fail("has no attributes, want bounds, boundingBoxWidth, bounded")
	}
	return err
}

func (r *reader) ground(s *Scenario) error {
	bounded, border := true, 0.5
	var box Shape
	err := r.object("topography.attributes", fields{
		"bounds":           func() error { return r.shape(&box, "RECTANGLE") },
		"boundingBoxWidth": r.length(&border),
		"bounded":          r.boolean(&bounded),
		"finishTime":       r.time(&s.FinishTime, textio.AboveZero("a time above 0")), // before version 0.1
	})()
	if err != nil {
		return err
	}
	if s.Bounds = box.Box; box.Kind != Rectangle {
		return r.fail("has no bounds, want {x, y, width, height}")
	}
	size := s.Bounds.Size()
	if !bounded {
		border = 0
	}
	if s.Border = border; 2*border >= min(size.X, size.Y) {
		return r.fail("has walls %v m thick around %v m × %v m, want less than half the shorter side", border, size.X, size.Y)
	}
	return nil
}

func (r *reader) obstacle(s *Scenario) error {
	s.Obstacles = append(s.Obstacles, Shape{})
	return r.element("obstacle", &s.Obstacles[len(s.Obstacles)-1], nil, fields{})
}

func (r *reader) area(s *Scenario) error {
	var a Area
	err := r.element("measurementArea", &a.Shape, &a.ID, fields{})
	s.Areas = append(s.Areas, a)
	return err
}

func (r *reader) stairs(s *Scenario) error {
	var a Stairs
	err := r.element("stairs", &a.Shape, nil, fields{"upwardDirection": r.point(&a.Up)})
	s.Stairs = append(s.Stairs, a)
	return err
}

// element reads a part of the floor: its shape, the fields f and, unless id is nil, its ID, which is -1
// if the part has none. It adds entries to f.
func (r *reader) element(kind string, shape *Shape, id *int, f fields) error {
	f["shape"] = func() error { return r.shape(shape, "") }
	if id != nil {
		*id = -1
		f["id"] = r.id(id)
	}
	err := r.object(kind, f)()
	if err == nil && shape.Kind == 0 {
		err = r.fail("has no shape, want {type: RECTANGLE, POLYGON or CIRCLE, …}")
	}
	return err
}

func (r *reader) target(s *Scenario) error {
	// Before version 2.0, the keys of absorber and waiter are in the target itself.
	t := Target{Line: r.next(), Absorbs: true, Distance: 0.1}
	var stay named
	waits, each, wait, speed := true, true, 0., -1.
	most := r.integer(&t.Most, 0)
	leaving := r.number(&speed, textio.AnyNumber("a speed in m/s"))
	err := r.element("target", &t.Shape, &t.ID, fields{
		"absorber": r.object("absorber", fields{
			"enabled":          r.boolean(&t.Absorbs),
			"deletionDistance": r.length(&t.Distance),
		}),
		"waiter": r.object("waiter", fields{
			"enabled":      r.boolean(&waits),
			"distribution": r.distribution(&stay),
		}),
		"absorbing":         r.boolean(&t.Absorbs),
		"deletionDistance":  r.length(&t.Distance),
		"waitingTime":       r.time(&wait, timeFrom0),
		"individualWaiting": r.boolean(&each),
		"parallelWaiters":   most,
		"parallelEvents":    most,
		"nextSpeed":         leaving,
		"leavingSpeed":      leaving,
	})
	if err != nil {
		return err
	}
	switch {
	case wait > 0:
		t.Wait = Distribution{Kind: Constant, Mean: wait}
	case waits && stay.kind != "":
		if t.Wait, err = r.chosen(&stay); err != nil {
			return err
		}
	}
	t.Lights, t.Speed = !each && t.Wait.Kind != 0, max(speed, 0)
	s.Targets = append(s.Targets, t)
	return nil
}

func (r *reader) person(s *Scenario) error {
	p := Person{Line: r.next()}
	kind, next := "PEDESTRIAN", 0
	err := r.object("dynamicElement", fields{
		"type":                r.text(&kind),
		"attributes":          r.pedestrian(&p.Pedestrian),
		"position":            r.point(&p.Position),
		"velocity":            r.point(&p.Velocity),
		"targetIds":           each(r, &p.Targets, r.id),
		"nextTargetListIndex": r.id(&next),
		"freeFlowSpeed":       r.number(&p.Speed, textio.AnyNumber("a speed in m/s")),
	})()
	if err != nil {
		return err
	}
	if kind != "PEDESTRIAN" {
		s.Unused = append(s.Unused, Unused{"dynamicElements of type " + textio.Clip(kind), p.Line, 1})
		return nil
	}
	p.Targets = p.Targets[min(max(next, 0), len(p.Targets)):]
	p.Speed = max(p.Speed, 0)
	s.People = append(s.People, p)
	return nil
}

// pedestrian reads a kind of pedestrian. Missing numbers get defaults. If all are missing, *p stays
// unchanged.
func (r *reader) pedestrian(p *Pedestrian) func() error {
	return func() error {
		got, set := defaultPedestrian, false
		number := func(x *float64, l textio.Limit) func() error {
			return func() error { set = set || !r.begins("null"); return r.number(x, l)() }
		}
		radius := textio.Limit{
			OK:   func(x float64) bool { return x > 0 && x <= 10 },
			Want: "a radius above 0 m and at most 10 m",
		}
		speed := textio.NotNegative("a speed of 0 m/s or more")
		err := r.object("attributesPedestrian", fields{
			"radius":                             number(&got.Radius, radius),
			"speedDistributionMean":              number(&got.Mean, speed),
			"speedDistributionStandardDeviation": number(&got.Deviation, speed),
			"minimumSpeed":                       number(&got.LeastSpeed, speed),
			"maximumSpeed":                       number(&got.GreatestSpeed, speed),
		})()
		if err == nil && got.LeastSpeed > got.GreatestSpeed {
			err = r.fail("has minimumSpeed %v and maximumSpeed %v, want minimumSpeed not above maximumSpeed", got.LeastSpeed, got.GreatestSpeed)
		}
		if set {
			*p = got
		}
		return err
	}
}

// Shape is the shape of a part of the floor.
type Shape struct {
	Kind    ShapeKind
	Box     r2.Box   // m, bounding box
	Corners []r2.Vec // m, of a Polygon
	Center  r2.Vec   // m, of a Circle
	Radius  float64  // m, of a Circle
}

// ShapeKind is the kind of a shape.
type ShapeKind int

const (
	Rectangle ShapeKind = iota + 1
	Polygon
	Circle
)

var shapeKinds = map[string]ShapeKind{"RECTANGLE": Rectangle, "POLYGON": Polygon, "CIRCLE": Circle}

// shape reads a shape. The parameter kind is the type of a shape that states none, or "" if it must state
// one.
func (r *reader) shape(s *Shape, kind string) error {
	line := r.next()
	var at, size r2.Vec
	err := r.object("shape", fields{
		"type":   r.text(&kind),
		"x":      r.place(&at.X),
		"y":      r.place(&at.Y),
		"width":  r.length(&size.X),
		"height": r.length(&size.Y),
		"center": r.point(&s.Center),
		"radius": r.length(&s.Radius),
		"points": each(r, &s.Corners, r.point),
	})()
	if err != nil {
		return err
	}
	want := ""
	switch s.Kind = shapeKinds[kind]; s.Kind {
	case Rectangle:
		s.Box = r2.Box{Min: at, Max: r2.Add(at, size)}
		if !(s.Box.Min.X < s.Box.Max.X && s.Box.Min.Y < s.Box.Max.Y) {
			want = "width and height above 0"
		}
	case Polygon:
		if s.Corners = textio.Outline(s.Corners); len(s.Corners) < 3 {
			want = "three or more different points"
			break
		}
		if fault := space.RingFault(s.Corners); fault != "" {
			return r.failAt(line, "%s is a POLYGON that %s", r.at(), fault)
		}
		s.Box = textio.Bounds(s.Corners)
	case Circle:
		s.Center = cmp.Or(s.Center, at)
		half := r2.Vec{X: s.Radius, Y: s.Radius}
		s.Box = r2.Box{Min: r2.Sub(s.Center, half), Max: r2.Add(s.Center, half)}
		if s.Radius == 0 {
			want = "a center and a radius above 0"
		}
	default:
		return r.failAt(line, "%s.type is %q, want RECTANGLE, POLYGON or CIRCLE", r.at(), kind)
	}
	if want != "" {
		return r.failAt(line, "%s is a %s, want %s", r.at(), kind, want)
	}
	return nil
}
