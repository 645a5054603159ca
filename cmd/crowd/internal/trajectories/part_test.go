package trajectories

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// written is a recorded step.
type written struct {
	step    []Sample
	changed *Ground
}

// history returns random steps that cover all cases of the format.
func history(random *rand.Rand, frames int) (all []written) {
	for frame := range frames {
		one := written{step: make([]Sample, random.IntN(50))}
		if frame%31 == 0 {
			one.step = make([]Sample, 2*rowsAtOnce+1)
		}
		for i := range one.step {
			one.step[i] = Sample{ID: random.Uint64(), Time: float64(frame) / 3, X: random.NormFloat64(), Y: random.NormFloat64(), VX: math.Copysign(0, -1), VY: math.Inf(1), Heading: r2.Vec{X: random.Float64()}}
		}
		if frame%5 == 0 {
			p := r2.Vec{X: random.Float64(), Y: 2}
			one.changed = &Ground{int64(frame), []world.ObstacleShape{{A: p, B: p, Radius: 0.5}, {Corners: []r2.Vec{p, {X: 3}, {Y: 3}}}, {Corners: []r2.Vec{}}}}
		}
		all = append(all, one)
	}
	return all
}

// TestPart verifies for all formats that Join writes the same file as direct writing, even if the part was closed
// and reopened with steps after the last save.
func TestPart(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	of := Source{Box: r2.Box{Max: r2.Vec{X: 9, Y: 9}}, FrameRate: 3}
	for _, name := range []string{"x.csv", "x.csv.gz", "x.txt", "x.parquet", "x.sql"} {
		format, err := FormatOf(name)
		testkit.Must(t, err)
		all := history(random, 40)
		file := func(fill func(Writer) error) []byte {
			t.Helper()
			var to bytes.Buffer
			w := format.Begin(&to, of)
			testkit.Must(t, errors.Join(fill(w), w.Close()))
			return to.Bytes()
		}
		want := file(func(w Writer) error {
			for frame, one := range all {
				if err := w.Write(frame, one.step, one.changed); err != nil {
					return err
				}
			}
			return nil
		})
		partName := filepath.Join(t.TempDir(), name+".part")
		p, err := NewPart(partName, 7)
		testkit.Must(t, err)
		var mark Mark
		for frame, saved := 0, 0; saved < len(all); {
			if frame < len(all) {
				testkit.Must(t, p.Write(frame, all[frame].step, all[frame].changed))
				frame++
			}
			if random.IntN(7) == 0 || frame == len(all) {
				mark, err = p.Save()
				testkit.Must(t, err)
				saved = frame
			}
			if random.IntN(9) == 0 && saved < len(all) {
				testkit.Must(t, p.Close())
				p, err = OpenPart(partName, 7, mark)
				testkit.Must(t, err)
				frame = saved
			}
		}
		got := file(p.Join)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: got=%d bytes, want the same %d bytes as without a part", name, len(got), len(want))
		}
		if _, err := OpenPart(partName, 7, mark); err == nil || !strings.Contains(err.Error(), "in use by another process") {
			t.Errorf("%s, opened twice: got=%v, want an error with %q", name, err, "in use by another process")
		}
		testkit.Must(t, p.Remove())
		if _, err := OpenPart(partName, 7, mark); !os.IsNotExist(err) {
			t.Errorf("%s, removed: got=%v, want an error that the file does not exist", name, err)
		}
	}
}

// TestPartOfAnother verifies that only its own run can open a part with rows, and that other runs leave the
// part unchanged.
func TestPartOfAnother(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.part")
	const refused = "x.part has the trajectories of another run, which has not ended: continue that run with crowd run --resume, or delete the file"
	open := func(want string) func(*Part, error) *Part {
		return func(p *Part, err error) *Part {
			t.Helper()
			if (err == nil) != (want == "") || err != nil && !strings.HasSuffix(err.Error(), want) {
				t.Fatalf("got error %v, want one that ends with %q (none if empty)", err, want)
			}
			return p
		}
	}
	p := open("")(NewPart(name, 7))
	if mark, err := p.Save(); err != nil || mark != (Mark{}) {
		t.Fatalf("without rows: got=%v, %v, want=%v", mark, err, Mark{})
	}
	_ = p.Close()
	p = open("")(NewPart(name, 8))
	testkit.Must(t, p.Write(0, make([]Sample, 3), nil))
	mark, err := p.Save()
	testkit.Must(t, err)
	_ = p.Close()
	want, err := os.ReadFile(name)
	testkit.Must(t, err)
	open(refused)(NewPart(name, 7))
	open(refused)(OpenPart(name, 7, Mark{}))
	if got, _ := os.ReadFile(name); !bytes.Equal(got, want) {
		t.Fatal("after a rejected run: got other content, want the content from before")
	}
	_ = open("")(OpenPart(name, 8, mark)).Close()
	if got, _ := os.ReadFile(name); !bytes.Equal(got, want) {
		t.Fatal("reopened: got other content, want the saved rows")
	}
	_ = open("")(OpenPart(name, 8, Mark{})).Close()
	for n := range len(headOf(8)) + 1 { // killed while it was writing the head
		testkit.Must(t, os.WriteFile(name, headOf(8)[:n], 0o666))
		_ = open("")(OpenPart(name, 8, Mark{})).Close()
		if got, _ := os.ReadFile(name); len(got) != 0 {
			t.Errorf("from the start, after %d bytes of the head: got=%d bytes, want=0", n, len(got))
		}
	}
}

