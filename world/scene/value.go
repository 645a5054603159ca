package scene

import (
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/systems/catalog"
)

// Value is a number for each agent of a group.
type Value struct {
	All    float64   // for all agents, unless Each or Spread is set
	Each   []float64 // if not empty, agent i has Each[i mod len], unless Spread is set
	Spread *Spread   // if not nil, each agent's number is drawn from it
	ByAge  bool      // the other fields are ages, in years, and the number is the walking speed, in m/s, at that age (Weidmann 1993)
}

// Same returns the Value v for all agents.
func Same(v float64) Value { return Value{All: v} }

// Zero reports whether All is 0 and neither Each nor Spread is set.
func (v Value) Zero() bool { return v.All == 0 && len(v.Each) == 0 && v.Spread == nil }

func (v Value) of(seed, id, use uint64, i int) float64 {
	return v.over(func(d *Spread) float64 { return d.draw(seed, id, use) }, func(all []float64) float64 { return all[i%len(all)] })
}

func (v Value) over(spread func(*Spread) float64, each func([]float64) float64) float64 {
	x := v.All
	switch {
	case v.Spread != nil:
		x = spread(v.Spread)
	case len(v.Each) > 0:
		x = each(v.Each)
	}
	if v.ByAge {
		return speedAtAge(x)
	}
	return x
}

func (v Value) least() float64 { return v.bound(!v.ByAge) } // speed falls with age

// Most returns an upper bound on the numbers of all agents.
func (v Value) Most() float64 { return v.bound(v.ByAge) }

func (v Value) bound(lower bool) float64 {
	if lower {
		return v.over(func(d *Spread) float64 { low, _ := d.bounds(); return low }, slices.Min[[]float64])
	}
	return v.over(func(d *Spread) float64 { _, high := d.bounds(); return high }, slices.Max[[]float64])
}

func (v Value) mean() float64 {
	return v.over((*Spread).mean, func(all []float64) float64 {
		sum := 0.
		for _, x := range all {
			sum += x / float64(len(all))
		}
		return sum
	})
}

