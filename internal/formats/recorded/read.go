package recorded

import (
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

// Options say what a file does not.
type Options struct {
	FrameRate float64  // frames a second; 0: the file says it
	Unit      Unit     // of lengths; empty: the file says it
	Columns   []string // what its columns are: see columnNames; nil: the file says it, or has the usual order

	Context context.Context // ends reading early, with its error; nil: nothing does
}

// Unit is what lengths of a file are in.
type Unit string

// The units that there are.
const (
	Meter      Unit = "m"
	Centimeter Unit = "cm"
)

// meters returns a length of a file in meters.
func (u Unit) meters(x float64) float64 {
	if u == Centimeter {
		return x / 100
	}
	return x
}

// Limits of what is read.
const (
	mostRows                      = 1 << 24
	leastFrameRate, mostFrameRate = 0.01, 10_000
	farthest                      = 1e7 // m
	latest                        = 1e9 // s, or frames
)

var limits = textio.Limits{Bytes: 4 << 30, Line: 64 << 10}

// Check returns an error that names the first of the options that does not fit.
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

// Open reads a file, which may be gzipped.
func Open(path string, o Options) (*Crowd, error) {
	l, err := textio.OpenLines(o.context(), path, limits)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	return read(l, o)
}

// Read reads what a file has; name stands before errors, with the line.
func Read(from io.Reader, name string, o Options) (*Crowd, error) {
	l, err := textio.ReadLines(o.context(), name, from, limits)
	if err != nil {
		return nil, err
	}
	return read(l, o)
}

func (o *Options) context() context.Context {
	if o.Context == nil {
		return context.Background()
	}
	return o.Context
}

// reader reads a file.
type reader struct {
	*textio.Lines
	options   Options
	frameRate float64 // frames a second; 0: not known
	unit      Unit
	said      *layout // by a comment; nil: by none
	layout    *layout // nil: no row has come
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

// line reads a line.
func (r *reader) line(text string) error {
	switch {
	case text == "":
		return nil
	case strings.IndexByte(text, 0) >= 0:
		return r.Failf("this is no text, want lines of a person, a frame, x, y")
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

// begin finds out what the columns are from the first line that is no comment, and tells
// whether that is a header.
func (r *reader) begin(fields []string) (header bool, err error) {
	number := isNumber(fields[0])
	if i := slices.IndexFunc(fields, decimalComma.MatchString); i >= 0 && r.said == nil { // whatever else is missing
		return false, r.Failf("column %d is %q, want %s", i+1, textio.Clip(strings.TrimSpace(fields[i])), point)
	}
	switch {
	case !number:
		named, err := layoutOf(fields)
		if err != nil {
			return true, r.Failf("the header is %q: %v", textio.Clip(strings.Join(fields, " ")), err)
		}
		r.said = named
	case r.said == nil && len(fields) == len(obsmat):
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

// settle verifies that unit and frame rate are given once, by the file or by the options.
func (r *reader) settle() error {
	o := &r.options
	switch {
	case r.unit == "":
		r.unit = r.layout.unit
	case r.layout.unit != "" && r.layout.unit != r.unit:
		return r.Failf("lengths are in %s, and in %s as a comment says", r.layout.unit, r.unit)
	}
	switch {
	case r.unit == "":
		r.unit = o.Unit
	case o.Unit != "" && o.Unit != r.unit:
		return fmt.Errorf("%s says that lengths are in %s, and --recording unit is %s", r.Path, r.unit, o.Unit)
	}
	if r.unit == "" {
		return fmt.Errorf("%s does not say the unit of its lengths, want --recording unit=m or cm", r.Path)
	}
	if r.layout.frame < 0 { // times are in seconds
		return nil
	}
	switch {
	case r.frameRate == 0:
		r.frameRate = o.FrameRate
	case o.FrameRate != 0 && math.Abs(o.FrameRate-r.frameRate) > 1e-9*r.frameRate:
		return fmt.Errorf("%s says that it has %v frames a second, and --recording frame-rate is %v", r.Path, r.frameRate, o.FrameRate)
	}
	if r.frameRate == 0 {
		return fmt.Errorf("%s does not say its frames a second, want --recording frame-rate, such as --recording frame-rate=25", r.Path)
	}
	return nil
}

// parse reads a number.
func parse(text string) (float64, bool) {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return x, err == nil
}

// point is what is wanted in place of a decimal comma.
const point = "a number with a decimal point"

// want returns what is wanted in place of a column that is not as it should be.
func want(text, otherwise string) string {
	if decimalComma.MatchString(text) {
		return point
	}
	return otherwise
}

// row reads where a person was.
func (r *reader) row(fields []string) error {
	l := r.layout
	if len(fields) < l.width {
		return r.Failf("%d columns, want %d or more", len(fields), l.width)
	}
	if r.people.rows >= mostRows {
		return r.Failf("more than %d rows, want fewer", mostRows)
	}
	id, err := r.id(fields[l.id])
	if err != nil {
		return err
	}
	t, err := r.time(fields)
	if err != nil {
		return err
	}
	at, err := r.place(fields, l.x, l.y)
	if err != nil {
		return err
	}
	if r.people.add(id, t, at, r.Number); l.end < 0 {
		return nil
	}
	end, ok := parse(fields[l.end])
	if !ok || !(end >= t && end <= latest) {
		return r.Failf("endTime is %q, want %s", textio.Clip(fields[l.end]), want(fields[l.end], fmt.Sprintf("seconds from simTime, %v, to 1e9", t)))
	}
	to, err := r.place(fields, l.endX, l.endY)
	if err != nil {
		return err
	}
	r.people.add(id, end, to, r.Number)
	return nil
}

// id reads the number of a person, which some files write as 1.0000e+00.
func (r *reader) id(text string) (uint64, error) {
	text = strings.TrimSpace(text)
	if id, err := strconv.ParseUint(text, 10, 64); err == nil {
		return id, nil
	}
	if x, ok := parse(text); ok && x == math.Trunc(x) && x >= 0 && x < 1<<53 {
		return uint64(x), nil
	}
	return 0, r.Failf("person is %q, want %s", textio.Clip(text), want(text, "a whole number from 0"))
}

// time reads when a row is, in seconds.
func (r *reader) time(fields []string) (float64, error) {
	if l := r.layout; l.frame >= 0 {
		frame, ok := parse(fields[l.frame])
		if !ok || frame != math.Trunc(frame) || math.Abs(frame) > latest {
			return 0, r.Failf("frame is %q, want %s", textio.Clip(fields[l.frame]), want(fields[l.frame], "a whole number from -1e9 to 1e9"))
		}
		return frame / r.frameRate, nil
	}
	t, ok := parse(fields[r.layout.time])
	if !ok || !(math.Abs(t) <= latest) {
		return 0, r.Failf("time is %q, want %s", textio.Clip(fields[r.layout.time]), want(fields[r.layout.time], "seconds from -1e9 to 1e9"))
	}
	return t, nil
}

// place reads a place, in meters.
func (r *reader) place(fields []string, x, y int) (at r2.Vec, err error) {
	for _, c := range []struct {
		name   string
		column int
		to     *float64
	}{{"x", x, &at.X}, {"y", y, &at.Y}} {
		v, ok := parse(fields[c.column])
		if *c.to = r.unit.meters(v); !ok || !(math.Abs(*c.to) <= farthest) {
			return at, r.Failf("%s is %q, want %s", c.name, textio.Clip(fields[c.column]), want(fields[c.column], "a number up to 1e7 m"))
		}
	}
	return at, nil
}
