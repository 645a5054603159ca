package sheet

import (
	"math"
	"strings"
	"testing"
)

func TestEvenTicks(t *testing.T) {
	for _, test := range []struct {
		most float64
		want string
		n    int
	}{{1, "1", 6}, {1.9, "1.8", 10}, {2.1, "2", 5}, {9.5, "9", 10}, {60, "60", 7}, {0.03, "0.03", 7}} {
		got := EvenTicks(test.most)
		if last := got[len(got)-1].Label; last != test.want || len(got) != test.n {
			t.Errorf("%v: got=%d to %s, want=%d to %s", test.most, len(got), last, test.n, test.want)
		}
	}
}

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
		s := Scale{Log: test.log, Ticks: 7}
		s.Add(test.lo, test.hi, math.NaN(), math.Inf(1))
		p := NewPanel(&LightStyle, "", "", "")
		s.Apply(&p.X)
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
