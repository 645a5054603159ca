package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/column"
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

// must is testkit.Must, which these tests cannot import: testkit imports this package.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t testing.TB, got, want T, what string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got=%v, want=%v", what, got, want)
	}
}

func written(t testing.TB, keep func(a *Archive)) []byte {
	t.Helper()
	var out bytes.Buffer
	a := Write(&out, 3)
	keep(a)
	must(t, a.Close())
	return out.Bytes()
}

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
	must(t, err)
	gotX.None = []float64{1}
	keep(&gotX, &gotN, &gotRows)(a)
	must(t, a.Close())
	if gotX.None != nil || gotX.j != "text" || gotX.e2 != x.e2 || !reflect.DeepEqual(gotX.K, x.K) || !reflect.DeepEqual(gotX.L, x.L) || gotN != n || !gotRows[2].on {
		t.Errorf("got=%+v, %d, %v, want=%+v, %d, %v", gotX, gotN, gotRows, x, n, rows)
	}
	if again := written(t, keep(&gotX, &gotN, &gotRows)); !bytes.Equal(again, data) {
		t.Errorf("again: got=%x, want=%x", again, data)
	}
	if rest, _ := io.ReadAll(in); string(rest) != "of others" {
		t.Errorf("rest: got=%q, want=%q", rest, "of others")
	}
}

func TestEntity(t *testing.T) {
	list := []ecs.Entity{EntityOf(1, 0), EntityOf(2, 9)}
	keep := func(a *Archive) { a.Block("list", func() { a.Keep(&list) }) }
	data := written(t, keep)
	a, _ := Read(bytes.NewReader(data), 3)
	a.Entity = func(e ecs.Entity) (ecs.Entity, error) { return EntityOf(e.ID()+10, e.Generation()), nil }
	if keep(a); a.Err() != nil || list[1] != EntityOf(12, 9) {
		t.Errorf("got=%v, %v, want=%v for the second one", list, a.Err(), EntityOf(12, 9))
	}
	a, _ = Read(bytes.NewReader(data), 3)
	a.Entity = func(e ecs.Entity) (ecs.Entity, error) {
		if e.ID() == 2 {
			return e, errors.New("is none")
		}
		return e, nil
	}
	keep(a)
	equal(t, fmt.Sprint(a.Err()), "crowd state: block list at byte 50: value: is none", "error")
}

func TestChanged(t *testing.T) {
	x := example()
	data := written(t, func(a *Archive) { a.Block("x", func() { a.Keep(&x) }) })
	for i := range data {
		if _, err := Read(bytes.NewReader(data[:i]), 3); err == nil || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("%d bytes of %d: got=%v, want=%v", i, len(data), err, io.ErrUnexpectedEOF)
		}
		changed := bytes.Clone(data)
		changed[i] ^= 0x10
		if _, err := Read(bytes.NewReader(changed), 3); err == nil || !strings.Contains(err.Error(), "byte") {
			t.Fatalf("byte %d changed: got=%v, want=an error that names the byte", i, err)
		}
	}
	data[len(magic)+4+8+2+4+1] ^= 1
	_, err := Read(bytes.NewReader(data), 3)
	if want := "crowd state: block x at byte 16: checksum is "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got=%v, want=an error that begins with %q", err, want)
	}
}

func TestRefused(t *testing.T) {
	n, long, flag := 3, uint64(1)<<60, byte(2)
	var list []inner
	var on struct{ on bool }
	x := func(values ...any) func(a *Archive) {
		return func(a *Archive) { a.Block("x", func() { a.Keep(values...) }) }
	}
	for _, test := range []struct {
		name        string
		write, read func(a *Archive)
		want        string
	}{
		{"another block", x(), func(a *Archive) { a.Block("y", func() {}) }, "block x at byte 16: want block y"},
		{"no block", func(*Archive) {}, x(), "want block x, but the stream ends"},
		{"left", x(&n), x(), "block x at byte 31: unread bytes in the block: 8, want 0"},
		{"not read", x(), func(*Archive) {}, "block x at byte 16: want the end of the stream"},
		{"too short", x(), x(&n), "block x at byte 31: want 1 rows of 8 bytes, but only 0 bytes are left"},
		{"length", x(&long), x(&list), "block x at byte 31: length is 1152921504606846976, but only 0 bytes are left"},
		{"bool", x(&flag), x(&on), "block x at byte 31: on is 2, want 0 or 1"},
		{"own", x(&n), func(a *Archive) {
			a.Block("x", func() {
				a.Keep(&n)
				a.Fail("it is %d", n)
				a.Fail("not this one")
			})
		}, "block x at byte 39: it is 3"},
	} {
		a, err := Read(bytes.NewReader(written(t, test.write)), 3)
		must(t, err)
		test.read(a)
		equal(t, fmt.Sprint(a.Close()), "crowd state: "+test.want, test.name)
	}
	name := Write(io.Discard, 1)
	name.Block(strings.Repeat("x", 1025), func() {})
	if err := name.Close(); err == nil || !strings.Contains(err.Error(), "name has 1025 bytes, want at most 1024") {
		t.Errorf("long name: got=%v, want=an error with %q", err, "name has 1025 bytes, want at most 1024")
	}
	_, err := Read(bytes.NewReader(written(t, func(*Archive) {})), 4)
	equal(t, fmt.Sprint(err), "crowd state: byte 12: version is 3, want 4", "version")
}

