package column

import (
	"testing"

	"github.com/mlange-42/arche/ecs"
)

func TestOver(t *testing.T) {
	five := []point{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}}
	for _, c := range []struct {
		name   string
		rows   []point
		lo, hi int
	}{
		{"nil", nil, 0, 0},
		{"empty", []point{}, 0, 0},
		{"all", five, 0, 5},
		{"none", five, 2, 2},
		{"middle", five, 1, 4},
		{"end", five, 4, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, want := Rows[point](Over(c.rows), c.lo, c.hi), c.rows[c.lo:c.hi]
			if len(got) != len(want) || cap(got) != len(want) || (got == nil) != (c.rows == nil) {
				t.Fatalf("got=%v (capacity %d), want=%v", got, cap(got), want)
			}
			for i := range got {
				if &got[i] != &want[i] {
					t.Errorf("place of row %d: got=%p, want=%p", i, &got[i], &want[i])
				}
			}
		})
	}
}

func TestRowsOfNothing(t *testing.T) {
	if got := Rows[point](Column{}, 3, 7); got != nil {
		t.Errorf("got=%v, want=nil", got)
	}
	if got := Rows[tag](Over(make([]tag, 3)), 1, 3); len(got) != 2 {
		t.Errorf("rows without size: got=%v, want=2", len(got))
	}
}

// A column that is appended to must not reach into the rows of another batch.
func TestRowsAppend(t *testing.T) {
	rows := []point{{1, 2}, {3, 4}}
	_ = append(Rows[point](Over(rows), 0, 1), point{5, 6})
	if want := (point{3, 4}); rows[1] != want {
		t.Errorf("got=%v, want=%v", rows[1], want)
	}
}

func TestAt(t *testing.T) {
	w := ecs.NewWorld()
	own, bound := SourceOf[small](&w), BoundSource[point, host](&w)
	with, without := w.NewEntity(own.ID, bound.ID), w.NewEntity()
	*(*small)(w.Get(with, own.ID)) = small{7}
	*(*host)(w.Get(with, bound.ID)) = host{[2]float64{1, 2}}
	if got, ok := At[small](&w, &own, with); got != (small{7}) || !ok {
		t.Errorf("got=%v %v, want={7} true", got, ok)
	}
	if got, ok := At[point](&w, &bound, with); got != (point{1, 2}) || !ok {
		t.Errorf("got=%v %v, want={1 2} true", got, ok)
	}
	if got, ok := At[point](&w, &bound, without); got != (point{}) || ok {
		t.Errorf("got=%v %v, want={0 0} false", got, ok)
	}
}

// A host's type may name its numbers as it likes, and hold an entity.
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
		t.Errorf("got=%v, want=%v", *row, want)
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
	if n := testing.AllocsPerRun(10, func() { Fetch(columns, sizes, 0, 100) }); n != 0 {
		t.Errorf("it allocates %v times", n)
	}
}

// Rows may be fetched that are not there.
func TestFetchRows(t *testing.T) {
	FetchRows([]float64{1, 2, 3}, []uint32{0, 2, 3, 1 << 31, 1<<32 - 1})
	FetchRows([]float64{}, []uint32{0})
	FetchRows([]float64{1}, nil)
}
