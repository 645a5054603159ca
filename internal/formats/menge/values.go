package menge

import (
	"encoding/xml"
	"math"
	"strings"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// limit is what a number may be.
type limit struct {
	ok   func(float64) bool
	want string
}

var (
	anyNumber   = limit{func(float64) bool { return true }, "a finite number"}
	aboveZero   = limit{func(x float64) bool { return x > 0 }, "a number above 0"}
	notNegative = limit{func(x float64) bool { return x >= 0 }, "a number of at least 0"}
	wholeNumber = limit{func(x float64) bool { return x >= 0 && x == math.Trunc(x) && x <= 1e9 }, "a whole number from 0 to 1000000000"}
)

func ignore(xml.Attr) error { return nil }

// first returns the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// number reads an attribute into dst, which stays as it is if there is none.
func (r *reader) number(dst *float64, t textio.Tag, name string, l limit) error {
	a, ok := t.Attr(name)
	if !ok {
		return nil
	}
	x, wanted := textio.Number(a.Value, l.ok, l.want)
	if wanted != "" {
		return r.BadAttr(t, a, wanted)
	}
	*dst = x
	return nil
}

// needed is number for an attribute that has to be there.
func (r *reader) needed(dst *float64, t textio.Tag, name string, l limit) error {
	return first(r.Require(t, name), r.number(dst, t, name, l))
}

// point reads two attributes that have to be there as a place in meters.
func (r *reader) point(t textio.Tag, x, y string) (v r2.Vec, err error) {
	err = first(r.Require(t, x, y), r.number(&v.X, t, x, anyNumber), r.number(&v.Y, t, y, anyNumber))
	return v, err
}

// flag reads an attribute that is 0 or 1; otherwise if there is none.
func (r *reader) flag(t textio.Tag, name string, otherwise bool) (bool, error) {
	a, ok := t.Attr(name)
	if !ok {
		return otherwise, nil
	}
	switch strings.ToLower(strings.TrimSpace(a.Value)) {
	case "1", "true":
		return true, nil
	case "0", "false":
		return false, nil
	}
	return false, r.BadAttr(t, a, "0 or 1")
}

// oneOf reads an attribute that is one of some words.
func (r *reader) oneOf(t textio.Tag, name string, words ...string) (string, error) {
	if err := r.Require(t, name); err != nil {
		return "", err
	}
	a, _ := t.Attr(name)
	for _, w := range words {
		if a.Value == w {
			return w, nil
		}
	}
	return "", r.BadAttr(t, a, textio.Alternatives("?", words, nil))
}

// draw is a number, or a distribution of numbers: from low to high, or normal by the sum of
// twelve uniform numbers, within three deviations.
type draw struct {
	normal    bool
	low, high float64 // of a normal one the mean and the deviation
}

func constant(x float64) draw { return draw{low: x, high: x} }

// of returns the number of a hash.
func (d draw) of(h uint64) float64 {
	if !d.normal {
		return d.low + float64((d.high-d.low)*hash.Float(hash.Mix(h)))
	}
	sum := -6.
	for i := range uint64(12) {
		sum += hash.Float(hash.Mix(h + i))
	}
	return d.low + float64(d.high*min(max(sum, -3), 3))
}

// distribution reads the attributes of a distribution, whose names begin with a prefix.
func (r *reader) distribution(t textio.Tag, prefix string, l limit) (d draw, err error) {
	kind, err := r.oneOf(t, prefix+"dist", "c", "u", "n")
	switch {
	case err != nil:
		return d, err
	case kind == "c":
		err = r.needed(&d.low, t, prefix+"value", l)
		d.high = d.low
	case kind == "u":
		err = first(r.needed(&d.low, t, prefix+"min", l), r.needed(&d.high, t, prefix+"max", l))
		d.low, d.high = min(d.low, d.high), max(d.low, d.high)
	default:
		d.normal = true
		err = first(r.needed(&d.low, t, prefix+"mean", anyNumber), r.needed(&d.high, t, prefix+"stddev", notNegative))
		if least := d.low - 3*d.high; err == nil && !l.ok(least) {
			return d, r.Fail(t.Line, "<%s> %smean=%v, %sstddev=%v, so that numbers may be %v: want %s", t.Name, prefix, d.low, prefix, d.high, least, l.want)
		}
	}
	return d, err
}
