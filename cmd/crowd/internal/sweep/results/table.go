// Package results reads and writes the rows of a sweep as JSON, in shards, and writes tables as CSV and
// Parquet.
package results

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"reflect"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/parquet-go/parquet-go"
)

const maxRow = 1 << 20 // bytes

// Status is the outcome of a run.
type Status string

const (
	OK     Status = "ok"
	Failed Status = "failed" // every further try would fail too
	Dead   Status = "dead"   // given up after all tries
)

// Row is the result of a run.
type Row struct {
	Index     int64              `json:"index"`
	Axes      []any              `json:"axes"` // the scene, then the axes of the spec
	Seed      uint64             `json:"seed"`
	Status    Status             `json:"status"`
	Error     string             `json:"error,omitempty"`
	Metrics   map[string]float64 `json:"figures,omitempty"`
	TraceHash string             `json:"trace_hash,omitempty"`
	Hash      string             `json:"hash,omitempty"`
	Cost      map[string]float64 `json:"cost,omitempty"`
	Machine   string             `json:"machine"`
	Version   string             `json:"version"`
}

// Encode returns the row as JSON, from which Decode reads the same numbers. It returns an error if a number
// is not finite or the row has more than maxRow bytes.
func (r *Row) Encode() ([]byte, error) {
	data, err := json.Marshal(r)
	if err == nil && len(data) > maxRow {
		err = fmt.Errorf("row has %d bytes, want at most %d", len(data), maxRow)
	}
	return data, err
}

