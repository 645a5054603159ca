package menge

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// meshObstacles reads the obstacles of a navigation mesh: after the corners and the edges of
// the mesh, lines with two corners, a node and the next obstacle.
func (r *reader) meshObstacles(t textio.Tag, path string) error {
	m, closed, err := openMesh(r, path)
	if err != nil {
		return fmt.Errorf("%s: <ObstacleSet>: %w", r.Place(t.Line), err)
	}
	defer closed()
	r.p.Files = append(r.p.Files, path)
	var corners []r2.Vec
	for range m.count("corners") {
		at := r2.Vec{X: m.number("x"), Y: m.number("y")}
		if m.err != nil {
			break
		}
		corners = append(corners, at)
	}
	for range m.count("edges") {
		if m.err != nil {
			break
		}
		for _, what := range []string{"corner", "corner", "node", "node"} {
			m.number(what)
		}
	}
	for range m.count("obstacles") {
		a, b := m.index(len(corners)), m.index(len(corners))
		m.number("node")
		if m.number("next obstacle"); m.err != nil {
			break
		}
		if corners[a] != corners[b] {
			r.p.Obstacles = append(r.p.Obstacles, Obstacle{Corners: []r2.Vec{corners[a], corners[b]}})
		}
	}
	return m.err
}

// mesh is a file of numbers between blanks.
type mesh struct {
	path string
	line int
	in   *bufio.Scanner
	err  error // the first
}

func openMesh(r *reader, path string) (*mesh, func() error, error) {
	if err := r.allow(path); err != nil {
		return nil, nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > r.Options.MaxBytes {
		return nil, nil, fmt.Errorf("%s: want a regular file of at most %d bytes", path, r.Options.MaxBytes)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	m := &mesh{path: path, line: 1}
	var in io.Reader = file
	if r.Options.Context != nil {
		in = textio.WithContext(r.Options.Context, file)
	}
	m.in = bufio.NewScanner(in)
	m.in.Split(m.words)
	return m, file.Close, nil
}

// words splits at blanks, and counts lines.
func (m *mesh) words(data []byte, end bool) (advance int, word []byte, err error) {
	for advance < len(data) && data[advance] <= ' ' {
		if data[advance] == '\n' {
			m.line++
		}
		advance++
	}
	for i := advance; i < len(data); i++ {
		if data[i] <= ' ' {
			return i, data[advance:i], nil
		}
	}
	if end && advance < len(data) {
		return len(data), data[advance:], nil
	}
	return advance, nil, nil
}

func (m *mesh) number(what string) float64 {
	if m.err != nil {
		return 0
	}
	if !m.in.Scan() {
		if m.err = m.in.Err(); m.err == nil {
			m.err = fmt.Errorf("%s:%d: the file ends, want a number: %s", m.path, m.line, what)
		}
		return 0
	}
	x, wanted := textio.Number(m.in.Text(), anyNumber.ok, "a number: "+what)
	if wanted != "" {
		m.err = fmt.Errorf("%s:%d: %q, want %s", m.path, m.line, textio.Clip(m.in.Text()), wanted)
	}
	return x
}

// count reads how many there are. What follows is read one by one, so that a wrong count
// ends with the file.
func (m *mesh) count(what string) int {
	x := m.number("how many " + what)
	if m.err == nil && !wholeNumber.ok(x) {
		m.err = fmt.Errorf("%s:%d: %s %s, want %s", m.path, m.line, strconv.FormatFloat(x, 'g', -1, 64), what, wholeNumber.want)
	}
	if m.err != nil {
		return 0
	}
	return int(x)
}

func (m *mesh) index(n int) int {
	x := m.number("corner")
	if m.err == nil && !(wholeNumber.ok(x) && int(x) < n) {
		m.err = fmt.Errorf("%s:%d: corner %v, want a whole number below %d", m.path, m.line, x, n)
	}
	if m.err != nil {
		return 0
	}
	return int(x)
}
