package study

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
)

// reader joins the tables of sweeps.
type reader struct {
	*Study
	axes   map[string]int
	values []map[string]int // of each axis, which value has a text
	points map[string]*Point
	layout layout
}

// layout is where the columns of one table are.
type layout struct {
	axes         []int // which axis of the study each is; they begin in column 1
	seed, status int
	figures      []int // columns of those that are wanted; -1: there is none
	cells        int
}

// Reader is one table, and its name in errors.
type Reader struct {
	io.Reader
	Name string
}

// Read reads tables that crowd sweep wrote, and keeps the figures that are wanted. An axis that
// only some tables have is left open in the points of the others.
func Read(ctx context.Context, tables []Reader, wanted []string) (*Study, error) {
	r := &reader{Study: &Study{wanted: wanted}, axes: map[string]int{}, points: map[string]*Point{}}
	for _, t := range tables {
		if err := r.table(ctx, t); err != nil {
			return nil, err
		}
	}
	if len(r.Points) == 0 {
		return nil, fmt.Errorf("%s: has no runs", tables[0].Name)
	}
	for i := range r.Axes {
		r.sortAxis(i)
	}
	return r.Study, nil
}

func (r *reader) table(ctx context.Context, t Reader) error {
	in := csv.NewReader(t)
	in.ReuseRecord, in.FieldsPerRecord = true, -1
	header, err := in.Read()
	if err == nil {
		err = r.header(header)
	}
	if err != nil {
		return at(t.Name, 1, err)
	}
	line := 1
	for {
		row, err := in.Read()
		if err == io.EOF {
			return ctx.Err()
		}
		if err == nil { // otherwise there may be no field
			line, _ = in.FieldPos(0)
			err = r.row(row)
		}
		if err != nil {
			return at(t.Name, line, err)
		}
		if r.Runs%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// at says where an error is.
func at(name string, line int, err error) error {
	var bad *csv.ParseError
	switch {
	case errors.As(err, &bad):
		return fmt.Errorf("%s:%d: is no CSV: %w", name, bad.Line, bad.Err)
	case err == io.EOF:
		return fmt.Errorf("%s: is empty, want results.csv of crowd sweep", name)
	}
	return fmt.Errorf("%s:%d: %w", name, line, err)
}

// header reads the names of the columns.
func (r *reader) header(names []string) error {
	l := layout{seed: slices.Index(names, "seed"), status: slices.Index(names, "status"), cells: len(names)}
	if names[0] != "index" || l.seed < 2 || l.status != l.seed+1 {
		return errors.New("is no table of crowd sweep: want the columns index, axes, seed, status, …")
	}
	for i, name := range names {
		if slices.Index(names, name) < i {
			return fmt.Errorf("two columns are called %q", name)
		}
	}
	for _, name := range names[1:l.seed] {
		i, known := r.axes[name]
		if !known {
			i = len(r.Axes)
			r.axes[name], r.Axes, r.values = i, append(r.Axes, &Axis{Name: strings.Clone(name)}), append(r.values, map[string]int{})
			for _, p := range r.Points {
				p.At = append(p.At, -1)
			}
		}
		l.axes = append(l.axes, i)
	}
	for _, name := range names[l.status+1:] {
		if !slices.Contains([]string{"error", "trace_hash", "hash", "machine", "version"}, name) && !slices.Contains(r.Figures, name) {
			r.Figures = append(r.Figures, strings.Clone(name))
		}
	}
	for _, name := range r.wanted {
		i := slices.Index(names, name)
		if i <= l.status {
			i = -1
		}
		l.figures = append(l.figures, i)
	}
	r.layout = l
	return nil
}

// row reads one run.
func (r *reader) row(cells []string) error {
	l := &r.layout
	if len(cells) != l.cells {
		return fmt.Errorf("%d cells, want %d as in the first line", len(cells), l.cells)
	}
	seed, err := strconv.ParseUint(cells[l.seed], 10, 64)
	if err != nil {
		return fmt.Errorf("seed is %q, want a whole number", cells[l.seed])
	}
	place := make([]int, len(r.Axes))
	for i := range place {
		place[i] = -1
	}
	for k, i := range l.axes {
		text := cells[1+k]
		if text == "" {
			continue
		}
		value, known := r.values[i][text]
		if !known {
			text = strings.Clone(text) // the row is used again
			value = len(r.Axes[i].Values)
			r.values[i][text], r.Axes[i].Values = value, append(r.Axes[i].Values, text)
		}
		place[i] = value
	}
	key := keyOf(place)
	p := r.points[key]
	if p == nil {
		p = &Point{At: place}
		r.points[key], r.Points = p, append(r.Points, p)
	}
	r.Runs++
	switch status := results.Status(cells[l.status]); status {
	case results.OK:
	case results.Failed:
		r.Failed++
		return nil
	case results.Dead:
		r.Dead++
		return nil
	default:
		return fmt.Errorf("status is %q, want ok, failed or dead", status)
	}
	if slices.ContainsFunc(p.Runs, func(run Run) bool { return run.Seed == seed }) {
		return fmt.Errorf("the run of this point with seed %d is there twice", seed)
	}
	run := Run{Seed: seed, figures: make([]float64, len(r.wanted))}
	for k, column := range l.figures {
		run.figures[k] = math.NaN()
		if column < 0 || cells[column] == "" {
			continue
		}
		x, ok := number(cells[column])
		if !ok {
			return fmt.Errorf("%s is %q, want a number", r.wanted[k], cells[column])
		}
		run.figures[k] = x
	}
	p.Runs = append(p.Runs, run)
	return nil
}

// keyOf returns a text that only equal places have.
func keyOf(place []int) string {
	for len(place) > 0 && place[len(place)-1] < 0 { // axes that come later are open
		place = place[:len(place)-1]
	}
	return fmt.Sprint(place)
}

// sortAxis finds out whether the values of an axis are numbers, and puts these in order.
func (r *reader) sortAxis(i int) {
	a := r.Axes[i]
	all := make([]float64, len(a.Values))
	order := make([]int, len(a.Values))
	for k, text := range a.Values {
		x, ok := number(text)
		if !ok {
			return
		}
		all[k], order[k] = x, k
	}
	slices.SortFunc(order, func(j, k int) int { return cmp.Compare(all[j], all[k]) })
	values, rank := make([]string, len(order)), make([]int, len(order))
	a.Numbers = make([]float64, len(order))
	for k, from := range order {
		values[k], a.Numbers[k], rank[from] = a.Values[from], all[from], k
	}
	a.Values = values
	for _, p := range r.Points {
		if p.At[i] >= 0 {
			p.At[i] = rank[p.At[i]]
		}
	}
}
