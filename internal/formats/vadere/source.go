package vadere

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

func (r *reader) source(s *Scenario) error {
	// Versions before 2.0 have the keys of the spawner in the source itself.
	o := Source{Line: r.next(), Count: 1, Most: -1}
	var sizes []float64
	kind := "PEDESTRIAN"
	number := func(x *float64) func() error {
		return func() error { return r.time(x, textio.NotNegative, "a time of at least 0") }
	}
	count := func() error { return r.integer(&o.Count, 0) }
	most := func() error { return r.integer(&o.Most, -1) }
	pedestrian := func() error { return r.pedestrian(&o.Pedestrian) }
	var every named
	err := r.element("source", &o.Shape, &o.ID, fields{
		"targetIds": func() error { return r.ids(&o.Targets) },
		"groupSizeDistribution": func() error {
			return r.list(func() error {
				x := 0.
				err := r.number(&x, textio.NotNegative, "a share of 0 or more")
				sizes = append(sizes, x)
				return err
			})
		},
		"spawner": func() error {
			return r.object("spawner", fields{
				"constraintsElementsMax": most,
				"constraintsTimeStart":   number(&o.Start),
				"constraintsTimeEnd":     number(&o.End),
				"eventElementCount":      count,
				"eventElement":           pedestrian,
				"distribution":           func() error { return r.distribution(&every) },
			})
		},
		"spawnNumber":                count,
		"maxSpawnNumberTotal":        most,
		"startTime":                  number(&o.Start),
		"endTime":                    number(&o.End),
		"attributesPedestrian":       pedestrian,
		"dynamicElementType":         func() error { return r.text(&kind) },
		"interSpawnTimeDistribution": func() error { return r.text(&every.kind) },
		"distributionParameters":     func() error { return r.parameters(&every) },
		"spawnDelay":                 func() error { return r.number(&every.delay, textio.AnyNumber, "a time in seconds") },
	})
	if err != nil {
		return err
	}
	switch {
	case o.End < o.Start:
		r.log.Add(func() string {
			return r.failAt(o.Line, "%s ends at %v s, before it starts at %v s: no one comes", r.at(), o.End, o.Start).Error()
		})
		o.Count = 0
	case !o.Once():
		if o.Every, err = r.chosen(&every); err != nil {
			return err
		}
	}
	o.Cars = kind == "CAR"
	o.Groups = len(sizes) > 1 && slices.ContainsFunc(sizes[1:], func(x float64) bool { return x > 0 })
	s.Sources = append(s.Sources, o)
	return nil
}

// Distribution says how long a time is.
type Distribution struct {
	Kind      DistributionKind
	Mean      float64 // s
	Deviation float64 // s, of Normal
	Counts    []int   // of TimeSeries: how many times there are in each interval
	Length    float64 // s, of an interval
}

// DistributionKind is the kind of a distribution; 0: there is none.
type DistributionKind int

const (
	Constant DistributionKind = iota + 1
	Exponential
	Normal // not below 0
	TimeSeries
)

// distribution reads one as versions from 2.0 on write it.
func (r *reader) distribution(n *named) error {
	parameters := r.named(n)
	parameters["type"] = func() error { return r.text(&n.kind) }
	return r.object("distribution", parameters)
}

// named is a distribution with all parameters that one can have.
type named struct {
	kind                                     string
	numbers                                  []float64 // without names, before version 1.16
	delay                                    float64   // before version 0.3: always the same time
	frequency, mean, deviation, rate, length float64
	counts                                   []int
}

// named are the parameters by their names.
func (r *reader) named(n *named) fields {
	positive := func(x *float64) func() error {
		return func() error { return r.number(x, textio.AboveZero, "a number above 0") }
	}
	return fields{
		"updateFrequency":     func() error { return r.time(&n.frequency, textio.NotNegative, "a time of at least 0") }, // s, though it is called so
		"mean":                positive(&n.mean),
		"sd":                  func() error { return r.number(&n.deviation, textio.NotNegative, "a number of 0 or more") },
		"numberPedsPerSecond": positive(&n.rate),
		"intervalLength":      positive(&n.length),
		"spawnsPerInterval": func() error {
			return r.list(func() error {
				count := 0
				err := r.integer(&count, 0)
				n.counts = append(n.counts, count)
				return err
			})
		},
	}
}

// parameters reads those of a version before 2.0: a list, or an object.
func (r *reader) parameters(n *named) error {
	if r.begins("{") {
		return r.object("distribution", r.named(n))
	}
	return r.list(func() error {
		x := 0.
		err := r.number(&x, textio.NotNegative, "a number of 0 or more")
		n.numbers = append(n.numbers, x)
		return err
	})
}

// chosen returns the distribution that is named.
func (r *reader) chosen(n *named) (Distribution, error) {
	if n.kind == "" && n.delay > 0 {
		return Distribution{Kind: Constant, Mean: n.delay}, nil
	}
	// Such as org.vadere.state.attributes.distributions.AttributesConstantDistribution.
	kind := n.kind[strings.LastIndexByte(n.kind, '.')+1:]
	kind = strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(kind, "Attributes"), "Distribution"))
	for i, x := range []*float64{&n.mean, &n.deviation} {
		if i < len(n.numbers) {
			*x = n.numbers[i]
		}
	}
	d := Distribution{Mean: n.mean}
	switch kind {
	case "constant":
		if d.Kind = Constant; n.frequency > 0 {
			d.Mean = n.frequency
		}
	case "negativeexponential":
		d.Kind = Exponential
	case "poisson":
		if n.rate == 0 {
			n.rate = n.mean
		}
		d.Kind, d.Mean = Exponential, 1/n.rate
	case "normal":
		d.Kind, d.Deviation = Normal, n.deviation
	case "timeseries":
		d = Distribution{Kind: TimeSeries, Mean: 1, Counts: n.counts, Length: n.length}
		if d.Length == 0 || len(d.Counts) == 0 {
			return d, r.fail("has a time series without intervals, want intervalLength and spawnsPerInterval")
		}
	default:
		return d, r.fail("has the distribution %q, want constant, negativeExponential, poisson, normal or timeSeries", n.kind)
	}
	if !(d.Mean > 0 && d.Mean <= maxTime) {
		return d, r.fail("has the distribution %q without a time, want one above 0 s", n.kind)
	}
	return d, nil
}

// processWriters reads the lines across which Vadere counts people. What else is in this part
// belongs to its output, and may be anything.
func (r *reader) processWriters(s *Scenario) error {
	if !r.begins("{") {
		return r.skip() // before version 0.1
	}
	return r.object("processWriters", fields{"processors": func() error {
		if !r.begins("[") {
			return r.skip()
		}
		return r.list(func() error {
			var p struct {
				Type       string
				Attributes struct{ P1, P2 *struct{ X, Y float64 } }
			}
			err := r.dec.Decode(&p)
			if a := p.Attributes; err == nil && a.P1 != nil && a.P2 != nil && strings.HasSuffix(p.Type, ".PedestrianLineCrossProcessor") && *a.P1 != *a.P2 {
				s.Lines = append(s.Lines, [2]r2.Vec{r2.Vec(*a.P1), r2.Vec(*a.P2)})
			}
			if _, is := err.(*json.UnmarshalTypeError); is {
				return nil
			}
			return r.located(err)
		})
	}})
}
