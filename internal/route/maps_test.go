package route

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/8f878440/crowd/internal/formats/movingai"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

type scenario struct {
	*movingai.Scenario
	m     *movingai.Map
	index space.Index
	graph Graph
}

func read(t testing.TB, file string) *scenario {
	t.Helper()
	s, err := movingai.ReadScenario(context.Background(), file)
	testkit.Must(t, err)
	var maps movingai.Maps
	m, err := maps.Of(context.Background(), s, &s.Rows[0])
	testkit.Must(t, err)
	x := &scenario{Scenario: s, m: m}
	x.index.Build(m.Shapes(), 8, 0)
	x.graph.Build(&x.index, 0)
	return x
}

func TestMaps(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.DataDir(t, "movingai"), "*.scen"))
	if err != nil || len(files) == 0 {
		t.Fatalf("scenarios: got=%d, %v, want=one or more", len(files), err)
	}
	var s Search
	var path []r2.Vec
	for _, file := range files {
		x := read(t, file)
		for i := range x.Rows {
			row := &x.Rows[i]
			var length float64
			var ok bool
			path, length, ok = s.Find(&x.graph, movingai.Center(row.Start), movingai.Center(row.Goal), path[:0])
			if !ok || length > row.Octile*(1+1e-5)+1e-5 {
				t.Errorf("%s:%d: got=%v, %v, want=a path of at most %v", file, row.Line, length, ok, row.Octile)
			}
		}
	}
}

// BenchmarkBerlin compares searches, with all links known, with gonum's A* on the grid.
func BenchmarkBerlin(b *testing.B) {
	x := read(b, filepath.Join(testkit.DataDir(b, "movingai"), "Berlin_1_256-random-1.scen"))
	var s Search
	var path []r2.Vec
	const rows = 200
	find := func(i int) {
		row := &x.Rows[i%rows]
		path, _, _ = s.Find(&x.graph, movingai.Center(row.Start), movingai.Center(row.Goal), path[:0])
	}
	for i := range rows {
		find(i)
	}
	b.Run("route", func(b *testing.B) {
		b.ReportAllocs()
		looks := 0
		for i := range b.N {
			find(i)
			looks += s.Looks
		}
		b.ReportMetric(float64(looks)/float64(b.N), "looks/op")
	})
	b.Run("gonum", func(b *testing.B) {
		over := movingai.NewGrid(x.m)
		for i := range b.N {
			row := &x.Rows[i%rows]
			over.Length(row.Start, row.Goal)
		}
	})
}
