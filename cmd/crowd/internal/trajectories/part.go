package trajectories

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/world"
	"github.com/klauspost/compress/zstd"
	"gonum.org/v1/gonum/spatial/r2"
)

// Part is a file with the trajectories of a run so far. A process that resumes the run drops the steps after
// the last save. At the end, Join converts the part to the final format.
type Part struct {
	file   *os.File
	name   string
	head   []byte
	zipped *zstd.Encoder
	mark   Mark
	frame  []byte
}

// Mark is a position in a part.
type Mark struct {
	Bytes int64
	Sum   uint32 // CRC-32C of all bytes before the mark
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// NewPart creates or empties the part of a run, and locks it. It returns an error if the file belongs to
// another run.
func NewPart(name string, run uint64) (*Part, error) { return openPart(name, run, Mark{}) }

// OpenPart opens and locks a part, and drops everything after the mark. It returns an error if the part is
// missing or has changed before the mark.
func OpenPart(name string, run uint64, from Mark) (*Part, error) {
	if _, err := os.Stat(name); err != nil { // Lock would create the file
		return nil, err
	}
	return openPart(name, run, from)
}

func openPart(name string, run uint64, from Mark) (*Part, error) {
	file, err := output.Lock(name, 0o666)
	if err != nil {
		return nil, err
	}
	p := &Part{file: file, name: name, head: headOf(run), mark: from}
	if err := p.rewind(); err != nil {
		_ = file.Close()
		return nil, err
	}
	return p, nil
}

// headOf returns the first bytes of a part: the ID of its run, in a frame that zstd skips.
func headOf(run uint64) []byte {
	const skipped, bytes = 0x184d2a50, 8
	head := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, skipped), bytes)
	return binary.LittleEndian.AppendUint64(head, run)
}

func (p *Part) rewind() error {
	if p.mark.Bytes == 0 {
		if err := p.checkOwner(); err != nil {
			return err
		}
	}
	sum := crc32.New(castagnoli)
	n, err := io.Copy(sum, io.NewSectionReader(p.file, 0, p.mark.Bytes))
	switch {
	case err != nil:
		return err
	case n < p.mark.Bytes:
		return fmt.Errorf("%s has %d bytes, want at least the %d bytes of the saved run", p.name, n, p.mark.Bytes)
	case sum.Sum32() != p.mark.Sum:
		return fmt.Errorf("%s has changed since the run was saved", p.name)
	}
	if err := output.Truncate(p.file, p.mark.Bytes); err != nil {
		return err
	}
	p.zipped, err = zstd.NewWriter(marking{p}, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	return err
}

func (p *Part) checkOwner() error {
	head, err := io.ReadAll(io.NewSectionReader(p.file, 0, int64(len(p.head))))
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(p.head, head) { // a killed run may have written part of the head
		return fmt.Errorf("%s contains the trajectories of another run, which has not ended: continue that run with crowd run --resume, or delete the file", p.name)
	}
	return nil
}

type marking struct{ *Part }

func (p marking) Write(b []byte) (int, error) {
	n, err := p.file.Write(b)
	p.mark.Bytes += int64(n)
	p.mark.Sum = crc32.Update(p.mark.Sum, castagnoli, b[:n])
	return n, err
}

// Write writes a step; see Writer.
func (p *Part) Write(frame int, step []Sample, changed *Ground) error {
	if p.mark.Bytes == 0 {
		if _, err := (marking{p}).Write(p.head); err != nil {
			return err
		}
	}
	p.frame = appendFrame(p.frame[:0], frame, step, changed)
	_, err := p.zipped.Write(p.frame)
	return err
}

// Save syncs the file and returns the mark at its end.
func (p *Part) Save() (Mark, error) {
	if p.mark.Bytes == 0 {
		return p.mark, nil
	}
	err := cmp.Or(p.zipped.Close(), p.file.Sync())
	p.zipped.Reset(marking{p})
	return p.mark, err
}

// Join passes all steps to a writer, which it does not close. After Join, Write and Save must not be called.
func (p *Part) Join(to Writer) error {
	if err := p.zipped.Close(); err != nil {
		return err
	}
	p.zipped = nil
	in, err := zstd.NewReader(io.NewSectionReader(p.file, 0, p.mark.Bytes), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer in.Close()
	from := newFrames(in)
	for frame := 0; ; frame++ {
		err := from.next(frame)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if err := to.Write(frame, from.step, from.changed); err != nil {
			return err
		}
	}
}

// Close closes the file, perhaps without the steps since the last Save. It may be called repeatedly.
func (p *Part) Close() error {
	err := p.file.Close()
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// Remove closes and removes the file.
func (p *Part) Remove() error { return cmp.Or(p.Close(), os.Remove(p.name)) }

// rowsAtOnce is the maximum number of rows in a block. Blocks are stored by column and so compress better.
const rowsAtOnce = 4096

func (s *Sample) columns() [6]*float64 {
	return [...]*float64{&s.X, &s.Y, &s.VX, &s.VY, &s.Heading.X, &s.Heading.Y}
}

func numbers(o *world.ObstacleShape) [5]*float64 {
	return [...]*float64{&o.A.X, &o.A.Y, &o.B.X, &o.B.Y, &o.Radius}
}

func appendFrame(b []byte, frame int, step []Sample, changed *Ground) []byte {
	b = binary.AppendUvarint(b, uint64(frame))
	b = appendGround(b, changed)
	b = binary.AppendUvarint(b, uint64(len(step)))
	if len(step) == 0 {
		return b
	}
	b = appendFloat(b, step[0].Time)
	for rows := range slices.Chunk(step, rowsAtOnce) {
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

// appendGround appends 0 for nil, or else the number of obstacles plus one, the hash, and the obstacles. An
// obstacle ends with 0 for nil Corners, or else with the number of corners plus one and the corners.
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

type frames struct {
	in      *bufio.Reader
	step    []Sample // last step, reused
	changed *Ground
	err     error
}

func newFrames(in io.Reader) *frames { return &frames{in: bufio.NewReaderSize(in, 1<<16)} }

// next reads the next frame, which must have the given number. It returns io.EOF after the last frame.
func (f *frames) next(frame int) error {
	if _, err := f.in.Peek(1); err != nil {
		return err
	}
	if got := f.count(); f.err == nil && got != uint64(frame) {
		return fmt.Errorf("the frame is %d, want %d", got, frame)
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
