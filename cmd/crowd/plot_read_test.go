package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestPlotKinds holds that the kind is found out from the content, also when it is
// compressed.
func TestPlotKinds(t *testing.T) {
	for _, test := range plotFiles {
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		_, err := io.WriteString(z, "\ufeff"+test.text)
		if err := errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{test.text, zipped.String()} {
			f, err := readPlotText(text)
			if err != nil || f.kind != test.kind {
				t.Errorf("%s: got=%+v %v, want=%s", test.name, f, err, test.kind)
			}
		}
	}
}

// TestPlotSettings holds that runs one after another in a file are told apart by
// what they were started with, and that this is a figure.
func TestPlotSettings(t *testing.T) {
	f, err := readPlotText(runText + "\n" + strings.Replace(runText, "look-ahead=5", "look-ahead=9;mass=2", 1))
	if err != nil {
		t.Fatal(err)
	}
	p := &plotting{plotCmd: &plotCmd{}, files: []*plotFile{f}, kind: f.kind}
	if got, want := p.runNames(), []string{"look-ahead 5", "look-ahead 9, mass 2"}; !slices.Equal(got, want) {
		t.Errorf("names: got=%q, want=%q", got, want)
	}
	if x, ok := f.table.number(1, "set.look-ahead"); !ok || x != 9 {
		t.Errorf("setting: got=%v, want=9", x)
	}
}

// TestPlotGoBench holds that samples are put together, and the speed-up is known.
func TestPlotGoBench(t *testing.T) {
	f, err := readPlotText(goText)
	if err != nil {
		t.Fatal(err)
	}
	r := f.bench.Results
	if len(r) != 2 || r[0].NsPerAgentStep != 11 || r[1].SpeedUp == nil || *r[1].SpeedUp != 2 || r[1].Workers != 2 {
		t.Errorf("got=%+v", r)
	}
}

func TestShortNames(t *testing.T) {
	for _, test := range []struct{ names, want []string }{
		{[]string{"a.json"}, []string{"a"}},
		{[]string{"x/a.json", "x/b.csv.gz"}, []string{"a", "b"}},
		{[]string{"x/a.json", "x/a.csv", "x/b.json"}, []string{"a.json", "a.csv", "b"}},
		{[]string{"x/a.json", "y/a.json", "y/b.json"}, []string{"x/a", "y/a", "b"}},
		{[]string{"a.json", "a.json"}, []string{"a", "a (2)"}},
	} {
		if got := shortNames(test.names, ".json", ".csv"); !slices.Equal(got, test.want) {
			t.Errorf("%q: got=%q, want=%q", test.names, got, test.want)
		}
	}
}
