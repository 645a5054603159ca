package catalog

import (
	"fmt"
	"reflect"

	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Param describes a parameter of a behavior, which is a field of the behavior's component.
type Param struct {
	Key  string   // key in the behavior's table of a scene file; empty means that the value replaces the table
	Was  []string // older keys, which are still accepted
	At   any      // pointer to the field: a *float64, *bool, *int, *uint32, *r2.Vec, *r2.Box or *ecs.Entity
	Unit string   // such as m or kg/s; empty means none
	Text string   // description

	Limits  Limits  // limits of a number
	File    *Limits // narrower limits in scene files; nil means Limits
	Default any     // default in scene files, of the type of the field; nil means required
	Degrees bool    // the parameter is in radians, but in degrees in scene files

	Gain   bool // the force is proportional to the parameter, which is at most mass/dt if the unit is kg/s
	Pauses bool // 0 pauses the behavior
	Blind  bool // at 0 the behavior continues, but sees almost nothing

	Box    bool   // the default in a scene file is the box of the scene
	List   string // name of the list in a scene file that the parameter is an index into, such as paths
	Keeper any    // for a point: the component that sets it to an entity's position; scene files may name the entity instead
}

// Number returns a required parameter that is a finite number, 0 or more.
func Number(key string, at *float64, unit, text string) Param {
	return Param{Key: key, At: at, Unit: unit, Text: text, Limits: ZeroOrMore}
}

// GainOf returns the gain of a behavior that steers: 2 kg/s by default; 0 pauses the behavior.
func GainOf(at *float64) Param {
	return Number("gain", at, "kg/s", "at most mass/dt").Or(2.).Pausing().AsGain()
}

// Count returns a required parameter that is an integer, 0 or more.
func Count[T int | uint32](key string, at *T, text string) Param {
	l := anyInt
	if reflect.TypeFor[T]().Kind() == reflect.Uint32 {
		l = anyUint32
	}
	return Param{Key: key, At: at, Text: text, Limits: l}
}

// Switch returns a parameter that is on or off, by default off.
func Switch(key string, at *bool, text string) Param {
	return Param{Key: key, At: at, Text: text, Default: false}
}

// Point returns a required parameter that is a point.
func Point(key string, at *r2.Vec, text string) Param {
	return Param{Key: key, At: at, Unit: "m", Text: text}
}

// Area returns a parameter that is a box, by default the zero box.
func Area(key string, at *r2.Box, text string) Param {
	return Param{Key: key, At: at, Unit: "m", Text: text, Default: r2.Box{}}
}

// Entity returns a parameter that is another entity. In a scene file it is the name of a group, or
// "pointer".
func Entity(key string, at *ecs.Entity, text string) Param {
	return Param{Key: key, At: at, Text: text}
}

// Or returns the parameter with a default.
func (p Param) Or(x any) Param { p.Default = x; return p }

// Within returns the parameter with other limits.
func (p Param) Within(l Limits) Param { p.Limits = l; return p }

// InFile returns the parameter with other limits in scene files.
func (p Param) InFile(l Limits) Param { p.File = &l; return p }

// Pausing returns the parameter, marked as one that pauses the behavior at 0.
func (p Param) Pausing() Param { p.Pauses = true; return p }

// Blinding returns the parameter, marked as one that, at 0, lets the behavior see almost nothing.
func (p Param) Blinding() Param { p.Blind = true; return p }

// AsGain returns the parameter, marked as the one that the force is proportional to.
func (p Param) AsGain() Param { p.Gain = true; return p }

// InDegrees returns the parameter, marked as an angle in radians that scene files and help texts give in degrees.
func (p Param) InDegrees() Param { p.Unit, p.Degrees = "rad", true; return p }

// OfScene returns the parameter, marked as a box whose default in a scene file is the box of the scene.
func (p Param) OfScene() Param { p.Box = true; return p }

// Of returns the parameter, marked as an index into the list with this name in a scene file.
func (p Param) Of(list string) Param { p.List = list; return p }

// KeptBy returns the parameter, marked as a point that the given component sets to an entity's position.
func (p Param) KeptBy(component any) Param { p.Keeper = component; return p }

// Older returns the parameter with the given keys as former keys.
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

// Number returns the value of a numeric parameter, or false for any other parameter.
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

// Problem describes an invalid value, such as "is -1 m, want a finite number, 0 or more". It returns
// "" if the value is valid.
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

// Help returns the unit in scene files and the text, such as "m, distance at which it passes". It adds
// "; 0 pauses" if Pauses is set.
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

// validate returns an error if the parameter is contradictory.
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
