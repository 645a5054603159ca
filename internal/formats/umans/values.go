package umans

import (
	"encoding/xml"
	"strings"

	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

func anyNumber(float64) bool     { return true }
func aboveZero(x float64) bool   { return x > 0 }
func notNegative(x float64) bool { return x >= 0 }

// number reads attribute a of t into dst.
func (r *reader) number(dst *float64, t textio.Tag, a xml.Attr, ok func(float64) bool, want string) error {
	x, wanted := textio.Number(a.Value, ok, want)
	if wanted != "" {
		return r.BadAttr(t, a, wanted)
	}
	*dst = x
	return nil
}

// boolean reads attribute a of t into dst, in the spellings that UMANS takes.
func (r *reader) boolean(dst *bool, t textio.Tag, a xml.Attr) error {
	switch strings.TrimSpace(a.Value) {
	case "true", "True", "TRUE", "1":
		*dst = true
	case "false", "False", "FALSE", "0":
		*dst = false
	default:
		return r.BadAttr(t, a, "true or false")
	}
	return nil
}

// point reads an element whose attributes x and y are a place in meters.
func (r *reader) point(t textio.Tag) (r2.Vec, error) {
	var v r2.Vec
	if err := r.Require(t, "x", "y"); err != nil {
		return v, err
	}
	err := r.Element(t, func(a xml.Attr) error {
		dst := &v.X
		if a.Name.Local == "y" {
			dst = &v.Y
		}
		return r.number(dst, t, a, anyNumber, "a finite number")
	}, nil)
	return v, err
}
