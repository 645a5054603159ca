package vec

import (
	"iter"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

// upTo yields numbers from 0 to a limit: small, large, round and long ones.
func upTo(limit float64) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		random := rand.New(rand.NewPCG(1, 0))
		for range 1000 {
			x := limit * random.Float64()
			for _, x := range []float64{x, math.Trunc(x), x * math.Exp(-700*random.Float64())} {
				if !yield(x) {
					return
				}
			}
		}
	}
}

// TestRadians verifies that half of Radians(x) is x·π/360 to the bit, except for tiny x, and that 360° is 2π.
func TestRadians(t *testing.T) {
	for x := range upTo(720) {
		if got, want := Radians(x)/2, x*(math.Pi/360); got != want && x > 0x1p-1000 {
			t.Errorf("half of %v°: got=%v, want=%v", x, got, want)
		}
	}
	testkit.Equal(t, Radians(360), 2*math.Pi, "360°")
}

// TestDegreesAreShort verifies that DegreesText writes multiples of 0.01° as they were read.
func TestDegreesAreShort(t *testing.T) {
	for i := range 36_001 {
		text := strconv.FormatFloat(float64(i)/100, 'g', -1, 64)
		x, _ := strconv.ParseFloat(text, 64)
		if got := DegreesText(Radians(x)); got != text {
			t.Fatalf("DegreesText: got=%s°, want=%s°", got, text)
		}
	}
}

// TestEveryAngleIsWritten verifies that angles are written as degrees that read back as the same radians.
func TestEveryAngleIsWritten(t *testing.T) {
	long := 0
	for x := range upTo(1000) {
		text := DegreesText(x)
		if len(text) > 20 {
			long++
		}
		if got, err := ParseDegrees(text); err != nil || got != x {
			t.Errorf("%v rad, as %s°: got=%v, %v, want the same radians", x, text, got, err)
		}
	}
	if long == 0 {
		t.Error("angles that need a long number: got=0, want at least one, otherwise this tests nothing")
	}
	for _, x := range []float64{math.Inf(1), math.SmallestNonzeroFloat64, math.MaxFloat64 / 100, -1.7} {
		if got, err := ParseDegrees(DegreesText(x)); err != nil || got != x {
			t.Errorf("%v rad, as %s°: got=%v, %v, want the same radians", x, DegreesText(x), got, err)
		}
	}
	if _, err := ParseDegrees("north"); err == nil {
		t.Error("north: got=nil, want=an error")
	}
}
