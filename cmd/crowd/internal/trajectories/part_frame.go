package trajectories

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// rowsAtOnce is how many rows of a frame stand together in a part, column by column, which
// compresses better than row by row.
const rowsAtOnce = 4096

// columns are what a part has of a sample, beside its id and time.
func (s *Sample) columns() [6]*float64 {
	return [...]*float64{&s.X, &s.Y, &s.VX, &s.VY, &s.Heading.X, &s.Heading.Y}
}

// numbers are what a part has of an obstacle, beside its corners.
func numbers(o *world.ObstacleShape) [5]*float64 {
	return [...]*float64{&o.A.X, &o.A.Y, &o.B.X, &o.B.Y, &o.Radius}
}

// appendFrame appends a step as a part has it.
func appendFrame(b []byte, frame int, step []Sample, changed *Ground) []byte {
	b = binary.AppendUvarint(b, uint64(frame))
	b = appendGround(b, changed)
	b = binary.AppendUvarint(b, uint64(len(step)))
	if len(step) == 0 {
		return b
	}
	b = appendFloat(b, step[0].Time)
	for len(step) > 0 {
		rows := step[:min(len(step), rowsAtOnce)]
		step = step[len(rows):]
		for i := range rows {
			b = binary.LittleEndian.AppendUint64(b, rows[i].ID)
		}
		for k := range (&Sample{}).columns() {
			for i := range rows {
				b = appendFloat(b, *rows[i].columns()[k])
			}
		}
	}
	return b
}

// appendGround appends how many obstacles there are and what they are, each number one more than
// it is: 0 stands for none.
func appendGround(b []byte, g *Ground) []byte {
	if g == nil {
		return binary.AppendUvarint(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(len(g.obstacles))+1)
	b = binary.LittleEndian.AppendUint64(b, uint64(g.hash))
	for i := range g.obstacles {
		o := &g.obstacles[i]
		for _, x := range numbers(o) {
			b = appendFloat(b, *x)
		}
		if o.Corners == nil {
			b = binary.AppendUvarint(b, 0)
			continue
		}
		b = binary.AppendUvarint(b, uint64(len(o.Corners))+1)
		for _, p := range o.Corners {
			b = appendFloat(appendFloat(b, p.X), p.Y)
		}
	}
	return b
}

func appendFloat(b []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
}

// frames reads the steps of a part.
type frames struct {
	in      *bufio.Reader
	step    []Sample // the last one; its memory is used again
	changed *Ground
	err     error // the first
}

func newFrames(in io.Reader) *frames { return &frames{in: bufio.NewReaderSize(in, 1<<16)} }

// next reads the next frame, which has this number. The error is io.EOF after the last one.
func (f *frames) next(frame int) error {
	if _, err := f.in.Peek(1); err != nil {
		return err
	}
	if got := f.count(); f.err == nil && got != uint64(frame) {
		return fmt.Errorf("frame %d is followed by %d", frame-1, got)
	}
	f.changed = f.ground()
	n := f.count()
	if f.step = f.step[:0]; n > 0 {
		time := f.float()
		for f.err == nil && uint64(len(f.step)) < n {
			f.rows(time, int(min(n-uint64(len(f.step)), rowsAtOnce)))
		}
	}
	if errors.Is(f.err, io.EOF) {
		f.err = io.ErrUnexpectedEOF
	}
	return f.err
}

func (f *frames) rows(time float64, n int) {
	from := len(f.step)
	for range n {
		f.step = append(f.step, Sample{ID: f.word(), Time: time})
	}
	rows := f.step[from:]
	for k := range (&Sample{}).columns() {
		for i := range rows {
			*rows[i].columns()[k] = f.float()
		}
	}
}

func (f *frames) ground() *Ground {
	n := f.count()
	if n == 0 {
		return nil
	}
	g := &Ground{hash: int64(f.word())}
	for i := uint64(1); i < n && f.err == nil; i++ {
		var o world.ObstacleShape
		for _, x := range numbers(&o) {
			*x = f.float()
		}
		g.obstacles = append(g.obstacles, o)
		corners := f.count()
		if corners == 0 {
			continue
		}
		all := &g.obstacles[len(g.obstacles)-1].Corners
		*all = []r2.Vec{}
		for k := uint64(1); k < corners && f.err == nil; k++ {
			*all = append(*all, r2.Vec{X: f.float(), Y: f.float()})
		}
	}
	return g
}

func (f *frames) count() uint64 {
	if f.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(f.in)
	f.err = err
	return n
}

func (f *frames) word() uint64 {
	if f.err != nil {
		return 0
	}
	var b [8]byte
	_, f.err = io.ReadFull(f.in, b[:])
	return binary.LittleEndian.Uint64(b[:])
}

func (f *frames) float() float64 { return math.Float64frombits(f.word()) }
