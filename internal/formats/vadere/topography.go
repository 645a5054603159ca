package vadere

import (
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// defaultPedestrian is what Vadere takes where a file says nothing.
var defaultPedestrian = Pedestrian{Radius: 0.2, Mean: 1.34, Deviation: 0.26, LeastSpeed: 0.5, GreatestSpeed: 2.2}

func (r *reader) topography(s *Scenario, p *Pedestrian) error {
	unused := func(key string) func() error { return func() error { return r.unused(s, key) } }
	bounds := false
	err := r.object("topography", fields{
		"attributes":           func() error { bounds = true; return r.ground(s) },
		"obstacles":            func() error { return r.list(func() error { return r.obstacle(s) }) },
		"measurementAreas":     func() error { return r.list(func() error { return r.area(s) }) },
		"stairs":               func() error { return r.list(func() error { return r.stairs(s) }) },
		"targets":              func() error { return r.list(func() error { return r.target(s) }) },
		"sources":              func() error { return r.list(func() error { return r.source(s) }) },
		"dynamicElements":      func() error { return r.list(func() error { return r.person(s) }) },
		"pedestrians":          func() error { return r.list(func() error { return r.person(s) }) }, // before version 0.1
		"attributesPedestrian": func() error { return r.pedestrian(p) },
		"targetChangers":       unused("targetChangers"),
		"absorbingAreas":       unused("absorbingAreas"),
		"aerosolClouds":        unused("aerosolClouds"),
		"droplets":             unused("droplets"),
		"teleporter":           unused("teleporter"),
	})
	if err == nil && !bounds {
		err = r.fail("has no attributes, want bounds, boundingBoxWidth, bounded")
	}
	return err
}

// ground reads how large the floor is.
func (r *reader) ground(s *Scenario) error {
	bounded, border := true, 0.5
	var box Shape
	err := r.object("topography.attributes", fields{
		"bounds":           func() error { return r.shape(&box, "RECTANGLE") },
		"boundingBoxWidth": func() error { return r.length(&border) },
		"bounded":          func() error { return r.boolean(&bounded) },
		"finishTime":       func() error { return r.time(&s.FinishTime, textio.AboveZero, "a time above 0") }, // before version 0.1
	})
	if err != nil {
		return err
	}
	if s.Bounds = box.Box; box.Kind != Rectangle {
		return r.fail("has no bounds, want {x, y, width, height}")
	}
	size := r2.Sub(s.Bounds.Max, s.Bounds.Min)
	if !bounded {
		border = 0
	}
	if s.Border = border; 2*border >= min(size.X, size.Y) {
		return r.fail("has walls %v m thick in %v × %v m, want a thickness of less than half", border, size.X, size.Y)
	}
	return nil
}

func (r *reader) obstacle(s *Scenario) error {
	var shape Shape
	if err := r.element("obstacle", &shape, nil, fields{}); err != nil {
		return err
	}
	s.Obstacles = append(s.Obstacles, shape)
	return nil
}

func (r *reader) area(s *Scenario) error {
	a := Area{Line: r.next()}
	if err := r.element("measurementArea", &a.Shape, &a.ID, fields{}); err != nil {
		return err
	}
	s.Areas = append(s.Areas, a)
	return nil
}

func (r *reader) stairs(s *Scenario) error {
	a := Stairs{Line: r.next()}
	err := r.element("stairs", &a.Shape, nil, fields{"upwardDirection": func() error { return r.point(&a.Up) }})
	s.Stairs = append(s.Stairs, a)
	return err
}

// element reads a part of the floor that has a shape.
func (r *reader) element(kind string, shape *Shape, id *int, f fields) error {
	f["shape"] = func() error { return r.shape(shape, "") }
	if id != nil {
		*id = -1
		f["id"] = func() error { return r.id(id) }
	}
	if err := r.object(kind, f); err != nil {
		return err
	}
	if shape.Kind == 0 {
		return r.fail("has no shape, want {type: RECTANGLE, POLYGON or CIRCLE, …}")
	}
	return nil
}

func (r *reader) target(s *Scenario) error {
	// Versions before 2.0 have the keys of absorber and waiter in the target itself.
	t := Target{Line: r.next(), Absorbs: true, Distance: 0.1}
	var stay named
	waits, each, wait, speed := true, true, 0., -1.
	distance := func() error { return r.length(&t.Distance) }
	most := func() error { return r.integer(&t.Most, 0) }
	leaving := func() error { return r.number(&speed, textio.AnyNumber, "a speed in m/s") }
	err := r.element("target", &t.Shape, &t.ID, fields{
		"absorber": func() error {
			return r.object("absorber", fields{"enabled": func() error { return r.boolean(&t.Absorbs) }, "deletionDistance": distance})
		},
		"waiter": func() error {
			return r.object("waiter", fields{
				"enabled":      func() error { return r.boolean(&waits) },
				"distribution": func() error { return r.distribution(&stay) },
			})
		},
		"absorbing":         func() error { return r.boolean(&t.Absorbs) },
		"deletionDistance":  distance,
		"waitingTime":       func() error { return r.time(&wait, textio.NotNegative, "a time of at least 0") },
		"individualWaiting": func() error { return r.boolean(&each) },
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
		"type":                func() error { return r.text(&kind) },
		"attributes":          func() error { return r.pedestrian(&p.Pedestrian) },
		"position":            func() error { return r.point(&p.Position) },
		"velocity":            func() error { return r.point(&p.Velocity) },
		"targetIds":           func() error { return r.ids(&p.Targets) },
		"nextTargetListIndex": func() error { return r.integer(&next, -1<<31) },
		"freeFlowSpeed":       func() error { return r.number(&p.Speed, textio.AnyNumber, "a speed in m/s") },
	})
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

// pedestrian reads how people are.
func (r *reader) pedestrian(p *Pedestrian) error {
	got, set := defaultPedestrian, false
	speed := func(x *float64) func() error {
		return func() error { set = true; return r.number(x, textio.NotNegative, "a speed of 0 m/s or more") }
	}
	err := r.object("attributesPedestrian", fields{
		"radius": func() error {
			set = true
			return r.number(&got.Radius, func(x float64) bool { return x > 0 && x <= 10 }, "a radius above 0 m, and of 10 m at most")
		},
		"speedDistributionMean":              speed(&got.Mean),
		"speedDistributionStandardDeviation": speed(&got.Deviation),
		"minimumSpeed":                       speed(&got.LeastSpeed),
		"maximumSpeed":                       speed(&got.GreatestSpeed),
	})
	if err == nil && got.LeastSpeed > got.GreatestSpeed {
		err = r.fail("has minimumSpeed %v and maximumSpeed %v, want the first no greater than the second", got.LeastSpeed, got.GreatestSpeed)
	}
	if set {
		*p = got
	}
	return err
}

// ids reads a list of ids.
func (r *reader) ids(all *[]int) error {
	*all = nil
	return r.list(func() error {
		var id int
		err := r.id(&id)
		*all = append(*all, id)
		return err
	})
}

// Shape is that of a part of the floor.
type Shape struct {
	Kind    ShapeKind
	Box     r2.Box   // m, a Rectangle, or around the others
	Corners []r2.Vec // m, of a Polygon, three or more
	Center  r2.Vec   // m, of a Circle
	Radius  float64  // m, of a Circle
}

// ShapeKind says what a shape is.
type ShapeKind int

const (
	Rectangle ShapeKind = iota + 1
	Polygon
	Circle
)

// shapeKinds are by their names in files.
var shapeKinds = map[string]ShapeKind{"RECTANGLE": Rectangle, "POLYGON": Polygon, "CIRCLE": Circle}

// shape reads one of any kind, of this one if it does not say.
func (r *reader) shape(s *Shape, kind string) error {
	line := r.next()
	var at, size r2.Vec
	err := r.object("shape", fields{
		"type":   func() error { return r.text(&kind) },
		"x":      func() error { return r.place(&at.X) },
		"y":      func() error { return r.place(&at.Y) },
		"width":  func() error { return r.length(&size.X) },
		"height": func() error { return r.length(&size.Y) },
		"center": func() error { return r.point(&s.Center) },
		"radius": func() error { return r.length(&s.Radius) },
		"points": func() error {
			return r.list(func() error {
				var p r2.Vec
				err := r.point(&p)
				s.Corners = append(s.Corners, p)
				return err
			})
		},
	})
	if err != nil {
		return err
	}
	want := ""
	switch s.Kind = shapeKinds[kind]; s.Kind {
	case Rectangle:
		if s.Box = (r2.Box{Min: at, Max: r2.Add(at, size)}); !(s.Box.Min.X < s.Box.Max.X && s.Box.Min.Y < s.Box.Max.Y) {
			want = "width and height above 0"
		}
	case Polygon:
		if s.Corners = textio.Outline(s.Corners); len(s.Corners) < 3 {
			want = "points: three or more that differ"
			break
		}
		if fault := space.RingFault(s.Corners); fault != "" {
			return r.failAt(line, "%s is a POLYGON that %s", r.at(), fault)
		}
		s.Box = r2.Box{Min: s.Corners[0], Max: s.Corners[0]}
		for _, p := range s.Corners {
			s.Box.Min = r2.Vec{X: min(s.Box.Min.X, p.X), Y: min(s.Box.Min.Y, p.Y)}
			s.Box.Max = r2.Vec{X: max(s.Box.Max.X, p.X), Y: max(s.Box.Max.Y, p.Y)}
		}
	case Circle:
		if s.Center == (r2.Vec{}) {
			s.Center = at
		}
		r := r2.Vec{X: s.Radius, Y: s.Radius}
		if s.Box = (r2.Box{Min: r2.Sub(s.Center, r), Max: r2.Add(s.Center, r)}); s.Radius == 0 {
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
