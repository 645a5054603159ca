package results

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"iter"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/parquet-go/parquet-go"
)

func rowOf(index int64) *Row {
	return &Row{
		Index: index, Axes: []any{"seek", 0.1}, Seed: math.MaxUint64, Status: OK, Metrics: map[string]float64{"flow": 1. / 3, "arrived": 5},
		Hash: "0f", TraceHash: "0e", Cost: map[string]float64{"seconds": 2}, Machine: "one", Version: "v1",
	}
}

func encode(t *testing.T, r *Row) []byte {
	t.Helper()
	data, err := r.Encode()
	testkit.Must(t, err)
	return data
}

func TestRow(t *testing.T) {
	r := rowOf(7)
	for i, x := range []float64{math.SmallestNonzeroFloat64, math.MaxFloat64, math.Copysign(0, -1), 1e21, math.Pi, 1 << 60} {
		r.Metrics[string(rune('a'+i))] = x
	}
	got, err := Decode(encode(t, r))
	if err != nil || !reflect.DeepEqual(got, r) || !math.Signbit(got.Metrics["c"]) {
		t.Errorf("got=%+v, %v, want=%+v", got, err, r)
	}
	r.Metrics["nan"] = math.NaN()
	if _, err := r.Encode(); err == nil {
		t.Error("NaN: got=nil, want an error")
	}
	for _, data := range []string{"", "{}", `{"index":-1,"status":"ok"}`, `{"index":1,"status":"fine"}`, `{"index":1,"status":"ok","axes":[[1]]}`, `{"index":1,"status":"ok"}x`, `{"index":1,"status":"ok","more":2}`} {
		if _, err := Decode([]byte(data)); err == nil {
			t.Errorf("%s: got=nil, want an error", data)
		}
	}
}

func TestSame(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(r *Row)
		want   string
	}{
		{"nothing", func(*Row) {}, ""},
		{"cost", func(r *Row) { r.Cost["seconds"] = 3 }, ""},
		{"given up", func(r *Row) { *r = Row{Index: 7, Status: Dead, Error: "timed out", Machine: "two"} }, ""},
		{"index", func(r *Row) { r.Index = 8 }, "rows of runs 7 and 8, want two rows of one run"},
		{"axis", func(r *Row) { r.Axes[1] = 0.3 }, "the point is"},
		{"seed", func(r *Row) { r.Seed = 2 }, "seed is 18446744073709551615 on one, and 2 on two"},
		{"version", func(r *Row) { r.Version = "v2" }, "version is v1 on one, and v2 on two"},
		{"status", func(r *Row) { r.Status = Failed }, "status is ok on one, and failed on two"},
		{"error", func(r *Row) { r.Error = "x" }, "error is"},
		{"metric", func(r *Row) { r.Metrics["flow"] = math.Nextafter(1./3, 1) }, "flow is 0.3333333333333333 on one, and 0.33333333333333337 on two"},
		{"more", func(r *Row) { r.Metrics["a"] = 1 }, "a is missing on one, and 1 on two"},
		{"less", func(r *Row) { delete(r.Metrics, "flow") }, "flow is 0.3333333333333333 on one, and missing on two"},
		{"hash", func(r *Row) { r.Hash = "10" }, "hash is 0f on one, and 10 on two"},
		{"trace", func(r *Row) { r.TraceHash = "10" }, "trace_hash is 0e on one"},
	} {
		other := rowOf(7)
		other.Machine = "two"
		tc.change(other)
		err := Same(encode(t, rowOf(7)), encode(t, other))
		testkit.Fails(t, err, tc.want, "%s", tc.name)
	}
}

func seq(rows ...*Row) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestTable(t *testing.T) {
	flow := 1. / 3
	a := rowOf(0)
	a.Take(&report.Report{Agents: 5, Metrics: report.Metrics{Flow: &flow}, Lines: []report.Line{{Passed: 2}}, Hash: "0f", TraceHash: "0e"})
	b := &Row{Index: 1, Axes: []any{"flee", 2.}, Seed: 2, Status: Failed, Error: "too much, \"really\"", Machine: "two", Version: "v1"}
	table := NewTable([]string{"scene", "agents"})
	for _, r := range []*Row{a, b} {
		testkit.Must(t, table.Add(r))
	}
	var text, binary bytes.Buffer
	testkit.Must(t, table.WriteCSV(&text, seq(a, b)))
	testkit.Must(t, table.WriteParquet(&binary, seq(a, b)))
	cells, err := csv.NewReader(&text).ReadAll()
	testkit.Must(t, err)
	testkit.Equal(t, strings.Join(cells[0][:6], " "), "index scene agents seed status error", "first columns")
	if all := strings.Join(cells[0], " "); strings.Count(all, "agents") != 2 || !strings.Contains(all, " lines[0].flow ") || !strings.HasSuffix(all, " seconds machine version") {
		t.Errorf("columns: got=%s, want agents, arrived_agents, lines[0].flow, and seconds machine version at the end", all)
	}
	file, err := parquet.OpenFile(bytes.NewReader(binary.Bytes()), int64(binary.Len()))
	testkit.Must(t, err)
	var names []string
	for _, f := range file.Schema().Fields() {
		names = append(names, f.Name())
	}
	if !reflect.DeepEqual(names, cells[0]) {
		t.Errorf("Parquet: got=%v, want=%v", names, cells[0])
	}
	rows := make([]parquet.Row, 2)
	pages := file.RowGroups()[0].Rows()
	defer pages.Close()
	if n, _ := pages.ReadRows(rows); n != 2 {
		t.Fatalf("Parquet: got=%d rows, want=2", n)
	}
	for i := range rows {
		for k, v := range rows[i] {
			want := cells[i+1][k]
			got := ""
			switch {
			case v.IsNull():
			case v.Kind() == parquet.Double:
				got = cell(v.Double())
			case names[k] == "seed":
				got = cell(v.Uint64())
			default:
				got = v.String()
			}
			testkit.Equal(t, got, want, "row %d, %s", i, names[k])
		}
	}
}

func FuzzDecode(f *testing.F) {
	data, err := rowOf(3).Encode()
	testkit.Must(f, err)
	f.Add(data)
	f.Add([]byte(`{"index":1,"axes":["a",1],"status":"dead","error":"x"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Decode(data)
		if err != nil {
			return
		}
		again, err := r.Encode()
		testkit.Must(t, err)
		if err := Same(data, again); err != nil {
			t.Errorf("after a round trip: got=%v, want the same row", err)
		}
	})
}

// A row with very many lines must have distinct columns.
func TestManyMetrics(t *testing.T) {
	r := &Row{Axes: []any{"seek"}, Metrics: map[string]float64{}}
	for i := range 20_000 {
		r.Metrics[fmt.Sprintf("lines[%d].passed", i)] = 1
	}
	testkit.Equal(t, fmt.Sprint(NewTable([]string{"scene", "agents"}).Add(r)), "row 0: number of axes is 1, want 2", "too few axes")
	table := NewTable([]string{"scene"})
	testkit.Must(t, table.Add(r))
	seen := map[string]bool{}
	for _, c := range table.columns() {
		if seen[c.name] {
			t.Fatalf("got two columns called %s, want distinct names", c.name)
		}
		seen[c.name] = true
	}
	if !seen["lines[19999].passed"] {
		t.Error("got no column lines[19999].passed, want one")
	}
}
