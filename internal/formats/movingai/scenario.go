package movingai

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/internal/textio"
)

// Row is a way that a scenario asks for.
type Row struct {
	Line          int // of the file
	Bucket        int
	Map           string  // as the file names it
	Width, Height int     // cells, to which the map is scaled; 0: it is as it is
	Start, Goal   [2]int  // cells, x and y, from the upper left
	Octile        float64 // cells, length of the shortest way over the grid
}

// Scenario is a list of ways.
type Scenario struct {
	Path string
	Rows []Row
}

// ReadScenario reads a scenario. Errors name the file and the line. Rows are not compared with
// their map yet: see Check.
func ReadScenario(ctx context.Context, path string) (*Scenario, error) {
	l, err := textio.OpenLines(ctx, path, limits)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	s, begun := &Scenario{Path: path}, false
	for l.Next() {
		switch {
		case l.Text == "":
			continue
		case !begun:
			begun = true
			if done, err := readVersion(l); err != nil {
				return nil, err
			} else if done {
				continue
			}
		}
		row, err := readRow(l)
		if err != nil {
			return nil, err
		}
		s.Rows = append(s.Rows, row)
	}
	switch err := l.Ended(); {
	case err != nil:
		return nil, err
	case !begun:
		l.Number = 1
		return nil, l.Failf("the file is empty, want version 1")
	case len(s.Rows) == 0:
		return nil, l.Failf("the file ends without a row")
	}
	return s, nil
}

// readVersion reads the first line if it is that of the version. The first scenarios had none.
func readVersion(l *textio.Lines) (done bool, err error) {
	words := strings.Fields(l.Text)
	switch {
	case words[0] == "version":
		if v, err := strconv.ParseFloat(strings.Join(words[1:], " "), 64); err != nil || v != 0 && v != 1 {
			return false, l.Failf("%q, want version 1", textio.Clip(l.Text))
		}
		return true, nil
	case words[0] == "type":
		return false, l.Failf("type begins a map, want a scenario: version 1")
	case len(words) < 7:
		return false, l.Failf("%q, want version 1", textio.Clip(l.Text))
	}
	return false, nil
}

// readRow reads a row: of nine columns, or of seven without the size of the map.
func readRow(l *textio.Lines) (r Row, err error) {
	columns := strings.Split(l.Text, "\t")
	for i := range columns {
		columns[i] = strings.TrimSpace(columns[i])
	}
	if len(columns) != 7 && len(columns) != 9 {
		columns = strings.Fields(l.Text)
	}
	r.Line = l.Number
	n := len(columns)
	if n != 7 && n != 9 {
		return r, l.Failf("the row has %d columns, want 9: bucket, map, width, height, start x and y, goal x and y, length", n)
	}
	r.Map = columns[1]
	if r.Map == "" {
		return r, l.Failf("map is empty, want the name of a map")
	}
	type column struct {
		name        string
		text        string
		to          *int
		least, most int
	}
	numbers := []column{{"bucket", columns[0], &r.Bucket, 0, math.MaxInt32}}
	if n == 9 {
		numbers = append(numbers, column{"width", columns[2], &r.Width, 1, maxSide}, column{"height", columns[3], &r.Height, 1, maxSide})
	}
	for i, name := range []string{"start x", "start y", "goal x", "goal y"} {
		to := &r.Start[i%2]
		if i > 1 {
			to = &r.Goal[i%2]
		}
		numbers = append(numbers, column{name, columns[n-5+i], to, 0, maxSide})
	}
	for _, c := range numbers {
		if *c.to, err = strconv.Atoi(c.text); err != nil || *c.to < c.least || *c.to > c.most {
			return r, l.Failf("%s is %q, want a whole number from %d to %d", c.name, textio.Clip(c.text), c.least, c.most)
		}
	}
	length := columns[n-1]
	if r.Octile, err = strconv.ParseFloat(length, 64); err != nil || !(r.Octile >= 0 && r.Octile <= 1e9) {
		return r, l.Failf("length is %q, want a number from 0 to 1e9", textio.Clip(length))
	}
	return r, nil
}

// Check returns an error that names the row's file and line if its start or goal is not a
// passable cell of the map, which has the size that the row gives.
func (s *Scenario) Check(r *Row, m *Map) error {
	for _, at := range []struct {
		name string
		cell [2]int
	}{{"start", r.Start}, {"goal", r.Goal}} {
		x, y := at.cell[0], at.cell[1]
		what := ""
		switch {
		case x >= m.Width || y >= m.Height:
			what = fmt.Sprintf("is outside the map, want a cell below (%d, %d)", m.Width, m.Height)
		case !m.Passable(x, y):
			what = fmt.Sprintf("is blocked (%c) in %s, want one of %s", m.At(x, y), m.Path, spaced(passable))
		default:
			continue
		}
		return fmt.Errorf("%s:%d: %s (%d, %d) %s", s.Path, r.Line, at.name, x, y, what)
	}
	return nil
}

// Maps are maps that rows name, each read once.
type Maps struct {
	// File is where the map is. Empty: beside the scenario.
	File string

	read   map[string]*Map
	scaled map[string]*Map
}

// Of returns the map of a row, in the size that the row gives.
func (all *Maps) Of(ctx context.Context, s *Scenario, r *Row) (*Map, error) {
	if all.read == nil {
		all.read, all.scaled = map[string]*Map{}, map[string]*Map{}
	}
	m := all.read[r.Map]
	if m == nil {
		file, err := all.find(s, r)
		if err != nil {
			return nil, err
		}
		if m, err = ReadMap(ctx, file); err != nil {
			return nil, fmt.Errorf("%s:%d: the map %q can't be read: %w", s.Path, r.Line, textio.Clip(r.Map), err)
		}
		all.read[r.Map] = m
	}
	if r.Width == 0 {
		return m, nil
	}
	key := fmt.Sprintf("%d × %d %s", r.Width, r.Height, r.Map)
	if sized := all.scaled[key]; sized != nil {
		return sized, nil
	}
	sized, err := m.Scaled(r.Width, r.Height)
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", s.Path, r.Line, err)
	}
	all.scaled[key] = sized
	return sized, nil
}

// find returns the file of a row's map: under the path that the row gives, or under the name
// alone, from the folder of the scenario; either may be gzipped.
func (all *Maps) find(s *Scenario, r *Row) (string, error) {
	if all.File != "" {
		if len(all.read) > 0 {
			return "", fmt.Errorf("%s:%d: the map is %q, and rows before name another: one file for all won't do", s.Path, r.Line, textio.Clip(r.Map))
		}
		return all.File, nil
	}
	folder, name := filepath.Dir(s.Path), filepath.FromSlash(strings.ReplaceAll(r.Map, `\`, "/"))
	tried := []string{filepath.Join(folder, filepath.Base(name))}
	if filepath.IsLocal(name) {
		tried = append(tried, filepath.Join(folder, name))
	}
	for _, file := range tried {
		for _, file := range []string{file, file + ".gz"} {
			if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
				return file, nil // what else is wrong with it the reader says
			}
		}
	}
	return "", fmt.Errorf("%s:%d: the map %q is not beside the scenario, want %s", s.Path, r.Line, textio.Clip(r.Map), tried[0])
}
