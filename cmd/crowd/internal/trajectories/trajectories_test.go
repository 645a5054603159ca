package trajectories

import (
	"bytes"
	"encoding/csv"
	"io"
	"math"
	"runtime"
	"strconv"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// TestTrajectoriesNotFinite verifies that numbers that are none are written, and
// read back.
func TestTrajectoriesNotFinite(t *testing.T) {
	var to bytes.Buffer
	w := newCSV(&to)
	want := Sample{ID: math.MaxUint64, Time: 0, X: math.Inf(1), Y: math.Inf(-1), VX: math.SmallestNonzeroFloat64, VY: -math.MaxFloat64}
	must(t, w.Write(0, []Sample{want, {X: math.NaN()}}, nil))
	must(t, w.Close())
	records, err := csv.NewReader(bytes.NewReader(to.Bytes())).ReadAll()
	if err != nil || len(records) != 3 {
		t.Fatalf("got=%q, %v, want=a header and two lines", records, err)
	}
	number := func(cell string) float64 {
		x, err := strconv.ParseFloat(cell, 64)
		must(t, err)
		return x
	}
	cells := records[1]
	id, err := strconv.ParseUint(cells[0], 10, 64)
	if got := (Sample{ID: id, Time: number(cells[1]), X: number(cells[2]), Y: number(cells[3]), VX: number(cells[4]), VY: number(cells[5])}); got != want || err != nil {
		t.Errorf("got=%v, %v, want=%v", got, err, want)
	}
	if got := number(records[2][2]); !math.IsNaN(got) {
		t.Errorf("got=%v, want=NaN", got)
	}
}

// TestTrajectoriesMemory verifies that a file takes no more memory the longer it is.
func TestTrajectoriesMemory(t *testing.T) {
	const most = 32 << 20 // bytes
	step := make([]Sample, 1000)
	for _, test := range []struct {
		name   string
		open   func(io.Writer) Writer
		frames int
	}{
		{"csv", newCSV, 100},
		{"csv.gz", newZippedCSV, 100},
		{"sql", func(to io.Writer) Writer { return newSQL(to, Source{}) }, 100},
		{"parquet", newParquet, 1000}, // a million rows are several row groups
	} {
		before := cli.MemoryInUse()
		w := test.open(io.Discard)
		for frame := range test.frames {
			for i := range step {
				x := float64(i) * math.Sqrt(float64(frame))
				step[i] = Sample{ID: uint64(i), Time: float64(frame) / 10, X: x, Y: -x, VX: 1 / x, VY: x * x}
			}
			must(t, w.Write(frame, step, nil))
			if frame%50 != 0 {
				continue
			}
			if now := cli.MemoryInUse(); now > before+most {
				t.Errorf("%s, frame %d: got=%d bytes more than at the start, want=at most %d", test.name, frame, now-before, most)
			}
		}
		must(t, w.Close())
		runtime.KeepAlive(w)
	}
}
