package plot

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// readPlotText reads a text as if it stood in a file.
func readPlotText(text string) (*File, error) {
	return ReadFile("f", strings.NewReader(text), nil)
}

// TestPlotKinds verifies that the kind is found out from the content, also when it is
// compressed.
func TestPlotKinds(t *testing.T) {
	for _, test := range files {
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		_, err := io.WriteString(z, "\ufeff"+fixture(test.name))
		if err := errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{fixture(test.name), zipped.String()} {
			f, err := readPlotText(text)
			if err != nil || f.Kind != test.kind {
				t.Errorf("%s: got=%+v %v, want=%s", test.name, f, err, test.kind)
			}
		}
	}
}

// TestPlotSettings verifies that what runs were started with is a figure.
func TestPlotSettings(t *testing.T) {
	f, err := readPlotText(fixture("run.json") + "\n" + strings.Replace(fixture("run.json"), "look-ahead=5", "look-ahead=9;mass=2", 1))
	if err != nil {
		t.Fatal(err)
	}
	if x, ok := f.Table.Number(1, "set.look-ahead"); !ok || x != 9 {
		t.Errorf("setting: got=%v, want=9", x)
	}
}

// TestPlotGoBench verifies that samples are put together, and the speed-up is known.
func TestPlotGoBench(t *testing.T) {
	f, err := readPlotText(fixture("bench.txt"))
	if err != nil {
		t.Fatal(err)
	}
	r := f.Bench.Results
	if len(r) != 2 || r[0].NsPerAgentStep != 11 || r[1].SpeedUp == nil || *r[1].SpeedUp != 2 || r[1].Workers != 2 {
		t.Errorf("got=%+v", r)
	}
}

func TestShortNames(t *testing.T) {
	for _, test := range []struct{ names, want []string }{
		{[]string{"a.json"}, []string{"a"}},
		{[]string{"x/a.json", "x/b.csv.gz"}, []string{"a", "b"}},
		{[]string{"x/a.json", "x/a.csv", "x/b.json"}, []string{"x/a.json", "x/a.csv", "b"}},
		{[]string{"x/a.json", "y/a.json", "y/b.json"}, []string{"x/a.json", "y/a.json", "b"}},
		{[]string{"a.json", "a.json"}, []string{"a", "a (2)"}},
	} {
		if got := ShortNames(test.names, ".json", ".csv"); !slices.Equal(got, test.want) {
			t.Errorf("%q: got=%q, want=%q", test.names, got, test.want)
		}
	}
}
