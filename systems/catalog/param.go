package catalog

import (
	"fmt"
	"reflect"

	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Param describes a parameter of a behavior: a field of its component.
type Param struct {
	Key  string   // key in scene files; empty means that the value replaces the behavior's table
	Was  []string // former keys, still accepted
	At   any      // pointer to the field: a *float64, *bool, *int, *uint32, *r2.Vec, *r2.Box or *ecs.Entity
	Unit string   // such as m or kg/s; empty means none
	Text string

	Limits  Limits  // of a number
	File    *Limits // limits in scene files, in degrees if Degrees is set; nil means Limits
	Default any     // in scene files, of the type of the field; nil means required
	Degrees bool    // an angle in radians, but in degrees in scene files

	Gain   bool // the force is proportional to the parameter, which must be at most mass/dt if it is in kg/s
	Pauses bool // 0 pauses the behavior
	Blind  bool // at 0, the behavior sees almost nothing

	Box    bool   // the default is the box of the scene
	List   string // list in scene files that the parameter is an index into
	Keeper any    // for a point: component that sets it to an entity's position; scene files may name the entity
}

// Number returns a required parameter: a finite number, 0 or more.
func Number(key string, at *float64, unit, text string) Param {
	return Param{Key: key, At: at, Unit: unit, Text: text, Limits: ZeroOrMore}
}

// GainOf returns the gain of a behavior that steers: 2 kg/s by default. At 0, it pauses the behavior.
func GainOf(at *float64) Param {
	return Number("gain", at, "kg/s", "at most mass/dt").Or(2.).Pausing().AsGain()
}

// Count returns a required parameter: an integer, 0 or more.
func Count[T int | uint32](key string, at *T, text string) Param {
	l := anyInt
	if reflect.TypeFor[T]().Kind() == reflect.Uint32 {
		l = anyUint32
	}
	return Param{Key: key, At: at, Text: text, Limits: l}
}

// Switch returns a parameter that is off by default.
func Switch(key string, at *bool, text string) Param {
	return Param{Key: key, At: at, Text: text, Default: false}
}

// Point returns a required parameter that is a point in m.
func Point(key string, at *r2.Vec, text string) Param {
	return Param{Key: key, At: at, Unit: "m", Text: text}
}

// Area returns a parameter that is a box in m, zero by default.
func Area(key string, at *r2.Box, text string) Param {
	return Param{Key: key, At: at, Unit: "m", Text: text, Default: r2.Box{}}
}

// Entity returns a required parameter that is an entity: in scene files, the name of a group, or
// "pointer".
func Entity(key string, at *ecs.Entity, text string) Param {
	return Param{Key: key, At: at, Text: text}
}

// Or returns p with a default.
func (p Param) Or(x any) Param { p.Default = x; return p }

// Within returns p with other limits.
func (p Param) Within(l Limits) Param { p.Limits = l; return p }

// InFile returns p with other limits in scene files.
func (p Param) InFile(l Limits) Param { p.File = &l; return p }

// Pausing returns p with Pauses set.
func (p Param) Pausing() Param { p.Pauses = true; return p }

// Blinding returns p with Blind set.
func (p Param) Blinding() Param { p.Blind = true; return p }

// AsGain returns p with Gain set.
func (p Param) AsGain() Param { p.Gain = true; return p }

// InDegrees returns p as an angle in radians, but in degrees in scene files.
func (p Param) InDegrees() Param { p.Unit, p.Degrees = "rad", true; return p }

// OfScene returns p with Box set.
func (p Param) OfScene() Param { p.Box = true; return p }

// Of returns p as an index into the given list of a scene file.
func (p Param) Of(list string) Param { p.List = list; return p }

// KeptBy returns p with the given component as Keeper.
func (p Param) KeptBy(component any) Param { p.Keeper = component; return p }

// Older returns p with former keys.
func (p Param) Older(keys ...string) Param { p.Was = keys; return p }

// Reset sets the field to its default in scene files, or to zero if it has none.
func (p *Param) Reset() {
	to := reflect.ValueOf(p.At).Elem()
	if p.Default == nil {
		to.SetZero()
		return
	}
	to.Set(reflect.ValueOf(p.Default))
}

// Number returns the value of the parameter, and reports whether it is a number.
func (p *Param) Number() (float64, bool) {
	switch at := p.At.(type) {
	case *float64:
		return *at, true
	case *int:
		return float64(*at), true
	case *uint32:
		return float64(*at), true
	}
	return 0, false
}

// Problem returns a description of an invalid value, such as "is -1 m, want a finite number, 0 or more", or
// "" for a valid one.
func (p *Param) Problem() string {
	switch at := p.At.(type) {
	case *float64:
		if !p.Limits.Allow(*at) {
			return p.beyond(*at)
		}
	case *r2.Vec:
		if x := at.X - at.X + at.Y - at.Y; x != 0 {
			return fmt.Sprintf("is (%v, %v), want finite numbers", at.X, at.Y)
		}
	case *r2.Box:
		x, y := at.Max.X-at.Min.X, at.Max.Y-at.Min.Y
		if *at != (r2.Box{}) && !(x > 0 && y > 0 && x-x+y-y == 0) {
			return fmt.Sprintf("is %v, want finite sides above 0, or the zero box", *at)
		}
	default:
		if x, ok := p.Number(); ok && !p.Limits.Allow(x) {
			return p.beyond(x)
		}
	}
	return ""
}

func (p *Param) beyond(x float64) string {
	if p.Unit == "" {
		return fmt.Sprintf("is %v, want %v", x, p.Limits)
	}
	return fmt.Sprintf("is %v %s, want %v", x, p.Unit, p.Limits)
}

// Help returns the unit and the text, such as "m, radius of the orbit", with "; 0 pauses" if Pauses is set.
func (p *Param) Help() string {
	help := p.Unit
	if p.Degrees {
		help = "degrees"
	}
	if help != "" && p.Text != "" {
		help += ", "
	}
	if help += p.Text; p.Pauses {
		help += "; 0 pauses"
	}
	return help
}

func (p *Param) validate() error {
	at := reflect.TypeOf(p.At)
	switch p.At.(type) {
	case *float64, *bool, *int, *uint32, *r2.Vec, *r2.Box, *ecs.Entity:
	default:
		return fmt.Errorf("parameter %s: At has type %v, want a pointer to a float64, bool, int, uint32, r2.Vec, r2.Box or ecs.Entity", p.Key, at)
	}
	if t := reflect.TypeOf(p.Default); t != nil && t != at.Elem() {
		return fmt.Errorf("parameter %s has type %v, but its default %v has type %v", p.Key, at.Elem(), p.Default, t)
	}
	return nil
}
