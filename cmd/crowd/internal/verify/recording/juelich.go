package recording

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r2"
)

// OpenJuelich opens a file of a folder of recordings, or of its folder juelich.
func OpenJuelich(folder, name string) (*os.File, error) {
	f, err := os.Open(filepath.Join(folder, name))
	if errors.Is(err, fs.ErrNotExist) {
		f, err = os.Open(filepath.Join(folder, "juelich", name))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--data is %s, want a folder with %s, or with that in juelich", folder, name)
	}
	return f, err
}

// ReadJuelich reads a recording of the Forschungszentrum Jülich: lines of a person, a
// frame, x, y and more, in centimeters, the lines of a person together and frame by frame.
// Empty lines and those that begin with # are passed over. name stands before errors, with
// the line.
func ReadJuelich(from io.Reader, name string, framesPerSecond float64) (*Recording, error) {
	r := &Recording{Dt: 1 / framesPerSecond}
	seen := map[uint64]bool{}
	lines, n := bufio.NewScanner(from), 0
	for lines.Scan() {
		n++
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		id, frame, at, err := juelichLine(text)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		k := len(r.People) - 1
		switch {
		case k >= 0 && r.People[k].ID == id && frame != r.People[k].Last()+1:
			return nil, fmt.Errorf("%s:%d: frame %d of person %d, want %d, the one after the last", name, n, frame, id, r.People[k].Last()+1)
		case k >= 0 && r.People[k].ID == id:
			r.People[k].At = append(r.People[k].At, at)
		case seen[id]:
			return nil, fmt.Errorf("%s:%d: person %d again, want all lines of a person together", name, n, id)
		default:
			seen[id] = true
			r.People = append(r.People, Person{ID: id, First: frame, At: []r2.Vec{at}})
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
	}
	if len(r.People) == 0 {
		return nil, fmt.Errorf("%s: nobody, want lines of a person, a frame, x, y", name)
	}
	r.begin()
	return r, nil
}

// juelichLine reads a line of a recording.
func juelichLine(text string) (id uint64, frame int, at r2.Vec, err error) {
	const mostFrames = 1e9
	fields := strings.Fields(text)
	if len(fields) < 4 {
		return 0, 0, at, fmt.Errorf("%d numbers, want a person, a frame, x, y", len(fields))
	}
	if id, err = strconv.ParseUint(fields[0], 10, 64); err != nil {
		return 0, 0, at, fmt.Errorf("person is %.40q, want a whole number from 0", fields[0])
	}
	if frame, err = strconv.Atoi(fields[1]); err != nil || frame < 0 || frame > mostFrames {
		return 0, 0, at, fmt.Errorf("frame is %.40q, want a whole number from 0 to 1e9", fields[1])
	}
	var place [2]float64
	for i, axis := range []string{"x", "y"} {
		place[i], err = strconv.ParseFloat(fields[2+i], 64)
		if err != nil || math.Abs(place[i]) > farthest || math.IsNaN(place[i]) {
			return 0, 0, at, fmt.Errorf("%s is %.40q, want centimeters from -1e9 to 1e9", axis, fields[2+i])
		}
	}
	return id, frame, r2.Vec{X: place[0] / 100, Y: place[1] / 100}, nil
}

// farthest is how far away people may be, in centimeters.
const farthest = 1e9

// begin counts frames from the first in which somebody is there.
func (r *Recording) begin() {
	first := math.MaxInt
	for i := range r.People {
		first = min(first, r.People[i].First)
	}
	for i := range r.People {
		p := &r.People[i]
		p.First -= first
		r.Frames = max(r.Frames, p.Last()+1)
	}
}
