package textio

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// open opens text as a file whose format knows <a one><b/>text<ignored/></a>.
func open(t *testing.T, text string, f Format, log *Log) *Reader {
	t.Helper()
	path := filepath.Join(t.TempDir(), "main.xml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f.Vocabulary = map[string]Words{"a": {Attrs: strings.Fields("one"), Children: strings.Fields("b"), IgnoredChildren: strings.Fields("ignored")}}
	r, err := Open(path, "", f, log)
	if err != nil {
		t.Fatal(err)
	}
	r.Path = "main.xml"
	return r
}

// texts reads the file, and returns the texts of its <b>.
func texts(r *Reader) (got []string, err error) {
	err = r.Read(func(root Tag) error {
		return r.Element(root, func(b Tag) error {
			text, err := r.Text(b)
			got = append(got, text)
			return err
		})
	}, "a")
	return got, err
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		f          Format
		want       []string
		wantErr    string
	}{
		{name: "text", text: "<a><b> x </b><b/><ignored><c/></ignored><b>&lt;</b><b><![CDATA[<]]></b></a>", want: []string{"x", "", "<", "<"}},
		{name: "comments", text: "<!-- -- --><?xml version='1.0'?><a><b>1<!-- 2 -->3</b></a>", want: []string{"1 3"}},
		{name: "prefix of the root", text: "<n:a xmlns:n='u'><n:b xsi:type='t'>x</n:b><b>y</b></n:a>", f: Format{Namespaced: true}, want: []string{"x", "y"}},
		{name: "prefix of another", text: "<a><n:b/></a>", f: Format{Namespaced: true}, wantErr: "main.xml:1: unknown element <n:b> in <a>: want <b> or <ignored>"},
		{name: "no namespaces", text: "<n:a/>", wantErr: "main.xml:1: root element <n:a>: want <a>"},
		{name: "namespace declared", text: "<a xmlns='u'/>", wantErr: `main.xml:1: unknown attribute xmlns="u" in <a>: want one`},
		{name: "text outside", text: "<a>\nx</a>", wantErr: `main.xml:2: text "x" in <a>: want only elements`},
		{name: "limit", text: "<a></a>", f: Format{MaxBytes: 6}, wantErr: "main.xml:1: file too large: want at most 6 bytes, unpacked"},
	} {
		got, err := texts(open(t, c.text, c.f, &Log{}))
		gotErr := ""
		if err != nil {
			gotErr = err.Error()
		}
		if gotErr != c.wantErr || c.wantErr == "" && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got=%q, %v, want=%q, %v", c.name, got, gotErr, c.want, c.wantErr)
		}
	}
}

func TestSecond(t *testing.T) {
	var log Log
	r := open(t, "<a><b/>\n<b/></a>", Format{Lenient: true}, &log)
	err := r.Read(func(root Tag) error {
		return r.Element(root, func(Tag) error { return ErrSecond })
	}, "a")
	want := []string{"main.xml:1: skipped: second <b> in <a>", "main.xml:2: skipped: second <b> in <a>"}
	if got := log.Warnings("main.xml"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got=%q, %v, want=%q", got, err, want)
	}
}

func TestLog(t *testing.T) {
	var log Log
	for i := range MaxWarnings + 3 {
		log.Add(func() string { return fmt.Sprint(i) })
	}
	got := log.Warnings("f")
	if len(got) != MaxWarnings+1 || got[MaxWarnings] != "f: and 3 more warnings" {
		t.Errorf("got=%q, want=%d and the number of the rest", got, MaxWarnings)
	}
}

func TestOutline(t *testing.T) {
	a, b, c := r2.Vec{}, r2.Vec{X: 1}, r2.Vec{Y: 1}
	for _, test := range []struct{ points, want []r2.Vec }{
		{nil, nil},
		{[]r2.Vec{a, a, a}, []r2.Vec{a}},
		{[]r2.Vec{a, b, a}, []r2.Vec{a, b}},
		{[]r2.Vec{a, a, b, c, c, a, a}, []r2.Vec{a, b, c}},
	} {
		if got := Outline(test.points); !reflect.DeepEqual(got, test.want) {
			t.Errorf("got=%v, want=%v", got, test.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		text   string
		want   float64
		wanted string
	}{
		{" -1.5e1 ", -15, ""}, {"3.4e38", 3.4e38, ""},
		{"", 0, "a number"}, {"1m", 0, "a number"}, {"NaN", 0, "a number"}, {"inf", 0, "a number"}, {"-Inf", 0, "a number"}, {"-90", 0, "a number"},
		{"1e39", 0, "a number, at most 3.4e+38"}, {"1e999", 0, "a number, at most 3.4e+38"},
		{"-1e39", 0, "a number"},
	} {
		if got, wanted := (Limit{func(x float64) bool { return x > -50 }, "a number"}).Parse(c.text); wanted != c.wanted || got != c.want {
			t.Errorf("%q: got=%v, %q, want=%v, %q", c.text, got, wanted, c.want, c.wanted)
		}
	}
	if _, wanted := AnyNumber("a number").Parse("-1e39"); wanted != "a number, at least -3.4e+38" {
		t.Errorf("-1e39: got=%q", wanted)
	}
}

func TestAlternatives(t *testing.T) {
	for _, c := range []struct{ read, ignored, want string }{
		{"", "", "none"}, {"a", "", "<a>"}, {"a b", "c", "<a>, <b> or <c>"},
	} {
		if got := Alternatives("<?>", strings.Fields(c.read), strings.Fields(c.ignored)); got != c.want {
			t.Errorf("got=%v, want=%v", got, c.want)
		}
	}
	if _, err := Open(t.TempDir(), "", Format{}, &Log{}); err == nil || !strings.HasSuffix(err.Error(), "want a regular file") || errors.Is(err, os.ErrNotExist) {
		t.Errorf("folder: got=%v, want=an error", err)
	}
}