func valueOf(l catalog.Limits) codec[Value] {
	one, spread := number(l), tableOf((*drawn).keys)
	each := listOf(1, maxValues, one, "a list of one or more numbers")
	return codec[Value]{
		read: func(r *reader, n *node) Value {
			switch n.kind {
			case isNumber:
				return Same(one.read(r, n))
			case isList:
				return Value{Each: each.read(r, n)}
			case isTable:
				before := r.count()
				v := Value{Spread: spread.read(r, n).spread(r, n)}
				if low, high := v.least(), v.Most(); r.count() == before && !(l.Allow(low) && l.Allow(high)) {
					r.fault(n.offset, "%s is drawn from %v to %v, want %v", r.at(), low, high, l)
				}
				return v
			}
			r.wrong(n, l.String()+", a list of such numbers, {uniform = [minimum, maximum]}, {normal = [mean, deviation]}, or another distribution")
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

// String formats the value for messages, as a number or, if agents differ, as bounds.
func (v Value) String() string {
	if low, high := v.least(), v.Most(); low != high {
		return fmt.Sprintf("%v to %v", low, high)
	}
	return fmt.Sprint(v.least())
}

// Parameter is a number of a scene that Tune can change. Min, Max and Step are for a slider. Every value
// from Min to Max is allowed while the other numbers stay the same; other values may be allowed too.
type Parameter struct {
	Name    string  // path in a scene file, such as groups[0].arrival.slowing-radius
	Group   int     // index; -1 means the whole scene
	Section string  // table in the group or scene, such as arrival; may be empty
	Label   string  // key, such as slowing-radius
	Help    string  // description, starting with the unit, if any
	Value   float64 // may be outside Min and Max, or infinite

	Min, Max float64 // finite
	Step     float64 // above 0, a power of ten
}

// Parameters returns all numbers that Tune can change, in the order of a scene file: first those of the
// scene, then those of each group. It omits numbers that cannot change because of other numbers, and numbers
// that a group lacks, except mass and radius, which Tune can add. For a number that differs between agents,
// Value is the approximate mean.
func (s *Scene) Parameters() []Parameter {
	var all []Parameter
	add := func(keys []boundKey, g *Group, wrong func() bool) {
		for _, k := range keys {
			p := Parameter{Name: k.name, Group: k.group, Section: k.section, Label: k.key.name, Help: k.text, Value: k.get()}
			restore, limits := k.keep(), k.Limits
			if unitOf(p.Help) == "degrees" {
				limits.Max = min(limits.Max, max(p.Value, fullTurn))
			}
			p.span(limits, s.usual(g, &p), func(x float64) bool { k.set(x); return k.Allow(x) && !wrong() })
			restore()
			if p.Min < p.Max {
				all = append(all, p)
			}
		}
	}
	trial := *s
	if s.Pointer != nil {
		p := *s.Pointer
		trial.Pointer = &p
	}
	add(trial.sceneNumbers(), nil, func() bool { return len(trial.problems()) > 0 })
	noBox := s.noBox()
	for i := range s.Groups {
		g, broken := s.Groups[i].shallow(), false
		g.formProblems(s, noBox, func(wrong bool, _, _ string, _ ...any) { broken = broken || wrong })
		add(tunableOf(s.groupKeys(&g), fmt.Sprintf("groups[%d].", i), "", i), &g, func() (is bool) {
			g.numberProblems(s, func(wrong bool, _, _ string, _ ...any) { is = is || wrong })
			return is || broken
		})
	}
	return all
}

const fullTurn = 360

// span sets Min, Max and Step. Max is at most about four times the value or, if the value is infinite or
// not above 0, about the parameter usual.
func (p *Parameter) span(l catalog.Limits, usual float64, allowed func(x float64) bool) {
	value, top := p.Value, usual
	if value > 0 && !math.IsInf(value, 1) {
		top = 4 * value
	}
	const huge = 1e100 // keeps steps finite and above 0
	high := min(nice(min(max(top, 1/huge), huge)), l.Max)
	low := max(l.Min, -high)
	places := magnitude(high) - 2
	if l.Above && low == l.Min {
		low += tens(1, places)
	}
	from := min(max(value, low), high)
	low, high = farthestOf(from, low, allowed), farthestOf(from, high, allowed)
	for range 4 { // refine the step until the range includes the value
		const rounding = 1e-6 // in steps
		p.Step = tens(1, places)
		p.Min = tens(math.Ceil(low/p.Step-rounding)+0, places) // + 0 turns -0 into 0
		p.Max = tens(math.Floor(high/p.Step+rounding), places)
		if p.Min <= from && from <= p.Max {
			break
		}
		places--
	}
}

// farthestOf returns the allowed number farthest from x, between x and the parameter end, with a precision of
// a millionth of the range or of three significant digits.
func farthestOf(x, end float64, allowed func(float64) bool) float64 {
	if allowed(end) {
		return end
	}
	good, bad := x, end
	for range 20 {
		if mid := good + float64((bad-good)/2); allowed(mid) {
			good = mid
		} else {
			bad = mid
		}
	}
	// The exact limit is probably a round number.
	places := magnitude(good) - 2
	if round := tens(math.Round(good/tens(1, places)), places); math.Abs(round-x) >= math.Abs(good-x) && allowed(round) {
		return round
	}
	return good
}

func magnitude(x float64) int {
	if x == 0 {
		return 0
	}
	return int(math.Floor(math.Log10(math.Abs(x))))
}

func tens(n float64, places int) float64 {
	if places < 0 {
		return n / math.Pow10(-places)
	}
	return n * math.Pow10(places)
}

// nice returns the smallest round number that is at least x, for x > 0.
func nice(x float64) float64 {
	places := magnitude(x) - 1
	for _, n := range []float64{10, 15, 20, 30, 40, 50, 60, 80} {
		if round := tens(n, places); round >= x*(1-1e-9) {
			return round
		}
	}
	return tens(100, places)
}

// usual returns the upper end of a slider for a value that does not indicate one. A force at that end stops an
// agent within four steps, and a gain has a time constant of eight steps, also in pixels and frames.
func (s *Scene) usual(g *Group, p *Parameter) float64 {
	or := func(x, otherwise float64) float64 {
		if x > 0 && !math.IsInf(x, 1) {
			return x
		}
		return otherwise
	}
	mass, speed := 1., 0.
	if g != nil {
		mass, speed = or(g.Mass.mean(), 1), g.MaxSpeed.mean()
	}
	switch side := min(s.Box.Max.X-s.Box.Min.X, s.Box.Max.Y-s.Box.Min.Y); unitOf(p.Help) {
	case "m":
		if p.Section == "" { // radius of the body
			return or(side/40, 2)
		}
		return or(side/2, 20)
	case "m/s":
		return or(4*speed, 6)
	case "N":
		return or(4*mass*speed/(15*s.Dt), 20)
	case "kg/s":
		return or(mass/(8*s.Dt), 8)
	case "1/s", "rad/s":
		return or(1/(10*s.Dt), 6)
	case "degrees":
		return fullTurn
	}
	return 4
}
