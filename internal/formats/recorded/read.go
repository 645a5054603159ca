package recorded

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// Options supply what a file leaves out.
type Options struct {
	FrameRate float64         // frames per second; 0 means the rate in the file
	Unit      Unit            // empty means the unit in the file
	Columns   []string        // as in a header; nil means the columns in the file, or the usual ones
	Context   context.Context // nil means that nothing cancels reading
}

// Unit is a unit of length.
type Unit string

const (
	Meter      Unit = "m"
	Centimeter Unit = "cm"
)

const (
	mostRows                      = 1 << 24
	leastFrameRate, mostFrameRate = 0.01, 10_000
	farthest                      = 1e7 // m
	latest                        = 1e9 // s, or frames
)

var limits = textio.Limits{Bytes: 4 << 30, Line: 64 << 10}

// Check returns an error for the first option whose value is not allowed.
func (o *Options) Check() error {
	if o.FrameRate != 0 && !(o.FrameRate >= leastFrameRate && o.FrameRate <= mostFrameRate) {
		return fmt.Errorf("--recording frame-rate is %v, want %v to %d", o.FrameRate, leastFrameRate, mostFrameRate)
	}
	if o.Unit != "" && o.Unit != Meter && o.Unit != Centimeter {
		return fmt.Errorf("--recording unit is %.40q, want m or cm", string(o.Unit))
	}
	if o.Columns == nil {
		return nil
	}
	if _, err := layoutOf(o.Columns); err != nil {
		return fmt.Errorf("--recording columns is %.80q: %w", strings.Join(o.Columns, ","), err)
	}
	return nil
}

// Open reads the file at path, which may be gzipped.
func Open(path string, o Options) (*Crowd, error) {
	l, err := textio.OpenLines(o.Context, path, limits)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	return read(l, o)
}

// Read reads a file, which may be gzipped. Errors give name as the name of the file.
func Read(from io.Reader, name string, o Options) (*Crowd, error) {
	l, err := textio.ReadLines(o.Context, name, from, limits)
	if err != nil {
		return nil, err
	}
	return read(l, o)
}

type reader struct {
	*textio.Lines
	options   Options
	frameRate float64 // frames per second; 0 means unknown
	unit      Unit
	said      *layout // layout stated in a comment or header; nil means none
	layout    *layout // nil before the first row
	people    gathering
}

func read(l *textio.Lines, o Options) (*Crowd, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	r := &reader{Lines: l, options: o, people: gathering{index: map[uint64]int{}}}
	for l.Next() {
		if err := r.line(strings.TrimSpace(l.Text)); err != nil {
			return nil, err
		}
	}
	if err := l.Ended(); err != nil {
		return nil, err
	}
	if r.people.rows == 0 {
		return nil, fmt.Errorf("%s: no trajectories: want rows of id, frame, x, y", l.Path)
	}
	return r.people.crowd(l.Path, r.layout.frame < 0, r.layout.end >= 0)
}

func (r *reader) line(text string) error {
	switch {
	case text == "":
		return nil
	case strings.IndexByte(text, 0) >= 0:
		return r.Failf("the line is not text, want a person, a frame, x, y")
	case text[0] == '#':
		return r.comment(text[1:])
	}
	fields := split(text)
	if r.layout == nil {
		header, err := r.begin(fields)
		if err != nil || header {
			return err
		}
	}
	return r.row(fields)
}

func (r *reader) begin(fields []string) (header bool, err error) {
	number := isNumber(fields[0])
	if i := slices.IndexFunc(fields, decimalComma.MatchString); i >= 0 && r.said == nil {
		return false, r.Failf("column %d is %q, want %s", i+1, textio.Clip(strings.TrimSpace(fields[i])), point)
	}
	switch {
	case !number:
		named, err := layoutOf(fields)
		if err != nil {
			return true, r.Failf("the header is %q: %v", textio.Clip(strings.Join(fields, " ")), err)
		}
		r.said = named
	case r.said == nil && r.options.Columns == nil && len(fields) == len(obsmat):
		r.said, _ = layoutOf(obsmat)
		r.said.unit = Meter
	case r.said == nil:
		r.said, _ = layoutOf(usual)
	}
	if r.layout = r.said; r.options.Columns != nil {
		given, err := layoutOf(r.options.Columns)
		if err != nil {
			return false, err
		}
		given.unit = r.said.unit
		r.layout = given
	}
	return !number, r.settle()
}

