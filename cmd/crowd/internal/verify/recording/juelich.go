package recording

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"

	"gonum.org/v1/gonum/spatial/r2"
)

// ReadJuelich reads a recording of the Forschungszentrum Jülich: lines of a person, a
// frame, x, y and more, in centimeters, ordered by person and frame. name stands before
// errors.
func ReadJuelich(from io.Reader, name string, framesPerSecond float64) (*Recording, error) {
	r := &Recording{Dt: 1 / framesPerSecond}
	lines, n := bufio.NewScanner(from), 0
	first := math.MaxInt
	for lines.Scan() {
		n++
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		var id uint64
		var frame int
		var x, y float64
		if _, err := fmt.Sscan(text, &id, &frame, &x, &y); err != nil {
			return nil, fmt.Errorf("%s:%d: got=%q, want a person, a frame, x, y: %w", name, n, text, err)
		}
		at := r2.Vec{X: x / 100, Y: y / 100}
		if math.IsNaN(at.X-at.X) || math.IsNaN(at.Y-at.Y) || frame < 0 || frame > 1e9 {
			return nil, fmt.Errorf("%s:%d: got=%q, want finite places and frames from 0 to 1e9", name, n, text)
		}
		k := len(r.People) - 1
		switch {
		case k < 0 || r.People[k].ID != id:
			r.People = append(r.People, Person{ID: id, First: frame, At: []r2.Vec{at}})
			first = min(first, frame)
		case frame != r.People[k].Last()+1:
			return nil, fmt.Errorf("%s:%d: frame %d of person %d, want %d, the one after the last", name, n, frame, id, r.People[k].Last()+1)
		default:
			r.People[k].At = append(r.People[k].At, at)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(r.People) == 0 {
		return nil, fmt.Errorf("%s: nobody, want lines of a person, a frame, x, y", name)
	}
	for i := range r.People {
		p := &r.People[i]
		p.First -= first
		r.Frames = max(r.Frames, p.Last()+1)
	}
	return r, nil
}
