package trajectories

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

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

// For all formats, Join must write the same file as direct writing, even if the part was reopened.
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
		_, err = OpenPart(partName, 7, mark)
		testkit.Fails(t, err, "in use by another process", "%s, opened twice", name)
		testkit.Must(t, p.Remove())
		if _, err := OpenPart(partName, 7, mark); !os.IsNotExist(err) {
			t.Errorf("%s, removed: got=%v, want an error that the file does not exist", name, err)
		}
	}
}

func TestPartOfAnother(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.part")
	const refused = "x.part contains the trajectories of another run, which has not ended: continue that run with crowd run --resume, or delete the file"
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
	want := testkit.Read(t, name)
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

func TestPartFrames(t *testing.T) {
	step := []Sample{{ID: 1}}
	two := appendFrame(appendFrame(nil, 0, step, nil), 1, step, &Ground{obstacles: make([]world.ObstacleShape, 1)})
	for n, want := range map[int]string{len(two): "the frame is 7, want 2", len(two) - 1: "unexpected EOF", 20: "unexpected EOF"} {
		text := two[:n]
		if n == len(two) {
			text = appendFrame(text, 7, step, nil)
		}
		from, err, frame := newFrames(bytes.NewReader(text)), error(nil), 0
		for ; err == nil; frame++ {
			err = from.next(frame)
		}
		testkit.Equal(t, err.Error(), want, "%d bytes", n)
	}
}

// The memory of all formats, and of Write and Join of a part, must not grow with the steps.
func TestMemory(t *testing.T) {
	fill := func(w Writer, frames int) {
		t.Helper()
		step := make([]Sample, 1000)
		for frame := range frames {
			for i := range step {
				x := float64(i) * math.Sqrt(float64(frame))
				step[i] = Sample{ID: uint64(i), Time: float64(frame) / 10, X: x, Y: -x, VX: 1 / x, VY: x * x}
			}
			testkit.Must(t, w.Write(frame, step, nil))
		}
	}
	for name, frames := range map[string]int{".csv": 100, ".csv.gz": 100, ".sql": 100, ".parquet": 1000} { // a million rows are several row groups
		format, err := FormatOf(name)
		testkit.Must(t, err)
		w := &metered{Writer: format.Begin(io.Discard, Source{}), t: t, name: name, most: 32 << 20}
		fill(w, frames)
		testkit.Must(t, w.Close())
	}
	const most = 3 << 20 // bytes; the steps take 6 MB
	p, err := NewPart(filepath.Join(t.TempDir(), "x.part"), 7)
	testkit.Must(t, err)
	defer p.Close()
	fill(&metered{Writer: p, t: t, name: "part", first: 10, most: most}, 121) // in frame 10, the encoder has allocated its buffers
	testkit.Must(t, p.Join(&metered{t: t, name: "join", first: 10, most: most}))
}

// metered checks the growth of the memory in use since frame first, at every 20th frame.
type metered struct {
	Writer       // nil discards the steps
	t            *testing.T
	name         string
	first        int
	before, most uint64 // bytes
}

func (m *metered) Write(frame int, step []Sample, changed *Ground) (err error) {
	if frame == m.first {
		m.before = cli.MemoryInUse()
	}
	if m.Writer != nil {
		err = m.Writer.Write(frame, step, changed)
	}
	if frame%20 != 0 || frame < m.first {
		return err
	}
	if p, is := m.Writer.(*Part); is && err == nil {
		_, err = p.Save()
	}
	if now := cli.MemoryInUse(); now > m.before+m.most {
		m.t.Errorf("%s, frame %d: got=%d bytes more than at frame %d, want at most %d", m.name, frame, now-m.before, m.first, m.most)
	}
	return err
}

func TestCSV(t *testing.T) {
	var to strings.Builder
	w := newCSV(&to, Source{})
	testkit.Must(t, w.Write(0, []Sample{
		{ID: math.MaxUint64, X: math.Inf(1), Y: math.Inf(-1), VX: math.SmallestNonzeroFloat64, VY: -math.MaxFloat64}, {X: math.NaN(), VX: 1. / 3},
	}, nil))
	testkit.Must(t, w.Close())
	testkit.Equal(t, to.String(), "id,time,x,y,vx,vy\n18446744073709551615,0,+Inf,-Inf,5e-324,-1.7976931348623157e+308\n0,0,NaN,0,0.3333333333333333,0\n", "text")
}
