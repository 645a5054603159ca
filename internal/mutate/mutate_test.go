package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

func TestApply(t *testing.T) {
	const text = "a := b + c\n\tif x < y {\n\tx++\n\tx++\n"
	for _, test := range []struct {
		m    mutation
		want string
		err  string
	}{
		{m: mutation{Old: "b + c", New: "b - c"}, want: "a := b - c\n\tif x < y {\n\tx++\n\tx++\n"},
		{m: mutation{At: "if x < y {", Column: 5, Old: "<", New: "<="}, want: "a := b + c\n\tif x <= y {\n\tx++\n\tx++\n"},
		{m: mutation{Old: "x++", New: "x--"}, err: "occurs 2 times"},
		{m: mutation{At: "x++", Column: 1, Old: "++", New: "--"}, err: "more than once"},
		{m: mutation{At: "x--", Column: 1, Old: "--", New: "++"}, err: "does not occur"},
		{m: mutation{At: "if x < y {", Column: 4, Old: "<", New: "<="}, err: `the text at byte 4 of the line is not "<"`},
	} {
		got, err := test.m.apply(text)
		if got != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%+v: got=%q, %v, want=%q, an error with %q (none if empty)", test.m, got, err, test.want, test.err)
		}
	}
}

func TestSites(t *testing.T) {
	const text = `package p

const limit = 3

func f(x, y float64) bool {
	if x < y && !(y > 2) {
		panic("a" + "b")
	}
	x += min(y, 1.5)
	return true
}
`
	found, err := sitesOf("p.go", text)
	testkit.Must(t, err)
	var names []string
	for _, m := range found {
		names = append(names, m.Name)
		if changed, err := m.apply(text); err != nil || changed == text {
			t.Errorf("%+v: got error %v, changed=%v, want no error and a change", m, err, changed != text)
		}
	}
	const want = "never, && to ||, < to <=, without !, > to >=, one more, += to -=, min to max, twice as much, return the opposite"
	testkit.Equal(t, strings.Join(names, ", "), want, "names")
}

func TestPart(t *testing.T) {
	all := make([]mutation, 5)
	seen := 0
	for _, shard := range []string{"1/3", "2/3", "3/3"} {
		some, err := part(all, shard)
		testkit.Must(t, err)
		seen += len(some)
	}
	testkit.Equal(t, seen, len(all), "mutations in three parts")
	for _, shard := range []string{"", "0/2", "3/2", "x", "1/3x"} {
		if _, err := part(all, shard); err == nil {
			t.Errorf("--shard %q: got=nil, want=an error", shard)
		}
	}
}

// A commit that changes a line that a mutation names must also change its table.
func TestTablesApply(t *testing.T) {
	all, err := readTables("../../.ci/mutations/*.toml")
	testkit.Must(t, err)
	for _, m := range all {
		code, err := os.ReadFile("../../" + m.File)
		if err == nil {
			_, err = m.apply(string(code))
		}
		if err != nil {
			t.Errorf("%s in %s: got=%v, want=no error", m.Name, m.File, err)
		}
	}
}

func TestResume(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results")
	first, second := &mutation{Name: "first"}, &mutation{Name: "second"}
	for i, m := range []*mutation{first, second} {
		r, err := openResults(name)
		testkit.Must(t, err)
		_, known := r.of(first)
		testkit.Equal(t, known, i > 0, "opening %d: first result known", i+1)
		testkit.Must(t, r.keep(m, result{}))
		r.close()
		text, err := os.ReadFile(name)
		testkit.Must(t, err)
		if i == 0 {
			text = append(text, "\n{\"Key\":"...)
		}
		testkit.Must(t, os.WriteFile(name, text, 0o666))
	}
	r, err := openResults(name)
	testkit.Must(t, err)
	defer r.close()
	_, known := r.of(second)
	testkit.Equal(t, known, true, "result after a truncated one: known")
}
