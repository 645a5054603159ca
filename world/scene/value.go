package scene

import (
	"fmt"
	"slices"

	"github.com/8f878440/crowd/systems/catalog"
	"gonum.org/v1/gonum/spatial/r2"
)

// Value is one number for all agents of a group, or one for each.
type Value struct {
	All    float64
	Each   []float64 // where it is not empty, agent i has Each[i mod len]
	Spread *Spread   // where it is not nil, each agent's number is drawn from it
	ByAge  bool      // what the others say are ages in years, and the number is the speed that people walk at: see WalkingSpeed
}

// Same is the value v for all agents.
func Same(v float64) Value { return Value{All: v} }

// Zero reports whether the value is zero for all.
func (v Value) Zero() bool { return v.All == 0 && len(v.Each) == 0 && v.Spread == nil }

// of returns the number of the i-th agent, whose id is id. A drawn number is a
// hash of the seed, the id and the use.
func (v Value) of(seed, id, use uint64, i int) float64 {
	if v.ByAge {
		v.ByAge = false
		return WalkingSpeed(v.of(seed, id, use, i))
	}
	switch {
	case v.Spread != nil:
		return v.Spread.draw(seed, id, use)
	case len(v.Each) > 0:
		return v.Each[i%len(v.Each)]
	}
	return v.All
}

// least and most return bounds of the numbers of all agents.
func (v Value) least() float64 {
	if v.ByAge {
		v.ByAge = false
		return WalkingSpeed(v.most()) // the older, the slower
	}
	switch {
	case v.Spread != nil:
		low, _ := v.Spread.bounds()
		return low
	case len(v.Each) > 0:
		return slices.Min(v.Each)
	}
	return v.All
}

func (v Value) most() float64 {
	if v.ByAge {
		v.ByAge = false
		return WalkingSpeed(v.least())
	}
	switch {
	case v.Spread != nil:
		_, high := v.Spread.bounds()
		return high
	case len(v.Each) > 0:
		return slices.Max(v.Each)
	}
	return v.All
}

// mean returns about the mean of the numbers of all agents: of a distribution
// that is cut off, its mean within the limits.
func (v Value) mean() float64 {
	if v.ByAge {
		v.ByAge = false
		return WalkingSpeed(v.mean())
	}
	switch {
	case v.Spread != nil:
		return v.Spread.mean()
	case len(v.Each) > 0:
		sum := 0.
		for _, x := range v.Each {
			sum += x / float64(len(v.Each))
		}
		return sum
	}
	return v.All
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
			r.wrong(n, l.String()+", a list of them, {uniform = [least, most]}, {normal = [mean, deviation]}, or another distribution")
			return Value{}
		},
		write: func(w *writer, v Value) {
			switch {
			case v.Spread != nil:
				spread.write(w, v.Spread.inFile())
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
