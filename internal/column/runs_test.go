package column

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
)

// sized returns a world with runs of the given numbers of rows. Alternately, a run has its own archetype, or
// its own relation target.
func sized(rows ...int) *ecs.World {
	w := ecs.NewWorld(1)
	probes(&w)
	pos, rel := ecs.ComponentID[point](&w), ecs.ComponentID[relation](&w)
	marks := tags(&w, len(rows))
	for i, n := range rows {
		if i%2 == 0 {
			ecs.NewBuilder(&w, pos, marks[i]).NewBatch(n)
		} else {
			ecs.NewBuilder(&w, pos, rel).WithRelation(rel).NewBatch(n, w.NewEntity())
		}
	}
	return &w
}

func TestWalkAllocates(t *testing.T) {
	if Copies {
		t.Skip("skipped: the safe build copies columns")
	}
	w, walker := sized(100, 3, 1, 20, 7), Walker{}
	pos, rel := SourceOf[point](w), SourceOf[relation](w)
	filter := w.Cache().Register(ecs.All(pos.ID))
	runs := []Run(nil)
	var sum float64
	walk := func() {
		q := w.Query(&filter)
		defer q.Close()
		runs = walker.Walk(w, &q, runs)
		for i := range runs {
			r := &runs[i]
			for _, p := range Rows[point](pos.Load(r), 0, r.Rows) {
				sum += p.X
			}
			sum += float64(len(Rows[relation](rel.Load(r), 0, r.Rows)))
			sum += float64(r.Entity(r.Rows - 1).ID())
		}
	}
	if got := testing.AllocsPerRun(20, walk); got != 0 {
		t.Errorf("allocations: got=%v, want=0", got)
	}
	wrong := func() {
		for i := range runs {
			runs[i].Rows += 5 - 2*i
		}
		walk()
	}
	if got := testing.AllocsPerRun(20, wrong); got != 0 {
		t.Errorf("allocations after a wrong guess: got=%v, want=0", got)
	}
}

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
