package bench

import (
	"slices"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// TestBenchSizes verifies that scenes whose places are made for a number of agents are
// measured with these, unless asked otherwise.
func TestBenchSizes(t *testing.T) {
	for _, test := range []struct {
		name        string
		asked, want []int
	}{
		{"plaza", nil, []int{1000, 10_000}},
		{"boids", nil, []int{1000, 10_000}},
		{"bottleneck", nil, []int{300}},
		{"crossing", nil, []int{480}},
		{"evacuation", nil, []int{1000}},
		{"concert", nil, []int{10_000}},
		{"antipodal", nil, []int{1000}},
		{"rvo-circle", nil, []int{250}},
		{"rvo-blocks", nil, []int{100}},
		{"rvo-blocks", []int{50}, []int{50}},
	} {
		c, err := findCase(t.Context(), test.name, test.asked, []int{1000, 10_000}, &cli.Console{})
		if err != nil || !slices.Equal(c.sizes, test.want) {
			t.Errorf("%s, asked for %v: got=%v %v, want=%v", test.name, test.asked, c.sizes, err, test.want)
		}
	}
}
