package main

import (
	"math"
	"strings"
	"testing"
)

func TestPlotTicks(t *testing.T) {
	for _, test := range []struct {
		lo, hi float64
		log    bool
		want   string
	}{
		{0, 1, false, "0 0.2 0.4 0.6 0.8 1"},
		{0, 30e3, false, "0 5,000 10,000 15,000 20,000 25,000 30,000"},
		{-3, 2, false, "-3 -2 -1 0 1 2"},
		{5, 5, false, "4 4.5 5 5.5 6"},
		{0.001, 0.0013, false, "0.001 0.00105 0.0011 0.00115 0.0012 0.00125 0.0013"},
		{1, 1e6, true, "1 10 100 1,000 10,000 100,000 1,000,000"},
		{2, 30, true, "2 5 10 20"},
		{1e-300, 1e300, true, ""},
		{-1e300, 1e300, false, ""},
	} {
		s := plotScale{log: test.log, ticks: 7}
		s.add(test.lo, test.hi, math.NaN(), math.Inf(1))
		p := newPanel(&lightStyle, "", "", "")
		s.apply(&p.X)
		var got []string
		for _, tick := range p.X.Tick.Marker.Ticks(0, 0) {
			if tick.Label != "" {
				got = append(got, tick.Label)
			}
		}
		if text := strings.Join(got, " "); test.want != "" && text != test.want || len(got) < 2 || len(got) > 12 {
			t.Errorf("%v to %v: got=%s, want=%s", test.lo, test.hi, text, test.want)
		}
	}
}

func TestBins(t *testing.T) {
	for _, test := range []struct {
		values       []float64
		first, width float64
		n            int
	}{
		{nil, 0, 1, 1},
		{[]float64{7, 7}, 4.5, 1, 5},
		{[]float64{1, 2, 3, 3}, 0.5, 1, 3},
		{[]float64{0, 100}, 0, 20, 6},
		{[]float64{-1e300, 1e300}, 0, 0, 0},
	} {
		first, width, n := binsOf(test.values, true)
		if test.n > 0 && (first != test.first || width != test.width || n != test.n) || n > 60 {
			t.Errorf("%v: got=%v + %d × %v, want=%v + %d × %v", test.values, first, n, width, test.first, test.n, test.width)
		}
	}
}
