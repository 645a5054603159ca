package view

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/spatial/r2"
)

// Limits on viewers' requests.
const (
	maxMessage = 4096    // bytes
	maxScene   = 1 << 20 // bytes, with a scene's text or a polygon's corners
	maxPace    = 100     // times the natural pace
	minPace    = 0.01    // except 0, which means as fast as possible
	maxStepsAt = 1000    // per request, and pending in all
	maxTick    = 1e9     // of a seek
	farthest   = 1e12    // m, largest coordinate
)

// asked is a message from a viewer. The comment on each field names the requests that use the field.
type asked struct {
	Do     string    `json:"do"`
	View   []float64 `json:"view"`   // next: m
	Pixels []float64 `json:"pixels"` // next
	Color  string    `json:"color"`  // next
	Layers []string  `json:"layers"` // next
	Field  *int      `json:"field"`  // next
	On     bool      `json:"on"`     // pause, door
	N      int       `json:"n"`      // step, agents, scene
	X      float64   `json:"x"`      // pace
	Tick   float64   `json:"tick"`   // seek
	Seed   string    `json:"seed"`   // seed, scene
	Name   string    `json:"name"`   // scene, set
	Text   string    `json:"text"`   // scene
	Value  float64   `json:"value"`  // set
	At     []float64 `json:"at"`     // pointer, select, add, goal: m
	To     []float64 `json:"to"`     // move, add: m
	Within float64   `json:"within"` // select: m
	Dot    float64   `json:"dot"`    // select: m, distance within which agents look like one dot
	Radius float64   `json:"radius"` // add: m
	Door   bool      `json:"door"`   // add
	ID     any       `json:"id"`     // select, goal: text; move, remove, door: number

	Corners [][2]float64 `json:"corners"` // add: m, of a polygon

	// Parsed values.
	wish wish
	seed uint64
	id   uint64
	at   *r2.Vec
	to   *r2.Vec // add: other end of a wall or door

	corners []r2.Vec
}