// TestPartFrames verifies that a part is rejected if it is truncated or has a wrong frame number.
func TestPartFrames(t *testing.T) {
	step := []Sample{{ID: 1}}
	two := appendFrame(appendFrame(nil, 0, step, nil), 1, step, &Ground{obstacles: make([]world.ObstacleShape, 1)})
	for n, want := range map[int]string{len(two): "has frame 7, want 2", len(two) - 1: "unexpected EOF", 20: "unexpected EOF"} {
		text := two[:n]
		if n == len(two) {
			text = appendFrame(text, 7, step, nil)
		}
		from, err, frame := newFrames(bytes.NewReader(text)), error(nil), 0
		for ; err == nil; frame++ {
			err = from.next(frame)
		}
		if err.Error() != want {
			t.Errorf("%d bytes: got=%v, want=%s", n, err, want)
		}
	}
}

// TestPartMemory verifies that the memory used by Write and Join does not grow with the length of a part.
func TestPartMemory(t *testing.T) {
	const most = 3 << 20 // bytes; the steps take 6 MB
	p, err := NewPart(filepath.Join(t.TempDir(), "x.part"), 7)
	testkit.Must(t, err)
	defer p.Close()
	step := make([]Sample, 1000)
	var before uint64
	for frame := range 110 {
		if frame == 10 { // the encoder has allocated its buffers
			before = cli.MemoryInUse()
		}
		for i := range step {
			step[i] = Sample{ID: uint64(i), X: float64(i) * math.Sqrt(float64(frame))}
		}
		testkit.Must(t, p.Write(frame, step, nil))
		if frame%20 == 0 {
			_, err := p.Save()
			testkit.Must(t, err)
		}
	}
	if now := cli.MemoryInUse(); now > before+most {
		t.Errorf("written: got=%d bytes more than at frame 10, want at most %d", now-before, most)
	}
	testkit.Must(t, p.Join(&limited{t: t, most: most}))
}

// limited is a writer that checks the memory in use.
type limited struct {
	t            *testing.T
	before, most uint64
}

func (l *limited) Write(frame int, _ []Sample, _ *Ground) error {
	switch {
	case frame == 10:
		l.before = cli.MemoryInUse()
	case frame%50 == 49:
		if now := cli.MemoryInUse(); now > l.before+l.most {
			l.t.Errorf("frame %d: got=%d bytes more than at frame 10, want at most %d", frame, now-l.before, l.most)
		}
	}
	return nil
}

func (*limited) Close() error { return nil }

// TestTrajectoriesNotFinite verifies that CSV preserves infinities, NaN and extreme numbers.
func TestTrajectoriesNotFinite(t *testing.T) {
	var to bytes.Buffer
	w := newCSV(&to)
	want := Sample{ID: math.MaxUint64, Time: 0, X: math.Inf(1), Y: math.Inf(-1), VX: math.SmallestNonzeroFloat64, VY: -math.MaxFloat64}
	testkit.Must(t, w.Write(0, []Sample{want, {X: math.NaN()}}, nil))
	testkit.Must(t, w.Close())
	records, err := csv.NewReader(bytes.NewReader(to.Bytes())).ReadAll()
	if err != nil || len(records) != 3 {
		t.Fatalf("got=%q, %v, want a header and two lines", records, err)
	}
	number := func(cell string) float64 {
		x, err := strconv.ParseFloat(cell, 64)
		testkit.Must(t, err)
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

// TestTrajectoriesMemory verifies that memory use does not grow with the length of a file.
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
			testkit.Must(t, w.Write(frame, step, nil))
			if frame%50 != 0 {
				continue
			}
			if now := cli.MemoryInUse(); now > before+most {
				t.Errorf("%s, frame %d: got=%d bytes more than at the start, want at most %d", test.name, frame, now-before, most)
			}
		}
		testkit.Must(t, w.Close())
		runtime.KeepAlive(w)
	}
}
