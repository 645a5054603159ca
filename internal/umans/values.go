package umans

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r2"
)

func anyNumber(float64) bool     { return true }
func aboveZero(x float64) bool   { return x > 0 }
func notNegative(x float64) bool { return x >= 0 }

// number reads attribute a of t into dst. UMANS computes in single precision,
// so a number that is not finite there is none here; squares and products of
// the others can't overflow.
func (r *reader) number(dst *float64, t tag, a xml.Attr, ok func(float64) bool, want string) error {
	x, err := strconv.ParseFloat(strings.TrimSpace(a.Value), 64)
	if err != nil || !(math.Abs(x) <= math.MaxFloat32) || !ok(x) {
		return r.bad(t, a, want)
	}
	*dst = x
	return nil
}

// boolean reads attribute a of t into dst, in the spellings that UMANS takes.
func (r *reader) boolean(dst *bool, t tag, a xml.Attr) error {
	switch strings.TrimSpace(a.Value) {
	case "true", "True", "TRUE", "1":
		*dst = true
	case "false", "False", "FALSE", "0":
		*dst = false
	default:
		return r.bad(t, a, "true or false")
	}
	return nil
}

// point reads an element whose attributes x and y are a place in metres.
func (r *reader) point(t tag) (r2.Vec, error) {
	var v r2.Vec
	if err := r.require(t, "x", "y"); err != nil {
		return v, err
	}
	err := r.element(t, func(a xml.Attr) error {
		dst := &v.X
		if a.Name.Local == "y" {
			dst = &v.Y
		}
		return r.number(dst, t, a, anyNumber, "a finite number")
	}, nil)
	return v, err
}

// require says which of the attributes t lacks.
func (r *reader) require(t tag, names ...string) error {
	for _, name := range names {
		if _, ok := t.attr(name); !ok {
			return r.fail(t.line, "<%s> without %s: want %s", t.name, name, strings.Join(names, " and "))
		}
	}
	return nil
}

func (r *reader) bad(t tag, a xml.Attr, want string) error {
	return r.fail(t.line, "<%s> %s=%q: want %s", t.name, a.Name.Local, clip(a.Value), want)
}
