package archive

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/mlange-42/arche/ecs"
)

type inner struct {
	a  int8
	B  float64
	on bool
}

type all struct {
	A    bool
	b    int
	C    uint
	D    int16
	e    [2]uint32
	F    float32
	G    complex128
	H    complex64
	I    []inner
	j    string
	K    [][]uint16
	L    [2][]string
	e2   ecs.Entity
	None []float64
}

func example() all {
	return all{
		A: true, b: -3, C: 7, D: -300, e: [2]uint32{1, math.MaxUint32}, F: float32(math.Inf(1)), G: complex(1, -2), H: complex(3, 4),
		I: []inner{{1, 2, true}, {-1, math.Copysign(0, -1), false}, {3, math.NaN(), true}}, j: "text", K: [][]uint16{{1}, nil, {2, 3}},
		L: [2][]string{{"x", ""}, nil}, e2: EntityOf(5, 6),
	}
}

func written(t testing.TB, keep func(a *Archive)) []byte {
	t.Helper()
	var out bytes.Buffer
	a := Write(&out, 3)
	keep(a)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestKeep verifies that all kinds of plain values come back, and give the same bytes again.
func TestKeep(t *testing.T) {
	keep := func(x *all, n *int, rows *[]inner) func(a *Archive) {
		return func(a *Archive) {
			a.Block("one", func() { a.Keep(x, n) })
			a.Block("two", func() { a.Keep(rows) })
		}
	}
	x, n, rows := example(), 1<<30, example().I
	data := written(t, keep(&x, &n, &rows))
	var gotX all
	var gotN int
	var gotRows []inner
	in := io.MultiReader(bytes.NewReader(data), strings.NewReader("of others"))
	a, err := Read(in, 3)
	if err != nil {
		t.Fatal(err)
	}
	gotX.None = []float64{1}
	keep(&gotX, &gotN, &gotRows)(a)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if gotX.None != nil || gotX.j != "text" || gotX.e2 != x.e2 || !reflect.DeepEqual(gotX.K, x.K) || !reflect.DeepEqual(gotX.L, x.L) || gotN != n || !gotRows[2].on {
		t.Errorf("got=%+v, %d, %v", gotX, gotN, gotRows)
	}
	if again := written(t, keep(&gotX, &gotN, &gotRows)); !bytes.Equal(again, data) {
		t.Errorf("again: got=%x, want=%x", again, data)
	}
	if rest, _ := io.ReadAll(in); string(rest) != "of others" {
		t.Errorf("rest: got=%q", rest)
	}
}

// TestEntity verifies that entities are rewritten, and that an error of that names the place.
func TestEntity(t *testing.T) {
	list := []ecs.Entity{EntityOf(1, 0), EntityOf(2, 9)}
	keep := func(a *Archive) { a.Block("list", func() { a.Keep(&list) }) }
	data := written(t, keep)
	a, _ := Read(bytes.NewReader(data), 3)
	a.Entity = func(e ecs.Entity) (ecs.Entity, error) { return EntityOf(e.ID()+10, e.Generation()), nil }
	if keep(a); a.Err() != nil || list[1] != EntityOf(12, 9) {
		t.Errorf("got=%v, %v", list, a.Err())
	}
	a, _ = Read(bytes.NewReader(data), 3)
	a.Entity = func(e ecs.Entity) (ecs.Entity, error) {
		if e.ID() == 2 {
			return e, errors.New("is none")
		}
		return e, nil
	}
	want := "crowd state: block list at byte 50: value: is none"
	if keep(a); a.Err() == nil || a.Err().Error() != want {
		t.Errorf("got=%v, want=%s", a.Err(), want)
	}
}

// TestChanged verifies that a stream that was cut off or changed anywhere is refused.
func TestChanged(t *testing.T) {
	x := example()
	data := written(t, func(a *Archive) { a.Block("x", func() { a.Keep(&x) }) })
	for i := range data {
		if _, err := Read(bytes.NewReader(data[:i]), 3); err == nil || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("%d bytes of %d: got=%v", i, len(data), err)
		}
		changed := bytes.Clone(data)
		changed[i] ^= 0x10
		if _, err := Read(bytes.NewReader(changed), 3); err == nil || !strings.Contains(err.Error(), "byte") {
			t.Fatalf("byte %d changed: got=%v", i, err)
		}
	}
	data[len(magic)+4+8+2+4+1] ^= 1
	_, err := Read(bytes.NewReader(data), 3)
	if want := "crowd state: block x at byte 16: checksum is "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got=%v, want=%s…", err, want)
	}
}

