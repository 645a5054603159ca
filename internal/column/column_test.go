package column

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
)

func TestBoundSource(t *testing.T) {
	type meters float64
	type vec struct{ X, Y meters }
	type theirs struct {
		vec
		Leader ecs.Entity
		Flags  [2]bool
		Count  int32
	}
	type ours struct {
		At      [2]float64
		Of      ecs.Entity
		A, B    bool
		Counter struct{ N int32 }
	}
	w := ecs.NewWorld()
	source := BoundSource[ours, theirs](&w)
	e := w.NewEntity(source.ID)
	*(*theirs)(w.Get(e, source.ID)) = theirs{vec{1, 2}, e, [2]bool{false, true}, 9}

	walker := Walker{}
	q := w.Query(ecs.All(source.ID))
	run := &walker.Walk(&w, &q, nil)[0]
	column := source.Load(run)
	row := &Rows[ours](column, 0, 1)[0]
	want := ours{At: [2]float64{1, 2}, Of: e, B: true}
	want.Counter.N = 9
	if *row != want {
		t.Errorf("row: got=%v, want=%v", *row, want)
	}
	*row = ours{At: [2]float64{3, 4}, A: true}
	source.Store(run, column)
	q.Close()
	if got, want := *(*theirs)(w.Get(e, source.ID)), (theirs{vec{3, 4}, ecs.Entity{}, [2]bool{true, false}, 0}); got != want {
		t.Errorf("written back: got=%v, want=%v", got, want)
	}
}

func TestFetch(t *testing.T) {
	x, y := make([]float64, 100), make([]byte, 100)
	columns, sizes := []Column{Over(x), {}, Over(y)}, []uint32{8, 16, 1}
	for _, rows := range [][2]int{{0, 100}, {99, 100}, {5, 5}} {
		Fetch(columns, sizes, rows[0], rows[1])
	}
	Fetch(nil, nil, 0, 1)
	FetchRows([]float64{1, 2, 3}, []uint32{0, 2, 3, 1 << 31, 1<<32 - 1})
	FetchRows([]float64{}, []uint32{0})
	FetchRows([]float64{1}, nil)
	if n := testing.AllocsPerRun(10, func() { Fetch(columns, sizes, 0, 100) }); n != 0 {
		t.Errorf("allocations: got=%v, want=0", n)
	}
}

func TestReuse(t *testing.T) {
	type line [8]uint64
	from := make([]line, 5)
	var numbers [][3]float64
	if got := Reuse(from, &numbers); len(got) != 5 || (numbers == nil) == Copies {
		t.Errorf("smaller numbers: got=%d, own memory: %v, want=5, %v", len(got), numbers != nil, Copies)
	}
	var large [][9]uint64
	if got := Reuse(from, &large); len(got) != 5 || len(large) != 5 {
		t.Errorf("larger numbers: got=%d in their own memory of %d, want=5, 5", len(got), len(large))
	}
	var pointers []struct{ to *int }
	if got := Reuse(from, &pointers); len(got) != 5 || len(pointers) != 5 {
		t.Errorf("pointers: got=%d in their own memory of %d, want=5, 5", len(got), len(pointers))
	}
	var words []string
	if got := Reuse(from[:0], &words); len(got) != 0 {
		t.Errorf("no values: got=%d, want=0", len(got))
	}
}