// parse returns the request in a message, after checking everything that does not depend on the world.
// Accepted numbers are finite and, except for the value of set, within the limits.
func parse(data []byte) (*asked, error) {
	most := maxMessage
	if bytes.HasPrefix(data, []byte(`{"do":"scene"`)) || bytes.HasPrefix(data, []byte(`{"do":"add"`)) {
		most = maxScene
	}
	if len(data) > most {
		return nil, fmt.Errorf("message has %d bytes, want at most %d", len(data), most)
	}
	a := &asked{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(a); err != nil {
		return nil, errors.New("message is not a JSON object of the protocol")
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("message continues after its JSON object")
	}
	check, known := requests[a.Do]
	if !known {
		return nil, fmt.Errorf("unknown command %.40q", a.Do)
	}
	if err := check(a); err != nil {
		return nil, fmt.Errorf("%s: %w", a.Do, err)
	}
	return a, nil
}

var requests = map[string]func(*asked) error{
	"pause": unchecked, "restart": unchecked, "cancel": unchecked, "file": unchecked, "set": unchecked,
	"next":    (*asked).checkNext,
	"step":    func(a *asked) error { return within("n", 1, maxStepsAt, float64(a.N)) },
	"agents":  func(a *asked) error { return within("n", 1, MaxAgents, float64(a.N)) },
	"seed":    (*asked).readSeed,
	"pointer": func(a *asked) error { return a.place(a.At, "at", true) },
	"door":    (*asked).number,
	"remove":  (*asked).number,
	"move":    func(a *asked) error { return cmp.Or(a.number(), a.place(a.To, "to", false)) },
	"goal":    func(a *asked) error { return cmp.Or(a.agent(), a.place(a.At, "at", false)) },
	"scene": func(a *asked) (err error) {
		if a.N != 0 {
			err = within("n", 1, MaxAgents, float64(a.N))
		}
		if a.Seed != "" {
			err = cmp.Or(err, a.readSeed())
		}
		return err
	},
	"pace": func(a *asked) error {
		if a.X == 0 {
			return nil
		}
		return within("x", minPace, maxPace, a.X)
	},
	"seek": func(a *asked) error {
		if a.Tick != math.Trunc(a.Tick) {
			return fmt.Errorf("tick is %v, want a whole number", a.Tick)
		}
		return within("tick", 0, maxTick, a.Tick)
	},
	"select": func(a *asked) error {
		if a.ID != nil || a.At == nil {
			return a.agent()
		}
		return cmp.Or(within("within", 0, farthest, a.Within), within("dot", 0, farthest, a.Dot), a.place(a.At, "at", false))
	},
	"add": func(a *asked) error {
		if len(a.Corners) > 0 {
			for _, p := range a.Corners {
				if err := within("corners", -farthest, farthest, p[:]...); err != nil {
					return err
				}
				a.corners = append(a.corners, r2.Vec{X: p[0], Y: p[1]})
			}
			return nil
		}
		if a.Door && a.To == nil {
			return errors.New("to is missing, want the other end of the door")
		}
		if err := cmp.Or(within("radius", 0, farthest, a.Radius), a.place(a.To, "to", true)); err != nil {
			return err
		}
		a.to, a.at = a.at, nil
		return a.place(a.At, "at", false)
	},
}

func unchecked(*asked) error { return nil }

func within(name string, least, most float64, all ...float64) error {
	for _, x := range all {
		if !(x >= least && x <= most) {
			return fmt.Errorf("%s is %v, want %v to %v", name, x, least, most)
		}
	}
	return nil
}

func (a *asked) place(point []float64, name string, optional bool) error {
	if point == nil && optional {
		return nil
	}
	if len(point) != 2 {
		return fmt.Errorf("length of %s is %d, want 2", name, len(point))
	}
	if err := within(name, -farthest, farthest, point...); err != nil {
		return err
	}
	a.at = &r2.Vec{X: point[0], Y: point[1]}
	return nil
}

func (a *asked) agent() (err error) {
	if a.ID == nil {
		return nil
	}
	text, ok := a.ID.(string)
	if !ok {
		return errors.New("id is not a string, want the number of an agent as a string")
	}
	if a.id, err = strconv.ParseUint(text, 10, 64); err != nil {
		return fmt.Errorf("id is %.40q, want the number of an agent", text)
	}
	return nil
}

func (a *asked) readSeed() (err error) {
	if a.seed, err = strconv.ParseUint(a.Seed, 10, 64); err != nil {
		return fmt.Errorf("seed is %.40q, want a whole number from 0 to %d", a.Seed, uint64(math.MaxUint64))
	}
	return nil
}

func (a *asked) number() error {
	x, ok := a.ID.(float64)
	if !ok || x != math.Trunc(x) {
		return errors.New("id is missing or not a whole number, want the number of an obstacle")
	}
	a.id = uint64(max(x, 0))
	return within("id", 0, math.MaxUint32, x)
}

func (a *asked) checkNext() error {
	if len(a.View) != 4 || len(a.Pixels) != 2 {
		return fmt.Errorf("view has %d numbers and pixels has %d, want 4 and 2", len(a.View), len(a.Pixels))
	}
	if err := cmp.Or(within("view", -farthest, farthest, a.View...), within("pixels", 1, 32768, a.Pixels...)); err != nil {
		return err
	}
	v := r2.Box{Min: r2.Vec{X: a.View[0], Y: a.View[1]}, Max: r2.Vec{X: a.View[2], Y: a.View[3]}}
	// In a smaller window, quantizing coordinates would divide by zero.
	least := 1e-12 * max(math.Abs(v.Min.X), math.Abs(v.Min.Y), math.Abs(v.Max.X), math.Abs(v.Max.Y), 1)
	if !(v.Max.X-v.Min.X >= least && v.Max.Y-v.Min.Y >= least) {
		return errors.New("view is empty, want x0 < x1 and y0 < y1")
	}
	a.wish.view, a.wish.width, a.wish.field = v, a.Pixels[0], noField
	if a.Field != nil {
		if err := within("field", 0, math.MaxInt32, float64(*a.Field)); err != nil {
			return err
		}
		a.wish.field = *a.Field
	}
	k := slices.Index(colors, a.Color)
	if k < 0 {
		return fmt.Errorf("color is %.40q, want one of %v", a.Color, colors)
	}
	a.wish.color = color(k)
	for _, name := range a.Layers {
		bit := slices.Index(layerNames, name)
		if bit < 0 {
			return fmt.Errorf("layer is %.40q, want one of %v", name, layerNames)
		}
		a.wish.layers |= 1 << bit
	}
	return nil
}
