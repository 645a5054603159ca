package movingai

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

func TestReadScenario(t *testing.T) {
	want := Row{Line: 2, Bucket: 1, Map: "a.map", Width: 4, Height: 3, Start: [2]int{0, 2}, Goal: [2]int{3, 1}, Octile: 3.41}
	unsized, first := want, want
	unsized.Width, unsized.Height = 0, 0
	first.Line = 1
	spaced := want
	spaced.Map = "my maps/a.map"
	for _, test := range []struct {
		name, text string
		want       Row
	}{
		{"tabs", "version 1\n1\ta.map\t4\t3\t0\t2\t3\t1\t3.41\n", want},
		{"blanks", "version 1.0\n1 a.map 4 3 0 2 3 1 3.41\n", want},
		{"no version", "1\ta.map\t4\t3\t0\t2\t3\t1\t3.41", first},
		{"no size", "version 0\n1\ta.map\t0\t2\t3\t1\t3.41\n", unsized},
		{"a blank in the name", "version 1\n1\tmy maps/a.map\t4\t3\t0\t2\t3\t1\t3.41\n", spaced},
	} {
		s, err := ReadScenario(t.Context(), written(t, "a.scen", test.text))
		if err != nil || len(s.Rows) != 1 || !reflect.DeepEqual(s.Rows[0], test.want) {
			t.Errorf("%s: got=%+v, %v, want=%+v", test.name, s, err, test.want)
		}
	}
}

func TestReadScenarioErrors(t *testing.T) {
	const head = "version 1\n0\ta.map\t4\t3\t0\t0\t1\t0\t1\n"
	for _, test := range []struct{ text, want string }{
		{"", ":1: the file is empty, want version 1"},
		{"version 1\n", ":2: the file ends without a row"},
		{"version 2\n", `:1: the line is "version 2", want version 1`},
		{"hello\n", `:1: the line is "hello", want version 1`},
		{small, `:1: "type" begins a map, want a scenario: "version 1"`},
		{head + "0\ta.map\t4\t3\t0\t0\t1\t0\n", ":3: the number of columns is 8, want 9: bucket, map, width, height, start x and y, goal x and y, length"},
		{head + "x\ta.map\t4\t3\t0\t0\t1\t0\t1\n", `:3: bucket is "x", want a whole number from 0 to 2147483647`},
		{head + "0\t\t4\t3\t0\t0\t1\t0\t1\n", ":3: map is empty"},
		{head + "0\ta.map\t0\t3\t0\t0\t1\t0\t1\n", `:3: width is "0", want a whole number from 1 to 65536`},
		{head + "0\ta.map\t4\t1e9\t0\t0\t1\t0\t1\n", `:3: height is "1e9"`},
		{head + "0\ta.map\t4\t3\t-1\t0\t1\t0\t1\n", `:3: start x is "-1", want a whole number from 0 to 65536`},
		{head + "0\ta.map\t4\t3\t0\t0.5\t1\t0\t1\n", `:3: start y is "0.5"`},
		{head + "0\ta.map\t4\t3\t0\t0\tNaN\t0\t1\n", `:3: goal x is "NaN"`},
		{head + "0\ta.map\t4\t3\t0\t0\t1\t\x1b[2J\t1\n", `:3: goal y is "\x1b[2J"`},
		{head + "0\ta.map\t4\t3\t0\t0\t1\t0\tNaN\n", `:3: length is "NaN", want a number from 0 to 1e9`},
		{head + "0\ta.map\t4\t3\t0\t0\t1\t0\t-1\n", `:3: length is "-1"`},
	} {
		file := written(t, "a.scen", test.text)
		_, err := ReadScenario(t.Context(), file)
		if err == nil || !strings.HasPrefix(err.Error(), file+test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: got=%v, want=%s%s", test.text, err, file, test.want)
		}
	}
}

