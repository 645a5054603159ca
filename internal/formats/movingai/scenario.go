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

// Row is a path that a scenario asks for.
type Row struct {
	Line          int
	Bucket        int // number of a group of paths of similar length
	Map           string
	Width, Height int     // cells, size to which the map is scaled; 0 means not scaled
	Start, Goal   [2]int  // cells, x and y from the upper left
	Octile        float64 // cells, length of the shortest path on the grid
}

// Scenario is a list of paths.
type Scenario struct {
	Path string
	Rows []Row
}

// ReadScenario reads the scenario at path, but not its maps: see Maps and Check. Errors begin with the file
// and, if there is one, the line.
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
		return nil, l.Failf("the file ends without a row, want at least one")
	}
	return s, nil
}

// readVersion reports whether the first line states the version, which early scenarios lack.
func readVersion(l *textio.Lines) (done bool, err error) {
	words := strings.Fields(l.Text)
	switch {
	case words[0] == "version":
		if v, err := strconv.ParseFloat(strings.Join(words[1:], " "), 64); err != nil || v != 0 && v != 1 {
			return false, l.Failf("the line is %q, want version 1", textio.Clip(l.Text))
		}
		return true, nil
	case words[0] == "type":
		return false, l.Failf(`"type" begins a map, want a scenario: "version 1"`)
	case len(words) < 7:
		return false, l.Failf("the line is %q, want version 1", textio.Clip(l.Text))
	}
	return false, nil
}

// readRow reads a row of nine columns, or of seven without the size of the map.
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
		return r, l.Failf("the number of columns is %d, want 9: bucket, map, width, height, start x and y, goal x and y, length", n)
	}
	r.Map = columns[1]
	if r.Map == "" {
		return r, l.Failf("map is empty, want the name of a map")
	}
	for _, c := range []struct {
		name        string
		column      int
		to          *int
		least, most int
	}{
		{"bucket", 0, &r.Bucket, 0, math.MaxInt32},
		{"width", 2, &r.Width, 1, maxSide}, {"height", 3, &r.Height, 1, maxSide},
		{"start x", n - 5, &r.Start[0], 0, maxSide}, {"start y", n - 4, &r.Start[1], 0, maxSide},
		{"goal x", n - 3, &r.Goal[0], 0, maxSide}, {"goal y", n - 2, &r.Goal[1], 0, maxSide},
	} {
		if n == 7 && (c.to == &r.Width || c.to == &r.Height) {
			continue
		}
		text := columns[c.column]
		if *c.to, err = strconv.Atoi(text); err != nil || *c.to < c.least || *c.to > c.most {
			return r, l.Failf("%s is %q, want a whole number from %d to %d", c.name, textio.Clip(text), c.least, c.most)
		}
	}
	length := columns[n-1]
	if r.Octile, err = strconv.ParseFloat(length, 64); err != nil || !(r.Octile >= 0 && r.Octile <= 1e9) {
		return r, l.Failf("length is %q, want a number from 0 to 1e9", textio.Clip(length))
	}
	return r, nil
}

// Check returns an error if the start or goal of a row is not a passable cell of its map, which must
// have the size that the row asks for.
func (s *Scenario) Check(r *Row, m *Map) error {
	for _, at := range []struct {
		name string
		cell [2]int
	}{{"start", r.Start}, {"goal", r.Goal}} {
		x, y := at.cell[0], at.cell[1]
		what := ""
		switch {
		case x >= m.Width || y >= m.Height:
			what = fmt.Sprintf("is outside the map, want x below %d and y below %d", m.Width, m.Height)
		case !m.Passable(x, y):
			what = fmt.Sprintf("is blocked (%c) in %s, want one of %s", m.At(x, y), m.Path, spaced(passable))
		default:
			continue
		}
		return fmt.Errorf("%s:%d: %s (%d, %d) %s", s.Path, r.Line, at.name, x, y, what)
	}
	return nil
}

// Maps reads the maps of rows, each map once.
type Maps struct {
	File string // of the only map; empty means that maps are in the folder of the scenario

	read, scaled map[string]*Map
}

// Of returns the map of row r of scenario s, in the size that the row asks for. Errors begin with the
// place of the row.
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
	sized, err := m.scaled(r.Width, r.Height)
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", s.Path, r.Line, err)
	}
	all.scaled[key] = sized
	return sized, nil
}

// find returns File, or else the file with the name or the path of the map in the folder of the scenario.
// The file may be gzipped.
func (all *Maps) find(s *Scenario, r *Row) (string, error) {
	if all.File != "" {
		if len(all.read) > 0 {
			return "", fmt.Errorf("%s:%d: the map is %q, but earlier rows name another map: one file cannot serve all rows", s.Path, r.Line, textio.Clip(r.Map))
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
				return file, nil // the reader reports other errors
			}
		}
	}
	return "", fmt.Errorf("%s:%d: the map %q is not in the folder of the scenario, want %s", s.Path, r.Line, textio.Clip(r.Map), tried[0])
}
