package trajectories

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"strconv"
)

// lines is a format of text, a line a sample.
type lines struct {
	buffer *bufio.Writer
	line   func(b []byte, frame int, s *Sample) []byte
}

func newLines(to io.Writer, header string, line func([]byte, int, *Sample) []byte) *lines {
	l := &lines{buffer: bufio.NewWriterSize(to, 1<<16), line: line}
	_, _ = l.buffer.WriteString(header) // the buffer keeps its first error for Flush
	return l
}

func (l *lines) Write(frame int, step []Sample, _ *Ground) error {
	for i := range step {
		if _, err := l.buffer.Write(l.line(l.buffer.AvailableBuffer(), frame, &step[i])); err != nil {
			return err
		}
	}
	return nil
}

func (l *lines) Close() error { return l.buffer.Flush() }

// newCSV returns comma-separated lines. Numbers read back to the same bits.
func newCSV(to io.Writer) Writer {
	return newLines(to, "id,time,x,y,vx,vy\n", func(b []byte, _ int, s *Sample) []byte {
		b = strconv.AppendUint(b, s.ID, 10)
		for _, x := range [...]float64{s.Time, s.X, s.Y, s.VX, s.VY} {
			b = strconv.AppendFloat(append(b, ','), x, 'g', -1, 64)
		}
		return append(b, '\n')
	})
}

// newPedPy returns the lines that PedPy's load_trajectory reads, which are those
// of the Pedestrian Dynamics Data Archive.
func newPedPy(to io.Writer, of Source) Writer {
	header := fmt.Sprintf("# framerate: %v\n# id frame x/m y/m z/m\n", of.FrameRate)
	return newLines(to, header, func(b []byte, frame int, s *Sample) []byte {
		b = strconv.AppendUint(b, s.ID, 10)
		b = strconv.AppendInt(append(b, ' '), int64(frame), 10)
		b = strconv.AppendFloat(append(b, ' '), s.X, 'g', -1, 64)
		b = strconv.AppendFloat(append(b, ' '), s.Y, 'g', -1, 64)
		return append(b, " 0\n"...)
	})
}

// zipped is a format that is compressed.
type zipped struct {
	Writer
	gzip *gzip.Writer
}

func newZippedCSV(to io.Writer) Writer {
	// Digits of floating point numbers are as good as random: more effort takes
	// several times as long and gains little.
	z, _ := gzip.NewWriterLevel(to, gzip.BestSpeed)
	return &zipped{newCSV(z), z}
}

func (z *zipped) Close() error { return cmp.Or(z.Writer.Close(), z.gzip.Close()) }
