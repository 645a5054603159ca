package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
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
