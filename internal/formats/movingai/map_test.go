package movingai

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

func written(t testing.TB, name, text string) string {
	t.Helper()
	return filepath.Join(testkit.Files(t, map[string]string{name: text}), name)
}

const small = "type octile\nheight 3\nwidth 4\nmap\n.GS@\nOTW.\n....\n"

func TestReadMap(t *testing.T) {
	for name, text := range map[string]string{
		"plain":             small,
		"width first":       "type octile\nwidth 4\nheight 3\nmap\n.GS@\nOTW.\n....",
		"blanks at the end": "type octile \nheight\t3\nwidth  4\nmap\n.GS@  \nOTW.\t\n....\n\n\n",
	} {
		m, err := ReadMap(t.Context(), written(t, "a.map", text))
		testkit.Must(t, err)
		got := ""
		for y := -1; y <= m.Height; y++ {
			for x := -1; x <= m.Width; x++ {
				got += map[bool]string{true: ".", false: "@"}[m.Passable(x, y)]
			}
		}
		if want := "@@@@@@" + "@...@@" + "@@@@.@" + "@....@" + "@@@@@@"; got != want || m.At(2, 1) != 'W' {
			t.Errorf("%s: got=%s, want=%s, and W at (2, 1)", name, got, want)
		}
	}
}

func TestReadMapErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ":1: the file is empty, want type octile"},
		{"version 1\n0\ta.map\t4\t3\t0\t0\t1\t0\t1\n", `:1: "version" begins a scenario, want a map: "type octile"`},
		{"type tile\n", `:1: type is "tile", want octile`},
		{"<svg/>\n", `:1: "<svg/>" is not a line of a map, want type octile, height, width or map`},
		{"type octile\nheight three\n", `:2: height is "three", want a whole number from 1 to 65536`},
		{"type octile\nheight 3\nwidth 0\n", `:3: width is "0", want a whole number from 1 to 65536`},
		{"type octile\nheight 65536\nwidth 65536\nmap\n", ":3: the map has 65536 × 65536 cells, want at most 16777216 in all"},
		{"height 3\nwidth 4\nmap\n", ":3: map before type octile"},
		{"type octile\nheight 3\nmap\n", ":3: map before width"},
		{"type octile\nwidth 4\nmap\n", ":3: map before height"},
		{"type octile\nheight 3\nwidth 4\n", ":4: the file ends before its map"},
		{"type octile\nheight 3\nwidth 4\nmap\n....\n...\n....\n", ":6: the number of cells is 3, want 4, the width of the map"},
		{"type octile\nheight 3\nwidth 4\nmap\n....\n....\n", ":7: the number of rows is 2, want 3, the height of the map"},
		{"type octile\nheight 1\nwidth 4\nmap\n....\n....\n", ":6: too many rows, want 1, the height of the map"},
		{testkit.Gzip(small)[:40], "gzip data cut short"},
		{"type octile\nheight 1\nwidth 4\nmap\n..#.\n", `:5: cell 2 is "#", want one of . G S @ O T W`},
	} {
		file := written(t, "a.map", test.text)
		_, err := ReadMap(t.Context(), file)
		if err == nil || !strings.HasPrefix(err.Error(), file+":") || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: got=%v, want=%s: … %s …", test.text, err, file, test.want)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	large := "type octile\nheight 4096\nwidth 4096\nmap\n" + strings.Repeat(strings.Repeat(".", 4096)+"\n", 4096)
	if _, err := ReadMap(ended, written(t, "a.map", large)); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: got=%v, want=%v", err, context.Canceled)
	}
}

func TestScaled(t *testing.T) {
	m, err := ReadMap(t.Context(), written(t, "a.map", small))
	testkit.Must(t, err)
	if same, err := m.scaled(4, 3); same != m || err != nil {
		t.Errorf("to its own size: got=%p, %v, want=%p", same, err, m)
	}
	for _, test := range []struct {
		width, height int
		want          string
	}{
		{8, 3, "..GGSS@@OOTTWW.........."},
		{4, 6, ".GS@.GS@OTW.OTW........."},
		{2, 1, ".S"},
	} {
		if got, err := m.scaled(test.width, test.height); err != nil || string(got.cells) != test.want || got.Width != test.width || got.Height != test.height {
			t.Errorf("%d × %d: got=%v, %v, want=%s", test.width, test.height, got, err, test.want)
		}
	}
	if _, err := m.scaled(60000, 60000); err == nil || !strings.Contains(err.Error(), "can't be scaled to 60000 × 60000 cells, want at most 16777216") {
		t.Errorf("too large: got=%v, want=an error with %q", err, "can't be scaled to 60000 × 60000 cells, want at most 16777216")
	}
}

