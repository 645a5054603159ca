package textio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

// open opens text as a file. The format allows <a one n on><b/><ignored/></a>.
func open(t *testing.T, text string, f Format, log *Log) (*Reader, error) {
	t.Helper()
	path := filepath.Join(testkit.Files(t, map[string]string{"main.xml": text}), "main.xml")
	f.Vocabulary = map[string]Words{"a": {
		Attrs: []string{"one", "n", "on"}, Children: []string{"b"}, IgnoredChildren: []string{"ignored"},
	}}
	r, err := Open(path, "", f, log)
	if err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), path, "main.xml"))
	}
	r.Path = "main.xml"
	return r, nil
}

// texts returns the texts of all <b> elements in the file.
func texts(t *testing.T, text string, f Format) (got []string, err error) {
	t.Helper()
	r, err := open(t, text, f, &Log{})
	if err != nil {
		return nil, err
	}
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
	}{
		{"text", "<a><b> x </b><b/><ignored><c/></ignored><b>&lt;</b><b><![CDATA[<]]></b></a>", Format{}, []string{"x", "", "<", "<"}},
		{"byte order mark", "\ufeff<a><b>x</b></a>", Format{}, []string{"x"}},
		{"gzip", testkit.Gzip("<a><b>x</b></a>"), Format{}, []string{"x"}},
		{"comments", "<!-- -- --><?xml version='1.0'?><a><b>1<!-- 2 -->3</b></a>", Format{}, []string{"1 3"}},
		{"prefix of the root", "<n:a xmlns:n='u'><n:b xsi:type='t'>x</n:b><b>y</b></n:a>", Format{Namespaced: true}, []string{"x", "y"}},
		{"remarks", "<a>x<b>y</b>z</a>", Format{Remarks: true}, []string{"y"}},
		{"limit", "<a></a>", Format{MaxBytes: 7}, nil},
	} {
		got, err := texts(t, c.text, c.f)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got=%q, %v, want=%q", c.name, got, err, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	bomb := testkit.Gzip("<a>" + strings.Repeat("<!---->\n", 1<<20))
	many := "<a><b"
	for i := range 65 {
		many += fmt.Sprintf(" a%d=''", i)
	}
	for _, c := range []struct{ name, text, want string }{
		{"empty file", "", "main.xml:1: no root element: want <a> or <other>"},
		{"no XML", "hello\nworld", `main.xml:1: text "hello\nworld" outside the root element: want <a> or <other>`},
		{"other root", "<?xml version='1.0'?>\n<b/>", "main.xml:2: root element <b>: want <a> or <other>"},
		{"two roots", "<a/>\n<b/>", "main.xml:2: second root element <b> after <a>: want one"},
		{"text after the root", "<a/>\n\n rest", `main.xml:3: text "rest" outside the root element: want the end of the file`},
		{"text in an element", "<a>\n12 </a>", `main.xml:2: text "12" in <a>: want only elements`},
		{"truncated", "<a>\n", "main.xml:2: file ends inside <a>: want </a>"},
		{"wrong closing tag", "<a>\n<b>\n</a>", "main.xml:3: </a> closes <b> on line 2: want </b>"},
		{"closing tag alone", "</a>", "main.xml:1: </a> closes nothing: want <a> or <other>"},
		{"comment without end", "<a>\n<!-- -- > ->\n", "main.xml:3: XML syntax: unexpected EOF"},
		{"comment in a tag", "<a <!-- a --> />", "main.xml:1: XML syntax: expected attribute name in element"},
		{"doctype", "<!DOCTYPE a [<!ENTITY a 'b'>]>\n<a/>", "main.xml:1: <!DOCTYPE a [<!ENTITY a 'b'>]>: want no DOCTYPE or other declaration"},
		{"unknown entity", "<a>\n&lol;</a>", "main.xml:2: XML syntax: invalid character entity &lol;"},
		{"other encoding", "<?xml version='1.0' encoding='ISO-8859-1'?>\n<a/>", `main.xml:1: encoding "ISO-8859-1": want UTF-8`},
		{"UTF-16", "\xff\xfe<\x00A\x00", "main.xml: encoding UTF-16: want UTF-8"},
		{"broken UTF-8", "<a>\xff</a>", "main.xml:1: XML syntax: invalid UTF-8"},
		{"unknown element", "<a>\n<c/></a>", "main.xml:2: unknown element <c> in <a>: want <b> or <ignored>"},
		{"unknown attribute", "<a two='1'/>", `main.xml:1: unknown attribute two="1" in <a>: want one, n or on`},
		{"no element allowed", "<a><b><c/></b></a>", "main.xml:1: unknown element <c> in <b>: want none"},
		{"no attribute allowed", "<a><b c='1'/></a>", `main.xml:1: unknown attribute c="1" in <b>: want none`},
		{"second attribute", "<a one='1' one='2'/>", "main.xml:1: second attribute one in <a>: want one"},
		{"namespace", "<a xmlns:u='v'/>", `main.xml:1: unknown attribute xmlns:u="v" in <a>: want one, n or on`},
		{"prefix", "<a><n:b/></a>", "main.xml:1: unknown element <n:b> in <a>: want <b> or <ignored>"},
		{"long value", "<a one='" + strings.Repeat("1", 5000) + "'/>", "main.xml:1: attribute one of 5000 bytes in <a>: want at most 4096"},
		{"long name", "<a " + strings.Repeat("a", 100) + "='1'/>", "main.xml:1: unknown attribute " + strings.Repeat("a", 60) + `…="1" in <a>: want one, n or on`},
		{"long token", "<a one='" + strings.Repeat("a", MaxToken) + "'/>", "main.xml:1: tag or text too long: want at most 1048576 bytes"},
		{"long text", "<a><b>" + strings.Repeat("<!---->a", 70_000), "main.xml:1: text in <b> too long: want at most 65536 bytes"},
		{"deep", "<a><ignored>" + strings.Repeat("<a>", 100), "main.xml:1: <a> nested too deeply: want at most 32 levels"},
		{"many attributes", many + "/></a>", "main.xml:1: 65 attributes in <b>: want at most 64"},
		{"gzip cut short", testkit.Gzip("<a><b/></a>")[:20], "main.xml:1: gzip data cut short"},
		{"gzip without its end", strings.TrimSuffix(testkit.Gzip("<a><b/></a>"), "\x00"), "main.xml:1: gzip data cut short"},
		{"gzip header", "\x1f\x8b\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "main.xml: gzip data damaged: gzip: invalid header"},
		{"gzip bomb", bomb, "main.xml:262144: file too large: want at most 2097152 bytes, unpacked"},
	} {
		_, err := texts(t, c.text, Format{OtherRoots: []string{"other"}, MaxBytes: 1 << 21})
		testkit.Equal(t, fmt.Sprint(err), c.want, "%s", c.name)
	}
	if _, err := Open(t.TempDir(), "", Format{}, &Log{}); err == nil || !strings.HasSuffix(err.Error(), "want a regular file") {
		t.Errorf("folder: got=%v, want=…: want a regular file", err)
	}
}

func TestComments(t *testing.T) {
	for _, comment := range []string{
		"<!---->", "<!-- -->", "<!----------------->", "<!-- -- -->", "<!--->-->", "<!--<!---->", "<!-- <b/>\n-->",
		"<!--" + strings.Repeat("<a/>\n", MaxToken/4) + "-->", "<!----><!---->",
	} {
		text := comment + "<a>" + comment + "<b/></a>" + comment + "\n<end/>"
		_, err := texts(t, text, Format{})
		want := fmt.Sprintf("main.xml:%d: second root element <end> after <a>: want one", 1+strings.Count(text, "\n"))
		testkit.Equal(t, fmt.Sprint(err), want, "%.30s", comment)
	}
}

func TestAttributes(t *testing.T) {
	for attrs, want := range map[string]string{
		"one='x' n='2' on='True'": "x 2 true", "one=''": " 1 false", "one='x' on='0'": "x 1 false",
		"n='2'":             "main.xml:1: <a> without one: want one",
		"one='x' n='-1'":    `main.xml:1: <a> n="-1": want 0 or more`,
		"one='x' on='yes'":  `main.xml:1: <a> on="yes": want true or false`,
		"one='x' n='1e300'": `main.xml:1: <a> n="1e300": want 0 or more, at most 3.4e+38`,
	} {
		r, err := open(t, "<a "+attrs+"/>", Format{}, &Log{})
		testkit.Must(t, err)
		one, n, on := "", 1., false
		err = r.Read(func(a Tag) error {
			return errors.Join(r.String(&one, a, "one"), r.Number(&n, a, "n", NotNegative("0 or more")),
				r.Flag(&on, a, "on", "true or false"), r.Element(a, nil))
		}, "a")
		got := fmt.Sprint(one, " ", n, " ", on)
		if err != nil {
			got = err.Error()
		}
		testkit.Equal(t, got, want, "%s", attrs)
	}
}

func TestSecond(t *testing.T) {
	var log Log
	r, err := open(t, "<a><b/>\n<b/></a>", Format{Lenient: true}, &log)
	testkit.Must(t, err)
	err = r.Read(func(root Tag) error {
		return r.Element(root, func(Tag) error { return ErrSecond })
	}, "a")
	want := []string{"main.xml:1: skipped: second <b> in <a>", "main.xml:2: skipped: second <b> in <a>"}
	if got := log.Warnings("main.xml"); err != nil || !slices.Equal(got, want) {
		t.Errorf("warnings, error: got=%q, %v, want=%q, none", got, err, want)
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		limits           Limits
	}{
		{"lines", "\xef\xbb\xbfa \r\n\n b", "a,, b,", Limits{100, 10}},
		{"gzip", testkit.Gzip("a\n"), "a,", Limits{100, 10}},
		{"gzip cut short", testkit.Gzip("a\n")[:20], "a,f:2: gzip data cut short", Limits{100, 10}},
		{"long line", "a\n" + strings.Repeat("b", 99), "a,f:2: line too long: want at most 10 bytes", Limits{1000, 10}},
		{"long file", "a\nb\nc\n", "a,b,c,f:4: file too large: want at most 4 bytes, unpacked", Limits{4, 10}},
	} {
		l, err := ReadLines(t.Context(), "f", strings.NewReader(c.text), c.limits)
		testkit.Must(t, err)
		got := ""
		for l.Next() {
			got += l.Text + ","
		}
		if err := l.Ended(); err != nil {
			got += err.Error()
		}
		testkit.Equal(t, got, c.want, "%s", c.name)
	}
}

func TestReadValues(t *testing.T) {
	for text, want := range map[string]string{
		"a,b": "", testkit.Gzip("a,b"): "", "a,b,c,d": `"," occurs 3 times, want at most 2`,
		strings.Repeat("a", 99): "file too large: want at most 10 bytes, unpacked",
		testkit.Gzip("a")[:20]:  "gzip data cut short",
	} {
		data, err := ReadValues(t.Context(), strings.NewReader(text), 10, 2)
		if want == "" && string(data) != "a,b" || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%.20q: got=%q, %v, want error %q, or a,b if that is empty", text, data, err, want)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	small, large := strings.NewReader("a"), io.LimitReader(neverEnding('a'), 1<<30)
	if _, err := ReadAll(ended, small, 1); err != nil {
		t.Errorf("small: got=%v, want=no error", err)
	}
	if _, err := ReadAll(ended, large, 1<<40); !errors.Is(err, context.Canceled) {
		t.Errorf("large: got=%v, want=%v", err, context.Canceled)
	}
	if _, err := ReadFile(t.Context(), filepath.Join(t.TempDir(), "none"), 1, 1); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: got=%v, want=%v", err, os.ErrNotExist)
	}
}

type neverEnding byte

func (b neverEnding) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(b)
	}
	return len(p), nil
}

func TestLog(t *testing.T) {
	var log Log
	for i := range MaxWarnings + 3 {
		log.Add(func() string { return fmt.Sprint(i) })
	}
	got := log.Warnings("f")
	if len(got) != MaxWarnings+1 || got[MaxWarnings] != "f: and 3 more" {
		t.Errorf("warnings: got=%q, want=%d, and then f: and 3 more", got, MaxWarnings)
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
			t.Errorf("Outline(%v): got=%v, want=%v", test.points, got, test.want)
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
	_, wanted := AnyNumber("a number").Parse("-1e39")
	testkit.Equal(t, wanted, "a number, at least -3.4e+38", "-1e39")
}