// TestRefused verifies that what does not fit is an error that says where.
func TestRefused(t *testing.T) {
	n, long, flag := 3, uint64(1)<<60, byte(2)
	for _, test := range []struct {
		name        string
		write, read func(a *Archive)
		want        string
	}{
		{"another block", func(a *Archive) { a.Block("x", func() {}) }, func(a *Archive) { a.Block("y", func() {}) }, "block x at byte 16: want block y"},
		{"no block", func(*Archive) {}, func(a *Archive) { a.Block("y", func() {}) }, "it has no block y"},
		{"left", func(a *Archive) { a.Block("x", func() { a.Keep(&n) }) }, func(a *Archive) { a.Block("x", func() {}) }, "block x at byte 31: 8 bytes are left"},
		{"not read", func(a *Archive) { a.Block("x", func() {}) }, func(*Archive) {}, "block x at byte 16: nothing reads it"},
		{"too short", func(a *Archive) { a.Block("x", func() {}) }, func(a *Archive) { a.Block("x", func() { a.Keep(&n) }) }, "block x at byte 31: want 1 rows of 8 bytes, but 0 bytes are left"},
		{"length", func(a *Archive) { a.Block("x", func() { a.Keep(&long) }) }, func(a *Archive) {
			a.Block("x", func() {
				var list []inner
				a.Keep(&list)
			})
		}, "block x at byte 31: length is 1152921504606846976, but 0 bytes are left"},
		{"bool", func(a *Archive) { a.Block("x", func() { a.Keep(&flag) }) }, func(a *Archive) {
			a.Block("x", func() {
				var on struct{ on bool }
				a.Keep(&on)
			})
		}, "block x at byte 31: on is 2, want 0 or 1"},
		{"own", func(a *Archive) { a.Block("x", func() { a.Keep(&n) }) }, func(a *Archive) {
			a.Block("x", func() {
				a.Keep(&n)
				a.Fail("it is %d", n)
				a.Fail("not this one")
			})
		}, "block x at byte 39: it is 3"},
	} {
		a, err := Read(bytes.NewReader(written(t, test.write)), 3)
		if err != nil {
			t.Fatal(err)
		}
		test.read(a)
		if err := a.Close(); err == nil || err.Error() != "crowd state: "+test.want {
			t.Errorf("%s: got=%v, want=%s", test.name, err, test.want)
		}
	}
	if _, err := Read(bytes.NewReader(written(t, func(*Archive) {})), 4); err == nil || err.Error() != "crowd state: byte 12: version is 3, want 4" {
		t.Errorf("version: got=%v", err)
	}
}

// TestFault verifies that types with pointers, maps and the like cannot be kept.
func TestFault(t *testing.T) {
	type list []list
	for _, test := range []struct {
		t    reflect.Type
		want string
	}{
		{reflect.TypeFor[all](), ""},
		{reflect.TypeFor[struct{}](), ""},
		{reflect.TypeFor[*int](), "a ptr, want plain values"},
		{reflect.TypeFor[struct{ X struct{ Y map[int]int } }](), "the map X.Y, want plain values"},
		{reflect.TypeFor[struct{ X []func() }](), "a func, want plain values"},
		{reflect.TypeFor[list](), "a archive.list within itself, want plain values"},
	} {
		if got := Fault(test.t); got != test.want {
			t.Errorf("%v: got=%q, want=%q", test.t, got, test.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("want a panic for a map")
		}
	}()
	Write(io.Discard, 1).Keep(&map[int]int{})
}

// BenchmarkKeep writes and reads a million rows of 112 bytes.
func BenchmarkKeep(b *testing.B) {
	type row struct {
		A, B uint32
		X    [12]float64
		C, D uint32
	}
	rows := make([]row, 1_000_000)
	keep := func(a *Archive) { a.Block("rows", func() { a.Keep(&rows) }) }
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			keep(Write(io.Discard, 3))
		}
	})
	data := written(b, keep)
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			a, err := Read(bytes.NewReader(data), 3)
			if err != nil {
				b.Fatal(err)
			}
			keep(a)
		}
	})
}

// TestLongName verifies that what could not be read again is not written.
func TestLongName(t *testing.T) {
	var out bytes.Buffer
	a := Write(&out, 1)
	a.Block(strings.Repeat("x", 1025), func() {})
	if err := a.Close(); err == nil || !strings.Contains(err.Error(), "name has 1025 bytes, want at most 1024") {
		t.Errorf("got=%v", err)
	}
}
