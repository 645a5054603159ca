// Package results has the rows of a sweep, one a run: as JSON between machines, as CSV and columns
// in files, and in folders of processes that share a sweep without a server.
package results

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/parquet-go/parquet-go"
)

// MaxRow is how many bytes a row may have as JSON.
const MaxRow = 1 << 20

// Status says what became of a run.
type Status string

// What may become of a run.
const (
	OK     Status = "ok"
	Failed Status = "failed" // it can't be run: another try would fail in the same way
	Dead   Status = "dead"   // it was given up after as many tries as the spec allows
)

// Row is what one run gave.
type Row struct {
	Index     int64              `json:"index"`
	Axes      []any              `json:"axes"` // texts and numbers, in the order of the spec, the scene first
	Seed      uint64             `json:"seed"`
	Status    Status             `json:"status"`
	Error     string             `json:"error,omitempty"`
	Figures   map[string]float64 `json:"figures,omitempty"`
	TraceHash string             `json:"trace_hash,omitempty"`
	Hash      string             `json:"hash,omitempty"`
	Cost      map[string]float64 `json:"cost,omitempty"`
	Machine   string             `json:"machine"`
	Version   string             `json:"version"`
}

// Encode returns the row as JSON. Numbers are written so that they are read back exactly. It is an
// error if one is not finite.
func (r *Row) Encode() ([]byte, error) {
	data, err := json.Marshal(r)
	if err == nil && len(data) > MaxRow {
		err = fmt.Errorf("row of %d bytes, want at most %d", len(data), MaxRow)
	}
	return data, err
}

// Decode reads a row.
func Decode(data []byte) (*Row, error) {
	if len(data) > MaxRow {
		return nil, fmt.Errorf("row of %d bytes, want at most %d", len(data), MaxRow)
	}
	r := &Row{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("row: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("row %d: more follows after its end", r.Index)
	}
	switch r.Status {
	case OK, Failed, Dead:
	default:
		return nil, fmt.Errorf("row %d: status %q, want ok, failed or dead", r.Index, r.Status)
	}
	if r.Index < 0 {
		return nil, fmt.Errorf("row %d: want an index of 0 or more", r.Index)
	}
	for _, v := range r.Axes {
		switch v.(type) {
		case string, float64:
		default:
			return nil, fmt.Errorf("row %d: axis with %v, want a text or a number", r.Index, v)
		}
	}
	return r, nil
}

// sameNumber reports whether two numbers have the same bits.
func sameNumber(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// names returns the names in both maps, sorted.
func names(a, b map[string]float64) (all []string) {
	for name := range a {
		all = append(all, name)
	}
	for name := range b {
		all = append(all, name)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Table has the columns of results. They depend on the rows: on how many lines and areas their
// scenes have, and on which axes are texts. So Add is to see all rows before the first is written.
type Table struct {
	axes         []string // names, the scene first
	texts        []bool   // whether an axis has texts
	lines, areas int
}

// NewTable returns a table for rows with these axes.
func NewTable(axes []string) *Table { return &Table{axes: axes, texts: make([]bool, len(axes))} }

// Add makes room for a row.
func (t *Table) Add(r *Row) error {
	if len(r.Axes) != len(t.axes) {
		return fmt.Errorf("row %d has %d axes, want %d", r.Index, len(r.Axes), len(t.axes))
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

// has reports whether a row has figures of a line or an area. Each has a number that is always there.
func has(r *Row, of string, i int) bool {
	always := map[string]string{"lines": "passed", "areas": "time"}
	_, ok := r.Figures[fmt.Sprintf("%s[%d].%s", of, i, always[of])]
	return ok
}

// column is one of a table.
type column struct {
	name string
	kind kind
	of   func(r *Row) any // nil: missing
}

type kind int

const (
	aText kind = iota
	aNumber
	anInt
	anUint
)

// columns returns all columns.
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
	figure := func(name string) {
		if !slices.ContainsFunc(all[:axes], func(c column) bool { return c.name == name }) { // an axis may be the same
			all = append(all, column{name, aNumber, func(r *Row) any { return numberIn(r.Figures, name) }})
		}
	}
	var costs []string
	for i := range report.OfReport {
		switch f := &report.OfReport[i]; f.Kind {
		case "local":
		case "cost":
			costs = append(costs, f.Column)
		default:
			figure(f.Column)
		}
	}
	for i := range t.lines {
		for k := range report.OfLine {
			figure(report.OfLine[k].In(i))
		}
	}
	for i := range t.areas {
		for k := range report.OfArea {
			figure(report.OfArea[k].In(i))
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

// cell returns a value as CSV has it.
func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// Same returns an error if two rows of one run differ in anything but cost and machine. It names
// the first column in which they do, and both machines. A run that was given up may have failed
// for what only one machine lacks, and so says nothing of another row.
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
	differ := func(column string, u, v any) error {
		return fmt.Errorf("run %d has two results: %s is %v on %s, and %v on %s", x.Index, column, u, x.Machine, v, y.Machine)
	}
	switch {
	case x.Index != y.Index:
		return fmt.Errorf("rows of the runs %d and %d, want two of one run", x.Index, y.Index)
	case !slices.Equal(x.Axes, y.Axes):
		return differ("the point", x.Axes, y.Axes)
	case x.Seed != y.Seed:
		return differ("seed", x.Seed, y.Seed)
	case x.Version != y.Version:
		return differ("version", x.Version, y.Version)
	case x.Status != y.Status:
		return differ("status", x.Status, y.Status)
	case x.Error != y.Error:
		return differ("error", x.Error, y.Error)
	}
	for _, name := range names(x.Figures, y.Figures) {
		u, known := x.Figures[name]
		v, too := y.Figures[name]
		switch {
		case !known:
			return differ(name, "missing", v)
		case !too:
			return differ(name, u, "missing")
		case !sameNumber(u, v):
			return differ(name, u, v)
		}
	}
	switch {
	case x.TraceHash != y.TraceHash:
		return differ("trace_hash", x.TraceHash, y.TraceHash)
	case x.Hash != y.Hash:
		return differ("hash", x.Hash, y.Hash)
	}
	return nil
}

// WriteCSV writes rows as CSV, in their order. What is missing is empty.
func (t *Table) WriteCSV(to io.Writer, rows iter.Seq2[*Row, error]) error {
	columns := t.columns()
	cells := make([]string, len(columns))
	for i, c := range columns {
		cells[i] = c.name
	}
	out := csv.NewWriter(to)
	_ = out.Write(cells) // Flush keeps the first error
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

// rowGroup is how many rows of a Parquet file are held in memory until they are written.
const rowGroup = 1 << 13

// WriteParquet writes rows as Apache Parquet, in their order. What is missing is null.
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

// pointer returns the type of the cells of a column.
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