// settle sets the unit and the frame rate, on which the file and the options must agree.
func (r *reader) settle() error {
	o := &r.options
	r.unit = r.layout.unit
	switch {
	case r.unit == "":
		r.unit = o.Unit
	case o.Unit != "" && o.Unit != r.unit:
		return fmt.Errorf("%s says that lengths are in %s, but --recording unit is %s", r.Path, r.unit, o.Unit)
	}
	if r.unit == "" {
		return fmt.Errorf("%s does not state the unit of its lengths, want --recording unit=m or cm", r.Path)
	}
	if r.layout.frame < 0 {
		return nil
	}
	switch {
	case r.frameRate == 0:
		r.frameRate = o.FrameRate
	case o.FrameRate != 0 && math.Abs(o.FrameRate-r.frameRate) > 1e-9*r.frameRate:
		return fmt.Errorf("%s says that it has %v frames per second, but --recording frame-rate is %v", r.Path, r.frameRate, o.FrameRate)
	}
	if r.frameRate == 0 {
		return fmt.Errorf("%s does not state its frame rate, want --recording frame-rate, such as --recording frame-rate=25", r.Path)
	}
	return nil
}

func parse(text string) (float64, bool) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return x, err == nil
}

const point = "a number with a decimal point"

func (r *reader) row(fields []string) error {
	l := r.layout
	if len(fields) < l.width {
		return r.Failf("the number of columns is %d, want %d or more", len(fields), l.width)
	}
	if r.people.rows >= mostRows {
		return r.Failf("too many rows: want at most %d", mostRows)
	}
	id, err1 := r.id(fields[l.id])
	t, err2 := r.time(fields)
	at, err3 := r.place(fields, l.x, l.y)
	if err := cmp.Or(err1, err2, err3); err != nil {
		return err
	}
	if r.people.add(id, t, at, r.Number); l.end < 0 {
		return nil
	}
	end, ok := parse(fields[l.end])
	if !ok || !(end >= t && end <= latest) {
		return r.bad("endTime", fields[l.end], fmt.Sprintf("seconds from simTime, %v, to 1e9", t))
	}
	to, err := r.place(fields, l.endX, l.endY)
	if err != nil {
		return err
	}
	r.people.add(id, end, to, r.Number)
	return nil
}

// id reads the number of a person. Some files write 1 as 1.0000e+00.
func (r *reader) id(text string) (uint64, error) {
	text = strings.TrimSpace(text)
	if id, err := strconv.ParseUint(text, 10, 64); err == nil {
		return id, nil
	}
	if x, ok := parse(text); ok && x == math.Trunc(x) && x >= 0 && x < 1<<53 {
		return uint64(x), nil
	}
	return 0, r.bad("person", text, "a whole number, 0 or more")
}

func (r *reader) time(fields []string) (float64, error) {
	if column := r.layout.frame; column >= 0 {
		frame, ok := parse(fields[column])
		if !ok || frame != math.Trunc(frame) || math.Abs(frame) > latest {
			return 0, r.bad("frame", fields[column], "a whole number from -1e9 to 1e9")
		}
		return frame / r.frameRate, nil
	}
	column := r.layout.time
	t, ok := parse(fields[column])
	if !ok || !(math.Abs(t) <= latest) {
		return 0, r.bad("time", fields[column], "seconds from -1e9 to 1e9")
	}
	return t, nil
}

func (r *reader) bad(name, text, want string) error {
	if decimalComma.MatchString(text) {
		want = point
	}
	return r.Failf("%s is %q, want %s", name, textio.Clip(text), want)
}

func (r *reader) place(fields []string, x, y int) (at r2.Vec, err error) {
	for _, c := range []struct {
		name   string
		column int
		to     *float64
	}{{"x", x, &at.X}, {"y", y, &at.Y}} {
		v, ok := parse(fields[c.column])
		if r.unit == Centimeter {
			v /= 100
		}
		if *c.to = v; !ok || !(math.Abs(v) <= farthest) {
			return at, r.bad(c.name, fields[c.column], "a number from -1e7 to 1e7 m")
		}
	}
	return at, nil
}
