package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
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

// sampleFormat begins a file of a format, with so many frames a second.
type sampleFormat func(to io.Writer, frameRate float64) sampleWriter

// format returns the format that the end of the file's name says, nil if none.
func (c *runCmd) format() sampleFormat {
	switch name := c.Trajectories; {
	case strings.HasSuffix(name, ".csv"):
		return func(to io.Writer, _ float64) sampleWriter { return newCSV(to) }
	case strings.HasSuffix(name, ".csv.gz"):
		return func(to io.Writer, _ float64) sampleWriter { return newZippedCSV(to) }
	case strings.HasSuffix(name, ".parquet"):
		return func(to io.Writer, _ float64) sampleWriter { return newParquet(to) }
	case strings.HasSuffix(name, ".txt"):
		return newPedPy
	}
	return nil
}

func newTrajectories(to io.Writer, format sampleFormat, every int, w *world.World) *trajectories {
	return &trajectories{
		world: w, every: every, to: format(to, 1/(w.Clock.Dt*float64(every))),
		agents: *generic.NewFilter3[c.Agent, c.Position, c.Velocity](),
	}
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

// Close writes what is still to be written.
func (t *trajectories) Close() error { return t.to.Close() }

// lines is a format of text, a line a sample.
type lines struct {
	buffer *bufio.Writer
	line   func(b []byte, frame int, s *sample) []byte
}

func newLines(to io.Writer, header string, line func([]byte, int, *sample) []byte) *lines {
	l := &lines{buffer: bufio.NewWriterSize(to, 1<<16), line: line}
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

func (l *lines) Close() error { return l.buffer.Flush() }

// newCSV returns comma-separated lines. Numbers read back to the same bits.
func newCSV(to io.Writer) sampleWriter {
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
func newPedPy(to io.Writer, frameRate float64) sampleWriter {
	header := fmt.Sprintf("# framerate: %v\n# id frame x/m y/m z/m\n", frameRate)
	return newLines(to, header, func(b []byte, frame int, s *sample) []byte {
		b = strconv.AppendUint(b, s.ID, 10)
		b = strconv.AppendInt(append(b, ' '), int64(frame), 10)
		b = strconv.AppendFloat(append(b, ' '), s.X, 'g', -1, 64)
		b = strconv.AppendFloat(append(b, ' '), s.Y, 'g', -1, 64)
		return append(b, " 0\n"...)
	})
}

// zipped is a format that is compressed.
type zipped struct {
	sampleWriter
	gzip *gzip.Writer
}

func newZippedCSV(to io.Writer) sampleWriter {
	// Digits of floating point numbers are as good as random: more effort takes
	// several times as long and gains little.
	z, _ := gzip.NewWriterLevel(to, gzip.BestSpeed)
	return &zipped{newCSV(z), z}
}

func (z *zipped) Close() error { return cmp.Or(z.sampleWriter.Close(), z.gzip.Close()) }

// rowGroup is how many samples of a Parquet file are held in memory until they
// are written.
const rowGroup = 1 << 17

// parquetWriter is Apache Parquet.
type parquetWriter struct{ *parquet.GenericWriter[sample] }

func newParquet(to io.Writer) sampleWriter {
	rows := parquet.NewGenericWriter[sample](to, parquet.MaxRowsPerRowGroup(rowGroup), parquet.Compression(&parquet.Snappy))
	return &parquetWriter{rows}
}

func (p *parquetWriter) Write(_ int, step []sample) error {
	_, err := p.GenericWriter.Write(step)
	return err
}
