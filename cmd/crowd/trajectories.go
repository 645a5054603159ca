package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/generic"
	"github.com/parquet-go/parquet-go"
)

// sample is where an agent was.
type sample struct {
	ID   uint64  `parquet:"id,delta"`
	Time float64 `parquet:"time,dict"` // s since the start
	X    float64 `parquet:"x"`         // m
	Y    float64 `parquet:"y"`         // m
	VX   float64 `parquet:"vx"`        // m/s
	VY   float64 `parquet:"vy"`        // m/s
}

// trajectories writes the start and every n-th step of a crowd to a file: one
// row an agent, by id within a step. Agents that have left are not in it. Memory
// is that of one step and a bounded buffer.
type trajectories struct {
	world  *world.World
	agents generic.Filter3[c.Agent, c.Position, c.Velocity]
	every  int
	step   []sample // kept from step to step for its memory
	to     sampleWriter
}

// sampleWriter is a format of trajectories.
type sampleWriter interface {
	Write(frame int, step []sample) error // frame counts what is written, from 0
	Close() error
}

// newTrajectories creates the file. The end of its name says which format.
func newTrajectories(path string, every int, w *world.World) (*trajectories, error) {
	t := &trajectories{world: w, every: every}
	t.agents = *generic.NewFilter3[c.Agent, c.Position, c.Velocity]()
	var open func(io.WriteCloser) sampleWriter
	switch {
	case strings.HasSuffix(path, ".csv"):
		open = newCSV
	case strings.HasSuffix(path, ".csv.gz"):
		open = func(to io.WriteCloser) sampleWriter { return newCSV(newZipped(to)) }
	case strings.HasSuffix(path, ".parquet"):
		open = newParquet
	case strings.HasSuffix(path, ".txt"):
		open = func(to io.WriteCloser) sampleWriter { return newPedPy(to, 1/(w.Clock.Dt*float64(every))) }
	default:
		return nil, fmt.Errorf("--trajectories is %s, want a name that ends with .csv, .csv.gz, .parquet or .txt", path)
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	t.to = open(file)
	return t, nil
}

// Record writes where the agents are after a number of steps, if it is one of
// those to be written.
func (t *trajectories) Record(steps int) error {
	if steps%t.every != 0 {
		return nil
	}
	t.step = t.step[:0]
	query := t.agents.Query(t.world.ECS)
	for query.Next() {
		a, p, v := query.Get()
		t.step = append(t.step, sample{ID: a.ID, Time: t.world.Clock.Time, X: p.X, Y: p.Y, VX: v.X, VY: v.Y})
	}
	slices.SortFunc(t.step, func(a, b sample) int { return cmp.Compare(a.ID, b.ID) })
	return t.to.Write(steps/t.every, t.step)
}

// Close completes the file. The error is the first since the file was created.
func (t *trajectories) Close() error { return t.to.Close() }

// lines is a format of text, a line a sample.
type lines struct {
	buffer *bufio.Writer
	to     io.Closer
	line   func(b []byte, frame int, s *sample) []byte
}

func newLines(to io.WriteCloser, header string, line func([]byte, int, *sample) []byte) *lines {
	l := &lines{buffer: bufio.NewWriterSize(to, 1<<16), to: to, line: line}
	_, _ = l.buffer.WriteString(header) // the buffer keeps its first error for Flush
	return l
}

func (l *lines) Write(frame int, step []sample) error {
	for i := range step {
		if _, err := l.buffer.Write(l.line(l.buffer.AvailableBuffer(), frame, &step[i])); err != nil {
			return err
		}
	}
	return nil
}

func (l *lines) Close() error { return cmp.Or(l.buffer.Flush(), l.to.Close()) }

// newCSV returns comma-separated lines. Numbers read back to the same bits.
func newCSV(to io.WriteCloser) sampleWriter {
	return newLines(to, "id,time,x,y,vx,vy\n", func(b []byte, _ int, s *sample) []byte {
		b = strconv.AppendUint(b, s.ID, 10)
		for _, x := range [...]float64{s.Time, s.X, s.Y, s.VX, s.VY} {
			b = strconv.AppendFloat(append(b, ','), x, 'g', -1, 64)
		}
		return append(b, '\n')
	})
}

// newPedPy returns the lines that PedPy's load_trajectory reads, which are those
// of the Pedestrian Dynamics Data Archive.
func newPedPy(to io.WriteCloser, frameRate float64) sampleWriter {
	header := fmt.Sprintf("# framerate: %v\n# id frame x/m y/m z/m\n", frameRate)
	return newLines(to, header, func(b []byte, frame int, s *sample) []byte {
		b = strconv.AppendUint(b, s.ID, 10)
		b = strconv.AppendInt(append(b, ' '), int64(frame), 10)
		b = strconv.AppendFloat(append(b, ' '), s.X, 'g', -1, 64)
		b = strconv.AppendFloat(append(b, ' '), s.Y, 'g', -1, 64)
		return append(b, " 0\n"...)
	})
}

// zipped compresses what is written to a file.
type zipped struct {
	*gzip.Writer
	to io.Closer
}

func newZipped(to io.WriteCloser) io.WriteCloser {
	// Digits of floating point numbers are as good as random: more effort takes
	// several times as long and gains little.
	z, _ := gzip.NewWriterLevel(to, gzip.BestSpeed)
	return &zipped{Writer: z, to: to}
}

func (z *zipped) Close() error { return cmp.Or(z.Writer.Close(), z.to.Close()) }

// rowGroup is how many samples of a Parquet file are held in memory until they
// are written.
const rowGroup = 1 << 17

// parquetWriter is Apache Parquet.
type parquetWriter struct {
	*parquet.GenericWriter[sample]
	to io.Closer
}

func newParquet(to io.WriteCloser) sampleWriter {
	rows := parquet.NewGenericWriter[sample](to, parquet.MaxRowsPerRowGroup(rowGroup), parquet.Compression(&parquet.Snappy))
	return &parquetWriter{rows, to}
}

func (p *parquetWriter) Write(_ int, step []sample) error {
	_, err := p.GenericWriter.Write(step)
	return err
}

func (p *parquetWriter) Close() error { return cmp.Or(p.GenericWriter.Close(), p.to.Close()) }
