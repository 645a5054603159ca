package scene

import (
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Value is one number for all agents of a group, or one for each.
type Value struct {
	All    float64
	Each   []float64 // where it is not empty, agent i has Each[i mod len]
	Spread *Spread   // where it is not nil, each agent's number is drawn from it
}

// Spread is a distribution: uniform from Min to Max, or, where SD is above 0,
// normal with that mean and standard deviation, cut off at Min and Max.
type Spread struct {
	Mean, SD float64
	Min, Max float64 // infinite: not cut off
}

// tails is how many standard deviations a draw can be away from the mean.
const tails = 6

// Same is the value v for all agents.
func Same(v float64) Value { return Value{All: v} }

// Zero tells whether the value is zero for all.
func (v Value) Zero() bool { return v.All == 0 && len(v.Each) == 0 && v.Spread == nil }

// of returns the number of the i-th agent, whose id is id. A drawn number is a
// hash of the seed, the id and the use.
func (v Value) of(seed, id, use uint64, i int) float64 {
	switch {
	case v.Spread != nil:
		return v.Spread.draw(seed, id, use)
	case len(v.Each) > 0:
		return v.Each[i%len(v.Each)]
	}
	return v.All
}

// draw draws a number. A normal one is the sum of twelve uniform ones less 6,
// which has the same bits everywhere; it is drawn again while it is outside the
// limits, and in the end moved to the nearer of them.
func (d *Spread) draw(seed, id, use uint64) float64 {
	if d.SD == 0 {
		return d.Min + float64((d.Max-d.Min)*frame.HashFloat(seed, id, 0, 4*use))
	}
	x := 0.
	for try := range uint64(16) {
		sum := 0.
		for k := range uint64(2 * tails) {
			sum += frame.HashFloat(seed, id, 2*tails*try+k, 4*use)
		}
		x = d.Mean + float64(d.SD*(sum-tails))
		if x >= d.Min && x <= d.Max {
			return x
		}
	}
	return min(max(x, d.Min), d.Max)
}

// least and most return bounds of the numbers of all agents.
func (v Value) least() float64 {
	switch d := v.Spread; {
	case d != nil && d.SD == 0:
		return d.Min
	case d != nil:
		return min(max(d.Mean-float64(tails*d.SD), d.Min), d.Max)
	case len(v.Each) > 0:
		return slices.Min(v.Each)
	}
	return v.All
}

func (v Value) most() float64 {
	switch d := v.Spread; {
	case d != nil && d.SD == 0:
		return d.Max
	case d != nil:
		return max(min(d.Mean+float64(tails*d.SD), d.Max), d.Min)
	case len(v.Each) > 0:
		return slices.Max(v.Each)
	}
	return v.All
}

// mean returns about the mean of the numbers of all agents: of a normal
// distribution that is cut off, the middle of it within the limits.
func (v Value) mean() float64 {
	switch d := v.Spread; {
	case d != nil && d.SD == 0:
		return d.Min + float64((d.Max-d.Min)/2)
	case d != nil:
		return min(max(d.Mean, d.Min), d.Max)
	case len(v.Each) > 0:
		sum := 0.
		for _, x := range v.Each {
			sum += x / float64(len(v.Each))
		}
		return sum
	}
	return v.All
}

// drawn is a Spread as it stands in a file.
type drawn struct {
	uniform, normal *r2.Vec
	min, max        float64
}

func (d *drawn) keys() []key {
	return []key{
		maybe("uniform", &d.uniform, pair("two numbers, [least, most]"), "the least and the greatest number, drawn evenly between them"),
		maybe("normal", &d.normal, pair("two numbers, [mean, deviation]"), "mean and standard deviation; no draw is more than 6 deviations from the mean"),
		may("min", &d.min, number(anyOrNone), math.Inf(-1), "with normal: drawn again while it is less"),
		may("max", &d.max, number(anyOrNone), math.Inf(1), "with normal: drawn again while it is more"),
	}
}

// pair is two numbers that are not a point.
func pair(want string) codec[r2.Vec] {
	c := vector
	c.read = func(r *reader, n *node) r2.Vec {
		if n.kind != isList || len(n.list) != 2 {
			r.wrong(n, want)
			return r2.Vec{}
		}
		return vector.read(r, n)
	}
	return c
}

// valueOf is a number, a list of numbers, or a distribution, within limits.
func valueOf(l catalog.Limits) codec[Value] {
	one, spread := number(l), tableOf((*drawn).keys)
	each := listOf(1, maxValues, one, "a list of one number or more")
	return codec[Value]{
		read: func(r *reader, n *node) Value {
			switch n.kind {
			case isNumber:
				return Same(one.read(r, n))
			case isList:
				return Value{Each: each.read(r, n)}
			case isTable:
				before := len(r.faults)
				v := Value{Spread: spread.read(r, n).spread(r, n)}
				if low, high := v.least(), v.most(); len(r.faults) == before && !(l.Allow(low) && l.Allow(high)) {
					r.fault(n.offset, "%s is drawn from %v to %v, want %v", r.at(), low, high, l)
				}
				return v
			}
			r.wrong(n, l.String()+", a list of them, {uniform = [least, most]} or {normal = [mean, deviation]}")
			return Value{}
		},
		write: func(w *writer, v Value) {
			switch d := v.Spread; {
			case d != nil && d.SD == 0:
				spread.write(w, drawn{uniform: &r2.Vec{X: d.Min, Y: d.Max}, min: math.Inf(-1), max: math.Inf(1)})
			case d != nil:
				spread.write(w, drawn{normal: &r2.Vec{X: d.Mean, Y: d.SD}, min: d.Min, max: d.Max})
			case len(v.Each) > 0:
				each.write(w, v.Each)
			default:
				one.write(w, v.All)
			}
		},
		schema: func() schema { return anyOf(one.schema(), each.schema(), spread.schema()) },
		keys:   spread.keys,
		binding: func(at *Value) *binding {
			return &binding{
				Limits: l,
				get:    func() float64 { return at.mean() },
				set:    func(x float64) { *at = Same(x) },
				keep:   func() func() { was := *at; return func() { *at = was } },
			}
		},
	}
}

// spread returns the distribution that a file describes.
func (d drawn) spread(r *reader, n *node) *Spread {
	switch {
	case (d.uniform == nil) == (d.normal == nil):
		r.fault(n.offset, "%s has %s, want one of uniform, normal", r.at(), either(d.uniform != nil, "uniform and normal", "neither uniform nor normal"))
	case d.uniform != nil && !(d.uniform.X <= d.uniform.Y):
		r.fault(n.offset, "%s.uniform is [%v, %v], want the least number first", r.at(), d.uniform.X, d.uniform.Y)
	case d.uniform != nil && !(math.IsInf(d.min, -1) && math.IsInf(d.max, 1)):
		r.fault(n.offset, "%s has min or max, which go with normal", r.at())
	case d.uniform != nil:
		return &Spread{Min: d.uniform.X, Max: d.uniform.Y}
	case !(d.normal.Y > 0):
		r.fault(n.offset, "%s.normal is [%v, %v], want a deviation above 0", r.at(), d.normal.X, d.normal.Y)
	case !(d.min <= d.max):
		r.fault(n.offset, "%s has min %v and max %v, want min ≤ max", r.at(), d.min, d.max)
	default:
		return &Spread{Mean: d.normal.X, SD: d.normal.Y, Min: d.min, Max: d.max}
	}
	return nil
}

func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// String returns the value for messages: a number, or its bounds.
func (v Value) String() string {
	if low, high := v.least(), v.most(); low != high {
		return fmt.Sprintf("%v to %v", low, high)
	}
	return fmt.Sprint(v.least())
}
