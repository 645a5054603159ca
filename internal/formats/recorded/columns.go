package recorded

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/internal/textio"
)

var (
	usual  = []string{"id", "frame", "x", "y"}
	obsmat = []string{"frame", "id", "x", "-", "y", "-", "-", "-"}
)

// columnNames maps the names of columns to what the columns contain. Other columns are ignored.
var columnNames = map[string]string{
	"id": "id", "persid": "id", "personid": "id", "person_id": "id", "pedestrianid": "id", "agent_id": "id", "track_id": "id",
	"frame": "frame", "fr": "frame", "timestep": "frame", "frame_id": "frame",
	"time": "time", "simtime": "time", "endtime": "end",
	"x": "x", "startx": "x", "y": "y", "starty": "y", "endx": "endx", "endy": "endy",
}

// layout holds the index of each column, or -1 if it is missing.
type layout struct {
	id, frame, time, x, y int
	end, endX, endY       int  // of a step
	unit                  Unit // of length; empty if the header has none
	width                 int  // minimum number of columns
}

// pid is a suffix of Vadere's column names.
var pid = regexp.MustCompile(`-pid\d+$`)

func layoutOf(names []string) (*layout, error) {
	at := map[string]int{}
	l := &layout{}
	var normal []string
	for i, name := range names {
		name = pid.ReplaceAllString(strings.ToLower(strings.TrimSpace(name)), "")
		name, unit, _ := strings.Cut(name, "/")
		normal = append(normal, name)
		what := columnNames[name]
		if what == "" {
			continue
		}
		if _, twice := at[what]; twice {
			return nil, fmt.Errorf("two columns contain %s, want one", what)
		}
		at[what] = i
		if what == "x" || what == "y" {
			if err := l.setUnit(Unit(unit)); err != nil {
				return nil, err
			}
		}
		l.width = i + 1
	}
	column := func(what string) int {
		if i, has := at[what]; has {
			return i
		}
		return -1
	}
	l.id, l.frame, l.time, l.x, l.y = column("id"), column("frame"), column("time"), column("x"), column("y")
	l.end, l.endX, l.endY = column("end"), column("endx"), column("endy")
	switch {
	case l.id < 0 || l.x < 0 || l.y < 0 || l.frame < 0 && l.time < 0:
		return nil, errors.New("want id, frame or time, x and y among the columns")
	case l.frame >= 0 && l.time >= 0:
		l.frame = -1 // time is the same, in seconds
	}
	if l.endX < 0 || l.endY < 0 || l.time < 0 {
		l.end = -1
	}
	if l.unit == "" && (slices.Contains(normal, "pedestrianid") || slices.Equal(normal, []string{"id", "time", "x", "y", "vx", "vy"})) {
		l.unit = Meter // as in files of Vadere and of crowd run
	}
	return l, nil
}

func (l *layout) setUnit(u Unit) error {
	switch {
	case u == "":
		return nil
	case u != Meter && u != Centimeter:
		return fmt.Errorf("the unit of length is %.40q, want m or cm", string(u))
	case l.unit != "" && l.unit != u:
		return fmt.Errorf("x and y are in different units, %s and %s, want the same unit", l.unit, u)
	}
	l.unit = u
	return nil
}

var frameRate = regexp.MustCompile(`(?i)^\s*frame\s*-?rate\s*[:=]\s*(\S+)`)

func (r *reader) comment(text string) error {
	if r.layout != nil {
		return nil
	}
	if found := frameRate.FindStringSubmatch(text); found != nil {
		rate, err := strconv.ParseFloat(strings.TrimRight(strings.ToLower(found[1]), "fps"), 64)
		if err != nil || !(rate >= leastFrameRate && rate <= mostFrameRate) {
			return r.Failf("framerate is %q, want %v to %d", textio.Clip(found[1]), leastFrameRate, mostFrameRate)
		}
		r.frameRate = rate
		return nil
	}
	if l, err := layoutOf(split(strings.TrimSpace(text))); err == nil {
		r.said = l
	} else if strings.Contains(text, "x/") && strings.Contains(text, "y/") {
		return r.Failf("the header is %q: %v", textio.Clip(strings.TrimSpace(text)), err)
	}
	return nil
}

// split returns the columns of a line. If semicolons separate them, or blanks separate at least four
// numbers, commas are decimal commas.
func split(text string) []string {
	if strings.Contains(text, ";") {
		return strings.Split(text, ";")
	}
	fields := strings.Fields(text)
	if !strings.Contains(text, ",") || len(fields) >= len(usual) && !slices.ContainsFunc(fields, func(f string) bool { return !isNumber(f) }) {
		return fields
	}
	return strings.Split(text, ",")
}

var decimalComma = regexp.MustCompile(`^\s*[+-]?\d+,\d+([eE][+-]?\d+)?\s*$`)

// isNumber reports whether a text is a number, with a decimal point or comma.
func isNumber(text string) bool {
	_, is := parse(text)
	return is || decimalComma.MatchString(text)
}

// Is reports whether head begins like a file for Read: the first line that is neither empty nor a
// comment begins with four numbers, or contains the names of columns.
func Is(head []byte) bool {
	for line := range strings.Lines(strings.TrimPrefix(string(head), "\ufeff")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		fields := split(line)
		if _, err := layoutOf(fields); err == nil {
			return true
		}
		for i, field := range fields {
			if !isNumber(field) {
				return i >= len(usual)
			}
		}
		return len(fields) >= len(usual)
	}
	return false
}
