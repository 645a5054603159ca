package experiment

import (
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/formats/recorded"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestOf verifies that frames count from the first, that places of frames stay as they are, and
// that somebody who was away for long is another person afterwards.
func TestOf(t *testing.T) {
	const text = "7 12 100 -250.5\n7 13 101 -250\n3 10 10 0\n3 13 40 0\n3 63 90 0\n"
	c, err := recorded.Read(strings.NewReader(text), "f", recorded.Options{FrameRate: 10, Unit: recorded.Centimeter})
	if err != nil {
		t.Fatal(err)
	}
	r := RecordingOf(c, 0.1)
	want := []Person{
		{ID: 3, First: 0, At: []r2.Vec{recordingXY(0.1, 0), recordingXY(0.2, 0), recordingXY(0.3, 0), recordingXY(0.4, 0)}},
		{ID: 3, First: 53, At: []r2.Vec{recordingXY(0.9, 0)}},
		{ID: 7, First: 2, At: []r2.Vec{recordingXY(1, -2.505), recordingXY(1.01, -2.5)}},
	}
	if r.Dt != 0.1 || r.Frames != 54 || !slices.EqualFunc(r.People, want, func(a, b Person) bool {
		return a.ID == b.ID && a.First == b.First && slices.EqualFunc(a.At, b.At, func(p, q r2.Vec) bool { return r2.Norm(r2.Sub(p, q)) < 1e-9 })
	}) {
		t.Errorf("got=%+v, want=%+v", r, want)
	}
	if got := r.People[2].At; !slices.Equal(got, want[2].At) {
		t.Errorf("places of frames: got=%v, want=%v", got, want[2].At)
	}
}