func TestFault(t *testing.T) {
	type list []list
	for _, test := range []struct {
		t    reflect.Type
		want string
	}{
		{reflect.TypeFor[all](), ""},
		{reflect.TypeFor[struct{}](), ""},
		{reflect.TypeFor[*int](), "a value of kind ptr, want plain values"},
		{reflect.TypeFor[struct{ X struct{ Y map[int]int } }](), "the field X.Y of kind map, want plain values"},
		{reflect.TypeFor[struct{ X []func() }](), "a value of kind func, want plain values"},
		{reflect.TypeFor[list](), "the type archive.list, which contains itself, want plain values"},
	} {
		equal(t, Fault(test.t), test.want, test.t.String())
	}
	defer func() {
		if recover() == nil {
			t.Error("Keep of a map: got=no panic, want=a panic")
		}
	}()
	Write(io.Discard, 1).Keep(&map[int]int{})
}

func TestLog(t *testing.T) {
	var out bytes.Buffer
	long := bytes.Repeat([]byte("x"), 1<<17)
	must(t, WriteBlock(&out, "a", []byte("short")))
	must(t, WriteBlock(&out, "b", long))
	if err := WriteBlock(&out, strings.Repeat("x", 1025), nil); err == nil || !strings.Contains(err.Error(), "xxx… has 1025 bytes, want at most 1024") {
		t.Errorf("long name: got=%v, want=an error with %q", err, "xxx… has 1025 bytes, want at most 1024")
	}
	log := ReadBlocks(bytes.NewReader(out.Bytes()), 100)
	for _, want := range []string{"short", string(long)} {
		_, data, err := log.Next()
		must(t, err)
		equal(t, string(data), want, "data")
	}
	equal(t, log.At(), int64(100+out.Len()), "bytes read")
	if _, _, err := log.Next(); err != io.EOF {
		t.Errorf("after the last block: got=%v, want=%v", err, io.EOF)
	}
	log = ReadBlocks(bytes.NewReader(out.Bytes()[:9]), 0)
	if _, _, err := log.Next(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut off: got=%v, want=%v", err, io.ErrUnexpectedEOF)
	}
}

// Some machines have ints of 32 bits.
func TestInts(t *testing.T) {
	memory, stream := make([]byte, 12), make([]byte, 24)
	here.PutUint32(memory, 1)
	here.PutUint32(memory[4:], math.MaxUint32)
	here.PutUint32(memory[8:], 1<<31)
	for kind, want := range map[reflect.Kind][]uint64{
		reflect.Int: {1, math.MaxUint64, 0xffffffff80000000}, reflect.Uint: {1, math.MaxUint32, 1 << 31},
	} {
		leaf := &column.Leaf{Kind: kind}
		_, err := Write(io.Discard, 1).moveInts(strided{stream, 8}, strided{memory, 4}, 3, leaf)
		must(t, err)
		back, a := make([]byte, 12), &Archive{}
		_, err = a.moveInts(strided{back, 4}, strided{stream, 8}, 3, leaf)
		must(t, err)
		for i, w := range want {
			equal(t, little.Uint64(stream[8*i:]), w, kind.String())
		}
		equal(t, string(back), string(memory), kind.String()+" back")
		little.PutUint64(stream[16:], 1<<40)
		bad, err := a.moveInts(strided{back, 4}, strided{stream, 8}, 3, leaf)
		if bad != 2 || err == nil {
			t.Errorf("%v: got=%d, %v, want=2 and an error", kind, bad, err)
		}
	}
}
