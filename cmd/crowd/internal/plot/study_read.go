package plot

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"

	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
)

// reader joins the tables of sweeps.
type reader struct {
	Study
	points map[string]*Result
	values []map[string]int // of each axis, which value a text is
}

// NewStudy joins tables that crowd sweep wrote. The points of a table that lacks an axis have no value there.
func NewStudy(files []*File) (*Study, error) {
	r := &reader{Study: Study{Seeds: map[uint64]bool{}}, points: map[string]*Result{}}
	for _, f := range files {
		if err := r.table(&f.Table); err != nil {
			return nil, AtFile(f.Name, err)
		}
	}
	for i := range r.Axes {
		r.sortAxis(i)
	}
	return &r.Study, nil
}

// table adds a table.
func (r *reader) table(t *Table) error {
	seed := slices.Index(t.Columns, "seed")
	if t.Columns[0] != "index" || seed < 2 || slices.Index(t.Columns, "status") != seed+1 {
		return LineError{Line: 1, Err: errors.New("is no table of crowd sweep: want the columns index, axes, seed, status, …")}
	}
	var axes []int // which axis of the study a column is
	for _, name := range t.Columns[1:seed] {
		i := slices.IndexFunc(r.Axes, func(a *Axis) bool { return a.Name == name })
		if i < 0 {
			i, r.Axes, r.values = len(r.Axes), append(r.Axes, &Axis{Name: name}), append(r.values, map[string]int{})
			for _, p := range r.Points {
				p.At = append(p.At, -1)
			}
		}
		axes = append(axes, i)
	}
	for _, name := range t.Columns[seed+2:] {
		if !slices.Contains([]string{"error", "trace_hash", "hash", "machine", "version"}, name) && !slices.Contains(r.Figures, name) {
			r.Figures = append(r.Figures, name)
		}
	}
	for row, cells := range t.Rows {
		if err := r.run(t, row, axes, cells[1:seed], cells[seed], results.Status(cells[seed+1])); err != nil {
			return LineError{Line: row + 2, Err: err}
		}
	}
	return nil
}

// run adds a row.
func (r *reader) run(t *Table, row int, axes []int, values []string, seedText string, status results.Status) error {
	seed, err := strconv.ParseUint(seedText, 10, 64)
	if err != nil {
		return fmt.Errorf("seed is %q, want a whole number", seedText)
	}
	at := slices.Repeat([]int{-1}, len(r.Axes))
	last := 0 // axes that later tables add are open
	for k, i := range axes {
		text, a := values[k], r.Axes[i]
		if text == "" {
			continue
		}
		value, known := r.values[i][text]
		if !known {
			value = len(a.Values)
			r.values[i][text], a.Values = value, append(a.Values, text)
		}
		at[i], last = value, max(last, i+1)
	}
	key := fmt.Sprint(at[:last])
	p := r.points[key]
	if p == nil {
		p = &Result{At: at}
		r.points[key], r.Points = p, append(r.Points, p)
	}
	r.Runs++
	switch status {
	case results.OK:
		if slices.ContainsFunc(p.runs, func(o seedRun) bool { return o.seed == seed }) {
			return fmt.Errorf("the run of this point with seed %d is there twice", seed)
		}
		p.runs, r.Seeds[seed] = append(p.runs, seedRun{seed, t, row}), true
	case results.Failed:
		r.Failed++
	case results.Dead:
		r.Dead++
	default:
		return fmt.Errorf("status is %q, want ok, failed or dead", status)
	}
	return nil
}

// sortAxis sorts the values of an axis if all are numbers.
func (r *reader) sortAxis(i int) {
	a := r.Axes[i]
	order, all := make([]int, len(a.Values)), make([]float64, len(a.Values))
	for k, text := range a.Values {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !cli.Drawable(x) {
			return
		}
		order[k], all[k] = k, x
	}
	slices.SortStableFunc(order, func(j, k int) int { return cmp.Compare(all[j], all[k]) })
	values, rank := make([]string, len(order)), make([]int, len(order))
	for k, from := range order {
		values[k], rank[from], a.Numbers = a.Values[from], k, append(a.Numbers, all[from])
	}
	a.Values = values
	for _, p := range r.Points {
		if p.At[i] >= 0 {
			p.At[i] = rank[p.At[i]]
		}
	}
}