// Decode parses a row that Encode wrote.
func Decode(data []byte) (*Row, error) {
	if len(data) > maxRow {
		return nil, fmt.Errorf("row has %d bytes, want at most %d", len(data), maxRow)
	}
	r := &Row{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("row: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("row %d: unexpected data after the row", r.Index)
	}
	if !slices.Contains([]Status{OK, Failed, Dead}, r.Status) {
		return nil, fmt.Errorf("row %d: status %q, want ok, failed or dead", r.Index, r.Status)
	}
	if r.Index < 0 {
		return nil, fmt.Errorf("row index is %d, want 0 or more", r.Index)
	}
	for _, v := range r.Axes {
		switch v.(type) {
		case string, float64:
		default:
			return nil, fmt.Errorf("row %d: an axis has the value %v, want a string or a number", r.Index, v)
		}
	}
	return r, nil
}

// Take copies the metrics, costs and hashes of a report, except local and unmeasured metrics.
func (r *Row) Take(of *report.Report) {
	r.Metrics, r.Cost, r.Hash, r.TraceHash = map[string]float64{}, map[string]float64{}, of.Hash, of.TraceHash
	add := func(row int, from any, metrics []report.Metric) {
		for i := range metrics {
			f := &metrics[i]
			x, ok := f.Of(from)
			switch {
			case !ok || f.Kind == "local":
			case f.Kind == "cost":
				r.Cost[f.Column] = x
			default:
				r.Metrics[f.In(row)] = x
			}
		}
	}
	add(0, of, report.OfReport)
	if of.Dt > 0 { // the time steps of two models may differ in length
		r.Cost["us_per_agent_second"] = of.NsPerAgentStep / of.Dt / 1000
	}
	for i := range of.Lines {
		add(i, &of.Lines[i], report.OfLine)
	}
	for i := range of.Areas {
		add(i, &of.Areas[i], report.OfArea)
	}
}

// Table holds the columns of a table, which depend on the lines, areas and texts of all rows. Call Add with
// every row before writing.
type Table struct {
	axes         []string // the scene first
	texts        []bool   // axes with strings
	lines, areas int
}

// NewTable returns a table with the given axes.
func NewTable(axes []string) *Table { return &Table{axes: axes, texts: make([]bool, len(axes))} }

// Add updates the columns, or returns an error if the number of axes differs.
func (t *Table) Add(r *Row) error {
	if len(r.Axes) != len(t.axes) {
		return fmt.Errorf("row %d: number of axes is %d, want %d", r.Index, len(r.Axes), len(t.axes))
	}
	for i, v := range r.Axes {
		if _, ok := v.(string); ok {
			t.texts[i] = true
		}
	}
	for has(r, "lines", t.lines) {
		t.lines++
	}
	for has(r, "areas", t.areas) {
		t.areas++
	}
	return nil
}

func has(r *Row, of string, i int) bool {
	always := map[string]string{"lines": "passed", "areas": "time"}
	_, ok := r.Metrics[fmt.Sprintf("%s[%d].%s", of, i, always[of])]
	return ok
}

type column struct {
	name string
	kind kind
	of   func(r *Row) any // nil if missing
}

type kind int

const (
	aText kind = iota
	aNumber
	anInt
	anUint
)

func (t *Table) columns() []column {
	all := []column{{"index", anInt, func(r *Row) any { return r.Index }}}
	for i, name := range t.axes {
		if t.texts[i] {
			all = append(all, column{name, aText, func(r *Row) any { return fmt.Sprint(r.Axes[i]) }})
		} else {
			all = append(all, column{name, aNumber, func(r *Row) any { return r.Axes[i] }})
		}
	}
	all = append(all,
		column{"seed", anUint, func(r *Row) any { return r.Seed }},
		column{"status", aText, func(r *Row) any { return string(r.Status) }},
		column{"error", aText, func(r *Row) any { return missing(r.Error) }},
	)
	axes := len(all)
	metric := func(name string) {
		if !slices.ContainsFunc(all[:axes], func(c column) bool { return c.name == name }) { // an axis may have the same name
			all = append(all, column{name, aNumber, func(r *Row) any { return numberIn(r.Metrics, name) }})
		}
	}
	var costs []string
	for i := range report.OfReport {
		switch f := &report.OfReport[i]; f.Kind {
		case "local":
		case "cost":
			costs = append(costs, f.Column)
		default:
			metric(f.Column)
		}
	}
	for i := range t.lines {
		for k := range report.OfLine {
			metric(report.OfLine[k].In(i))
		}
	}
	for i := range t.areas {
		for k := range report.OfArea {
			metric(report.OfArea[k].In(i))
		}
	}
	all = append(all,
		column{"trace_hash", aText, func(r *Row) any { return missing(r.TraceHash) }},
		column{"hash", aText, func(r *Row) any { return missing(r.Hash) }},
	)
	for _, name := range append(costs, "us_per_agent_second", "seconds") {
		all = append(all, column{name, aNumber, func(r *Row) any { return numberIn(r.Cost, name) }})
	}
	return append(all,
		column{"machine", aText, func(r *Row) any { return r.Machine }},
		column{"version", aText, func(r *Row) any { return r.Version }},
	)
}

func missing(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func numberIn(from map[string]float64, name string) any {
	if x, ok := from[name]; ok {
		return x
	}
	return nil
}

// cell formats a value. Numbers read back exactly.
func cell(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// Same returns an error if two rows of a run differ in more than cost and machine. The error names both
// machines and the first column that differs. A run may be given up because of its machine, so the row of a
// given-up run agrees with any row.
func Same(a, b []byte) error {
	x, err := Decode(a)
	if err != nil {
		return err
	}
	y, err := Decode(b)
	if err != nil {
		return err
	}
	if x.Status == Dead || y.Status == Dead {
		return nil
	}
	if x.Index != y.Index {
		return fmt.Errorf("rows of runs %d and %d, want two rows of one run", x.Index, y.Index)
	}
	differ := func(column string, u, v any) error {
		return fmt.Errorf("run %d has two results: %s is %v on %s, and %v on %s", x.Index, column, u, x.Machine, v, y.Machine)
	}
	if !slices.Equal(x.Axes, y.Axes) {
		return differ("the point", x.Axes, y.Axes)
	}
	type pair struct {
		column string
		u, v   any
	}
	all := []pair{{"seed", x.Seed, y.Seed}, {"version", x.Version, y.Version}, {"status", x.Status, y.Status}, {"error", x.Error, y.Error}}
	names := slices.AppendSeq(slices.Collect(maps.Keys(x.Metrics)), maps.Keys(y.Metrics))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		all = append(all, pair{name, numberIn(x.Metrics, name), numberIn(y.Metrics, name)})
	}
	for _, p := range append(all, pair{"trace_hash", x.TraceHash, y.TraceHash}, pair{"hash", x.Hash, y.Hash}) {
		if cell(p.u) != cell(p.v) { // tells -0 from 0
			return differ(p.column, cmp.Or(p.u, "missing"), cmp.Or(p.v, "missing"))
		}
	}
	return nil
}

// WriteCSV writes rows as CSV. Missing values are empty.
func (t *Table) WriteCSV(to io.Writer, rows iter.Seq2[*Row, error]) error {
	columns := t.columns()
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.name
	}
	out := csv.NewWriter(to)
	_ = out.Write(cells) // Error returns the first error
	for row, err := range rows {
		if err != nil {
			return err
		}
		for i, c := range columns {
			cells[i] = cell(c.of(row))
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

const rowGroup = 1 << 13 // rows in memory

// WriteParquet writes rows as Apache Parquet. Missing values are null.
func (t *Table) WriteParquet(to io.Writer, rows iter.Seq2[*Row, error]) error {
	columns := t.columns()
	var of []reflect.StructField
	for i, c := range columns {
		of = append(of, reflect.StructField{Name: fmt.Sprintf("C%d", i), Type: c.kind.pointer(), Tag: reflect.StructTag(fmt.Sprintf(`parquet:"%s,optional"`, c.name))})
	}
	row := reflect.New(reflect.StructOf(of)) // a struct keeps the order of the columns
	out := parquet.NewWriter(to, parquet.SchemaOf(row.Interface()), parquet.MaxRowsPerRowGroup(rowGroup), parquet.Compression(&parquet.Snappy))
	for r, err := range rows {
		if err != nil {
			return err
		}
		for i, c := range columns {
			v := c.of(r)
			if v == nil {
				row.Elem().Field(i).SetZero()
				continue
			}
			cell := reflect.New(c.kind.pointer().Elem())
			cell.Elem().Set(reflect.ValueOf(v))
			row.Elem().Field(i).Set(cell)
		}
		if err := out.Write(row.Interface()); err != nil {
			return err
		}
	}
	return out.Close()
}

func (k kind) pointer() reflect.Type {
	switch k {
	case aNumber:
		return reflect.TypeFor[*float64]()
	case anInt:
		return reflect.TypeFor[*int64]()
	case anUint:
		return reflect.TypeFor[*uint64]()
	}
	return reflect.TypeFor[*string]()
}