func TestCheck(t *testing.T) {
	m, err := ReadMap(t.Context(), written(t, "a.map", small))
	testkit.Must(t, err)
	m.Path = "a.map"
	s := &Scenario{Path: "a.scen"}
	for _, test := range []struct {
		start, goal [2]int
		want        string
	}{
		{[2]int{0, 0}, [2]int{3, 2}, "<nil>"},
		{[2]int{1, 0}, [2]int{2, 0}, "<nil>"},
		{[2]int{4, 0}, [2]int{3, 2}, "a.scen:7: start (4, 0) is outside the map, want x below 4 and y below 3"},
		{[2]int{0, 0}, [2]int{0, 3}, "a.scen:7: goal (0, 3) is outside the map, want x below 4 and y below 3"},
		{[2]int{3, 0}, [2]int{3, 2}, "a.scen:7: start (3, 0) is blocked (@) in a.map, want one of . G S"},
		{[2]int{0, 0}, [2]int{2, 1}, "a.scen:7: goal (2, 1) is blocked (W) in a.map, want one of . G S"},
	} {
		err := s.Check(&Row{Line: 7, Start: test.start, Goal: test.goal}, m)
		testkit.Equal(t, fmt.Sprint(err), test.want, "%v to %v", test.start, test.goal)
	}
}

func TestMaps(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	s := &Scenario{Path: filepath.Join(dir, "a.scen")}
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		testkit.Must(t, os.MkdirAll(filepath.Dir(file), 0o700))
		testkit.Must(t, os.WriteFile(file, []byte(text), 0o600))
	}
	write("beside.map", small)
	write("maps/below.map", small)
	write("packed.map.gz", testkit.Gzip(small))
	write("bad.map", "no map\n")
	var maps Maps
	for _, name := range []string{"beside.map", "maps/below.map", `maps\below.map`, "elsewhere/beside.map", "/beside.map", "packed.map"} {
		if m, err := maps.Of(ctx, s, &Row{Map: name, Width: 4, Height: 3}); err != nil || m.Width != 4 {
			t.Errorf("%s: got=%v, %v, want=a map of 4 columns", name, m, err)
		}
	}
	a, err := maps.Of(ctx, s, &Row{Map: "beside.map", Width: 8, Height: 6})
	b, _ := maps.Of(ctx, s, &Row{Map: "beside.map", Width: 8, Height: 6})
	if err != nil || a.Width != 8 || a.Height != 6 || a != b {
		t.Errorf("scaled: got=%v, %v, again %p, want=the same map of 8 × 6 cells", a, err, b)
	}
	for _, test := range []struct {
		row  Row
		want string
	}{
		{Row{Line: 3, Map: "gone.map"}, `a.scen:3: the map "gone.map" is not in the folder of the scenario, want ` + filepath.Join(dir, "gone.map")},
		{Row{Line: 3, Map: "../../gone.map"}, `a.scen:3: the map "../../gone.map" is not in the folder of the scenario`},
		{Row{Line: 4, Map: "beside.map", Width: 65536, Height: 65536}, "a.scen:4: "},
		{Row{Line: 4, Map: "maps"}, `a.scen:4: the map "maps" can't be read: ` + filepath.Join(dir, "maps") + ": a folder, pipe or device, want a regular file"},
		{Row{Line: 5, Map: "bad.map"}, `a.scen:5: the map "bad.map" can't be read: ` + filepath.Join(dir, "bad.map") + ":1: "},
	} {
		if _, err := maps.Of(ctx, s, &test.row); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got=%v, want=an error with %q", test.row.Map, err, test.want)
		}
	}
	given := Maps{File: filepath.Join(dir, "maps", "below.map")}
	if _, err := given.Of(ctx, s, &Row{Map: "any.map"}); err != nil {
		t.Errorf("a given map: got=%v, want=the map", err)
	}
	if _, err := given.Of(ctx, s, &Row{Line: 9, Map: "other.map"}); err == nil || !strings.Contains(err.Error(), "a.scen:9: ") {
		t.Errorf("two maps: got=%v, want=an error on line 9", err)
	}
}

func FuzzReadScenario(f *testing.F) {
	f.Add("version 1\n0\ta.map\t4\t3\t0\t0\t1\t0\t1\n")
	f.Add("0 a.map 0 0 1 0 1e300")
	f.Add("\f")
	f.Add(small)
	f.Fuzz(func(t *testing.T, text string) {
		file := written(t, "a.scen", text)
		s, err := ReadScenario(t.Context(), file)
		if err != nil {
			if !strings.HasPrefix(err.Error(), file) {
				t.Errorf("got=%v, want=an error that names the file", err)
			}
			return
		}
		for _, r := range s.Rows {
			if !(r.Octile >= 0) || r.Start[0] < 0 || r.Goal[1] < 0 {
				t.Errorf("got=%+v, want=no negative number", r)
			}
		}
	})
}
