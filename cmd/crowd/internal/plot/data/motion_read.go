package data

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
)

// motionFields are the columns of trajectories.
var motionFields = []string{"id", "time", "x", "y", "vx", "vy"}

// motionColumns returns where a header has motionFields, nil if it lacks one.
func motionColumns(header []string) []int {
	var columns []int
	for _, name := range motionFields {
		i := slices.Index(header, name)
		if i < 0 {
			return nil
		}
		columns = append(columns, i)
	}
	return columns
}

// readMotion reads lines as run --trajectories writes them, in the order of time.
func readMotion(ctx context.Context, r *bufio.Reader, columns []int, o Options) (*Motion, error) {
	m := &motionReader{options: o, walkers: map[uint64]walker{}}
	width := slices.Max(columns) + 1
	fields := make([][]byte, 0, 16)
	header := true
	for line := 1; ; line++ {
		text, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, lineError{line, errors.New("the line is too long for a row of trajectories")}
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		last := err == io.EOF
		text = bytes.TrimRight(text, "\r\n")
		switch {
		case len(text) == 0:
		case header:
			header = false
		default:
			fields = fields[:0]
			for rest, more := text, true; more; {
				var field []byte
				field, rest, more = bytes.Cut(rest, []byte{','})
				fields = append(fields, field)
			}
			if len(fields) < width {
				return nil, lineError{line, fmt.Errorf("%s, want %d as in the first line", numbers.Plural(len(fields), "cell"), width)}
			}
			if err := m.row(fields, columns); err != nil {
				return nil, lineError{line, err}
			}
		}
		if line%100_000 == 0 {
			if ctx.Err() != nil {
				return nil, errors.New("interrupted")
			}
			if o.Progress != nil {
				o.Progress(line)
			}
		}
		if last {
			break
		}
	}
	if !m.began {
		return nil, errors.New("has no rows with numbers but its first line; want trajectories as run --trajectories writes them")
	}
	m.end(true)
	m.Motion.Agents = len(m.walkers)
	slices.SortFunc(m.Ways, func(a, b Way) int {
		if a.id < b.id {
			return -1
		}
		return 1
	})
	return &m.Motion, nil
}
