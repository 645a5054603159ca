package cli

import "testing"

func TestQuantile(t *testing.T) {
	values := []float64{4, 1, 3, 2}
	for _, test := range []struct{ q, want float64 }{{0, 1}, {0.25, 1.75}, {0.5, 2.5}, {1, 4}} {
		if got := Quantile(values, test.q); got != test.want {
			t.Errorf("%v: got=%v, want=%v", test.q, got, test.want)
		}
	}
	if values[0] != 4 {
		t.Error("the values were sorted in place, but their order is that of the rounds")
	}
}
