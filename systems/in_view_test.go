package systems

import (
	"math"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// inView reports whether what is offset meters away is in the field of view of one that
// faces along heading: within an angle of it to both sides, of which cosine is given; -1
// is all round. Who has no heading sees all round, and everyone sees what is in the same
// place. It is how a field of view is defined; what runs takes no root.
func inView(heading, offset r2.Vec, cosine float64) bool {
	if cosine <= -1 || heading == (r2.Vec{}) || offset == (r2.Vec{}) {
		return true
	}
	h, o := vec.Norm(heading), vec.Norm(offset)
	return vec.Dot(vec.Scale(1/h, heading), vec.Scale(1/o, offset)) >= cosine && !math.IsNaN(cosine)
}

func TestInView(t *testing.T) {
	nan := math.NaN()
	for _, tc := range []struct {
		heading, offset r2.Vec
		cosine          float64
		want            bool
	}{
		{xy(1, 0), xy(1, 0), 1, true},
		{xy(1, 0), xy(0, 5), 0, true},
		{xy(1, 0), xy(-0.01, 5), 0, false},
		{xy(3, 0), xy(1, 1), 0.7, true},
		{xy(3, 0), xy(1, 1), 0.71, false},
		{xy(1, 0), xy(-1, 0), -1, true},
		{xy(1, 0), xy(-1, 0), -0.999, false},
		{xy(1e-300, 0), xy(1e300, 0), 0.9, true},
		{r2.Vec{}, xy(-1, 0), 0.5, true},
		{xy(1, 0), r2.Vec{}, 0.5, true},
		{xy(1, 0), xy(-1, 0), -7, true},
		{xy(1, 0), xy(1, 0), 2, false},
		{xy(1, 0), xy(1, 0), nan, false},
	} {
		testkit.Equal(t, inView(tc.heading, tc.offset, tc.cosine), tc.want, "%v sees %v, cosine %v", tc.heading, tc.offset, tc.cosine)
	}
}
