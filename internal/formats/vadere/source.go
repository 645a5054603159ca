package vadere

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

var timeFrom0 = textio.NotNegative("a time of at least 0")

func (r *reader) source(s *Scenario) error {
	// Before version 2.0, the keys of the spawner are in the source itself.
	o := Source{Line: r.next(), Count: 1, Most: -1}
	var sizes []float64
	kind := "PEDESTRIAN"
	start, end := r.time(&o.Start, timeFrom0), r.time(&o.End, timeFrom0)
	count, most := r.integer(&o.Count, 0), r.integer(&o.Most, -1)
	var every named
	err := r.element("source", &o.Shape, &o.ID, fields{
		"targetIds":             each(r, &o.Targets, r.id),
		"groupSizeDistribution": r.numbers(&sizes, "a share of 0 or more"),
		"spawner": r.object("spawner", fields{
			"constraintsElementsMax": most,
			"constraintsTimeStart":   start,
			"constraintsTimeEnd":     end,
			"eventElementCount":      count,
			"eventElement":           r.pedestrian(&o.Pedestrian),
			"distribution":           r.distribution(&every),
		}),
		"spawnNumber":                count,
		"maxSpawnNumberTotal":        most,
		"startTime":                  start,
		"endTime":                    end,
		"attributesPedestrian":       r.pedestrian(&o.Pedestrian),
		"dynamicElementType":         r.text(&kind),
		"interSpawnTimeDistribution": r.text(&every.kind),
		"distributionParameters":     func() error { return r.parameters(&every) },
		"spawnDelay":                 r.number(&every.delay, textio.AnyNumber("a time in seconds")),
	})
	if err != nil {
		return err
	}
	switch {
	case o.End < o.Start:
		r.warn(o.Line, "%s ends at %v s, before it starts at %v s: it produces no people", r.at(), o.End, o.Start)
		o.Count = 0
	case !o.Once():
		if o.Every, err = r.chosen(&every); err != nil {
			return err
		}
	}
	o.Cars = kind == "CAR"
	o.Groups = len(sizes) > 1 && slices.Max(sizes[1:]) > 0
	s.Sources = append(s.Sources, o)
	return nil
}

func (r *reader) numbers(all *[]float64, want string) func() error {
	return each(r, all, func(x *float64) func() error { return r.number(x, textio.NotNegative(want)) })
}

// Distribution is a distribution of times.
type Distribution struct {
	Kind      DistributionKind
	Mean      float64 // s
	Deviation float64 // s, for Normal
	Counts    []int   // for TimeSeries: number of events in each interval
	Length    float64 // s, length of an interval
}

// DistributionKind is the kind of a distribution; 0 means none.
type DistributionKind int

const (
	Constant DistributionKind = iota + 1
	Exponential
	Normal // not below 0
	TimeSeries
)

type named struct {
	kind                                     string
	numbers                                  []float64 // parameters without names, before version 1.16
	delay                                    float64   // s, mean of a constant distribution, before version 0.3
	frequency, mean, deviation, rate, length float64
	counts                                   []int
}

// distribution reads a distribution of version 2.0 or later.
func (r *reader) distribution(n *named) func() error {
	f := r.named(n)
	f["type"] = r.text(&n.kind)
	return r.object("distribution", f)
}

func (r *reader) named(n *named) fields {
	positive := textio.AboveZero("a number above 0")
	return fields{
		"updateFrequency":     r.time(&n.frequency, timeFrom0), // an interval, despite the key
		"mean":                r.number(&n.mean, positive),
		"sd":                  r.number(&n.deviation, textio.NotNegative("a number of 0 or more")),
		"numberPedsPerSecond": r.number(&n.rate, positive),
		"intervalLength":      r.number(&n.length, positive),
		"spawnsPerInterval":   each(r, &n.counts, func(n *int) func() error { return r.integer(n, 0) }),
	}
}

// parameters reads the parameters of a distribution before version 2.0: a list or an object.
func (r *reader) parameters(n *named) error {
	if r.begins("{") {
		return r.object("distribution", r.named(n))()
	}
	return r.numbers(&n.numbers, "a number of 0 or more")()
}

func (r *reader) chosen(n *named) (Distribution, error) {
	if n.kind == "" && n.delay > 0 {
		return Distribution{Kind: Constant, Mean: min(n.delay, maxTime)}, nil
	}
	// The kind can be org.vadere.state.attributes.distributions.AttributesConstantDistribution, for example.
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
		d.Kind, d.Mean = Constant, cmp.Or(n.frequency, n.mean)
	case "negativeexponential":
		d.Kind = Exponential
	case "poisson":
		d.Kind, d.Mean = Exponential, 1/cmp.Or(n.rate, n.mean)
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
	if !(d.Mean > 0) || math.IsInf(d.Mean, 1) {
		return d, r.fail("has the distribution %q without a time, want a time above 0 s", n.kind)
	}
	d.Mean = min(d.Mean, maxTime) // as in reader.time
	return d, nil
}

// processWriters reads only the lines across which Vadere counts people.
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
				Attributes struct{ P1, P2 *r2.Vec }
			}
			err := r.dec.Decode(&p)
			a, b := p.Attributes.P1, p.Attributes.P2
			if err == nil && a != nil && b != nil && *a != *b && strings.HasSuffix(p.Type, ".PedestrianLineCrossProcessor") {
				s.Lines = append(s.Lines, [2]r2.Vec{*a, *b})
			}
			if _, is := err.(*json.UnmarshalTypeError); is {
				return nil
			}
			return r.located(err)
		})()
	}})()
}