func FuzzReadMap(f *testing.F) {
	f.Add(small)
	f.Add("version 1\n")
	f.Add("type octile\nheight 2\nwidth 2\nmap\n..\r\n@@")
	f.Fuzz(func(t *testing.T, text string) {
		file := written(t, "a.map", text)
		m, err := ReadMap(t.Context(), file)
		if err != nil {
			if !strings.HasPrefix(err.Error(), file) {
				t.Errorf("got=%v, want=an error that names the file", err)
			}
			return
		}
		checkArea(t, m)
	})
}

// checkArea verifies that the area of the shapes is that of the blocked cells and the four walls around
// the map.
func checkArea(t *testing.T, m *Map) {
	t.Helper()
	area, want := 0., float64(2*(m.Width+2)+2*m.Height)
	for _, s := range m.Shapes() {
		area += (s.Ring[2].X - s.Ring[0].X) * (s.Ring[2].Y - s.Ring[0].Y)
	}
	for i := range m.cells {
		if !m.Passable(i%m.Width, i/m.Width) {
			want++
		}
	}
	testkit.Equal(t, len(m.cells), m.Width*m.Height, "cells")
	testkit.Equal(t, area, want, "area of the shapes")
}

// read separates rows at slashes.
func read(t *testing.T, text string) *Map {
	t.Helper()
	rows := strings.Split(text, "/")
	text = fmt.Sprintf("type octile\nheight %d\nwidth %d\nmap\n%s\n", len(rows), len(rows[0]), strings.Join(rows, "\n"))
	m, err := ReadMap(t.Context(), written(t, "x.map", text))
	testkit.Must(t, err)
	return m
}

func TestLength(t *testing.T) {
	for _, test := range []struct {
		rows     string
		from, to [2]int
		want     float64
	}{
		{"..../@@@./....", [2]int{0, 0}, [2]int{0, 0}, 0},
		{"..../@@@./....", [2]int{0, 0}, [2]int{3, 0}, 3},
		{"..../@@@./....", [2]int{0, 0}, [2]int{3, 2}, 5},
		{"..../@@@./....", [2]int{0, 0}, [2]int{0, 2}, 8},
		{"..../@@@./....", [2]int{0, 0}, [2]int{0, 1}, math.Inf(1)},
		{"@./.@", [2]int{1, 0}, [2]int{0, 1}, math.Inf(1)}, // past the corner of a blocked cell
		{"../..", [2]int{1, 0}, [2]int{0, 1}, math.Sqrt2},  // the IDs of both are 1 apart
		{strings.Repeat("/.........", 9)[1:], [2]int{0, 0}, [2]int{8, 5}, 3 + 5*math.Sqrt2},
	} {
		if got := NewGrid(read(t, test.rows)).Length(test.from, test.to); math.Abs(got-test.want) > 1e-9 && got != test.want {
			t.Errorf("%s: %v to %v: got=%v, want=%v", test.rows, test.from, test.to, got, test.want)
		}
	}
}

func random(seed uint64, width, height int, share float64) *Map {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &Map{Width: width, Height: height}
	for range width * height {
		m.cells = append(m.cells, "@."[min(1, int(r.Float64()/share))])
	}
	return m
}

func TestShapes(t *testing.T) {
	var x space.Index
	x.Build((&Map{Width: 2, Height: 2, cells: []byte("@..@")}).Shapes(), 1, 0)
	if _, hit := x.Sweep(r2.Vec{X: 1.5, Y: 0.5}, r2.Vec{X: -math.Sqrt2 / 2, Y: math.Sqrt2 / 2}, 1, 1e-7); !hit {
		t.Error("got=a path past a corner, want=none")
	}
	for seed := range uint64(20) {
		m := random(seed, 3+int(seed), 9, 0.4)
		x.Build(m.Shapes(), 1, 0)
		for cy := -1; cy <= m.Height; cy++ {
			for cx := -1; cx <= m.Width; cx++ {
				if _, inside := x.Inside(Center([2]int{cx, cy})); inside == m.Passable(cx, cy) {
					t.Errorf("seed %d: cell (%d, %d): in a shape: got=%v, want=%v", seed, cx, cy, inside, !inside)
				}
			}
		}
		checkArea(t, m)
	}
}
