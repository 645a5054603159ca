package recorded

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

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
		return r.Failf("endTime is %q, want %s", textio.ClipLine(fields[l.end]), want(fields[l.end], fmt.Sprintf("seconds from simTime, %v, to 1e9", t)))
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
	return 0, r.Failf("person is %q, want %s", textio.ClipLine(text), want(text, "a whole number from 0"))
}

// time reads when a row is, in seconds.
func (r *reader) time(fields []string) (float64, error) {
	if l := r.layout; l.frame >= 0 {
		frame, ok := parse(fields[l.frame])
		if !ok || frame != math.Trunc(frame) || math.Abs(frame) > latest {
			return 0, r.Failf("frame is %q, want %s", textio.ClipLine(fields[l.frame]), want(fields[l.frame], "a whole number from -1e9 to 1e9"))
		}
		return frame / r.frameRate, nil
	}
	t, ok := parse(fields[r.layout.time])
	if !ok || !(math.Abs(t) <= latest) {
		return 0, r.Failf("time is %q, want %s", textio.ClipLine(fields[r.layout.time]), want(fields[r.layout.time], "seconds from -1e9 to 1e9"))
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
			return at, r.Failf("%s is %q, want %s", c.name, textio.ClipLine(fields[c.column]), want(fields[c.column], "a number up to 1e7 m"))
		}
	}
	return at, nil
}
