package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/schollz/progressbar/v3"
)

func TestGuard(t *testing.T) {
	late, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	hang := make(chan int)
	defer close(hang)
	for _, test := range []struct {
		name string
		ctx  context.Context
		wait time.Duration
		run  func() (int, error)
		got  int
		want string
	}{
		{"value", context.Background(), 0, func() (int, error) { return 3, nil }, 3, ""},
		{"error", context.Background(), 0, func() (int, error) { return 0, os.ErrExist }, 0, "file already exists"},
		{"panic", context.Background(), 0, func() (int, error) { panic("broken") }, 0, "panic: broken, "},
		{"in time", late, time.Hour, func() (int, error) { <-late.Done(); return 4, nil }, 4, ""},
		{"hang", late, time.Millisecond, func() (int, error) { return <-hang, nil }, 0, "still running 1ms after the context ended: context deadline exceeded"},
	} {
		got, err := Guard(test.ctx, test.wait, test.run)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if got != test.got || !strings.HasPrefix(text, test.want) || (test.want == "") != (text == "") {
			t.Errorf("%s: got=%d, %q, want=%d, %q", test.name, got, text, test.got, test.want)
		}
		if test.name == "panic" && !strings.Contains(text, "cli_test.go:") {
			t.Errorf("got=%q, want=the place of the panic", text)
		}
	}
}

func TestGroupLeft(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text + "\n")} }
	for _, test := range []struct {
		name   string
		groups string
		root   fstest.MapFS
		want   uint64
	}{
		{"no groups", "", nil, math.MaxUint64},
		{"no limit", "0::/a\n", fstest.MapFS{"a/memory.max": file("max"), "a/memory.current": file("5")}, math.MaxUint64},
		{"version 2", "0::/a\n", fstest.MapFS{"a/memory.max": file("1000"), "a/memory.current": file("300")}, 700},
		{"limit of the parent", "0::/a/b\n", fstest.MapFS{
			"a/b/memory.max": file("1000"), "a/b/memory.current": file("100"), "a/memory.max": file("500"), "a/memory.current": file("400"),
		}, 100},
		{"root of a container", "0::/outside/it\n", fstest.MapFS{"memory.max": file("1000"), "memory.current": file("1")}, 999},
		{"inactive file pages are free", "0::/\n", fstest.MapFS{
			"memory.max": file("1000"), "memory.current": file("900"), "memory.stat": file("anon 100\ninactive_file 600\nfile 9"),
		}, 700},
		{"used up", "0::/\n", fstest.MapFS{"memory.max": file("1000"), "memory.current": file("1200")}, 0},
		{"version 1", "9:cpu,cpuacct:/x\n4:memory:/a\n0::/\n", fstest.MapFS{
			"memory/a/memory.limit_in_bytes": file("800"), "memory/a/memory.usage_in_bytes": file("500"), "memory/a/memory.stat": file("total_inactive_file 50"),
			"x/memory.max": file("1"), "x/memory.current": file("0"), "memory/memory.limit_in_bytes": file("9223372036854771712"), "memory/memory.usage_in_bytes": file("600"),
		}, 350},
	} {
		testkit.Equal(t, groupLeft(test.root, test.groups), test.want, "%s", test.name)
	}
}

func TestFree(t *testing.T) {
	if free := readMemory(); free.Bytes == 0 || free.Of == "" {
		t.Errorf("got=%+v, want bytes above 0 and the name of a limit", free)
	}
}

func TestGoOn(t *testing.T) {
	to, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	testkit.Must(t, err)
	defer to.Close()
	p := &Progress{to: to, plain: true, total: 1000, unit: "step", start: time.Now().Add(-100 * time.Second), last: time.Now()}
	p.GoOn(900)
	for _, n := range []int{900, 950} {
		p.last = time.Time{}
		p.Set(n)
	}
	got := testkit.Read(t, to.Name())
	first, second, _ := strings.Cut(string(got), "\n")
	testkit.Equal(t, first, "step 900 of 1000, 0 steps/s, unknown time left", "first line")
	var rate float64
	if _, err := fmt.Sscanf(second, "step 950 of 1000, %f steps/s", &rate); err != nil || rate < 0.1 || rate > 0.5 { // lower on a slow machine
		t.Errorf("got=%q, %v, want 0.1 to 0.5 steps/s", second, err)
	}
	p = &Progress{bar: progressbar.NewOptions(1000, progressbar.OptionSetWriter(io.Discard)), total: 1000}
	p.GoOn(900)
	p.Set(950)
	testkit.Equal(t, p.bar.State().CurrentNum, 50, "units that a bar counts")
	testkit.Equal(t, p.bar.GetMax(), 100, "units in all in a bar")
}

func TestQuantile(t *testing.T) {
	values := []float64{4, 1, 3, 2}
	for _, test := range []struct{ q, want float64 }{{0, 1}, {0.25, 1.75}, {0.5, 2.5}, {1, 4}} {
		testkit.Equal(t, Quantile(values, test.q), test.want, "%v", test.q)
	}
	testkit.Equal(t, values[0], 4, "first value after Quantile")
	testkit.Near(t, Spread(values), 0.3, 1e-15, "spread")
	testkit.Equal(t, Quartiles(values), [3]float64{1.75, 2.5, 3.25}, "quartiles")
	testkit.Equal(t, Percent(nil)+OrDash("", nil), "––", "no numbers")
}

func TestRoom(t *testing.T) {
	errFull := errors.New("full")
	const most = 10
	r, asked := &MemoryRoom{}, make(chan bool, 9)
	take := func(ctx context.Context, need uint64) (func(), error) {
		return r.Take(ctx, func(taken uint64) error {
			asked <- true
			if taken+need > most {
				return errFull
			}
			return nil
		}, need)
	}
	_, err := take(t.Context(), most+1)
	testkit.Equal(t, err, errFull, "too much")
	give, err := take(t.Context(), 7)
	testkit.Must(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = take(ended, 7)
	testkit.Equal(t, err, context.Canceled, "ended context")
	done := make(chan error)
	go func() {
		_, err := take(t.Context(), 7)
		done <- err
	}()
	for range 4 {
		<-asked // at the fourth time, Take holds the lock until it waits
	}
	select {
	case err := <-done:
		t.Fatalf("Take while another scene holds the memory: got=%v, want=a wait", err)
	default:
	}
	give()
	testkit.Equal(t, <-done, nil, "Take after a release")
}

func TestAnywhere(t *testing.T) {
	for _, c := range []struct {
		asked, host string
		want        bool
	}{
		{"0.0.0.0", "192.168.0.1:6060", true},
		{"0.0.0.0", "[fe80::1]:6060", true},
		{"0.0.0.0", "build.example:6060", false},
		{"build.example", "Build.example:6060", true},
		{"build.example", "attacker.example:6060", false},
		{"0.0.0.0", "", false},
	} {
		served := false
		h := SameHost(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served = true }), c.asked, "6060", true)
		h.ServeHTTP(httptest.NewRecorder(), &http.Request{Host: c.host})
		testkit.Equal(t, served, c.want, "asked for %q, host %q: served", c.asked, c.host)
	}
}

func TestProfileAddress(t *testing.T) {
	for kind, addresses := range map[string]map[string]bool{
		"http": {
			"127.0.0.1:0": true, "127.0.0.2:0": true, "[::1]:6060": true, "": false, "0.0.0.0:0": false, "[::]:0": false, ":6060": false,
			"localhost:6060": false, "10.0.0.1:6060": false, "127.0.0.1:70000": false, "nothing": false,
		},
		"http-anywhere": {"0.0.0.0:0": true, "localhost:0": true, ":0": true, "127.0.0.1": false, "6060": false},
	} {
		for address, want := range addresses {
			err := (&Profiles{Profile: map[string]string{kind: address}}).Check()
			testkit.Equal(t, err == nil, want, "%s=%s: %v, allowed", kind, address, err)
		}
	}
}

func TestScaled(t *testing.T) {
	for want, got := range map[string]string{
		"0 bytes": Bytes(0), "999 bytes": Bytes(999), "1 kB": Bytes(1000), "1.5 kB": Bytes(1500), "1 MB": Bytes(999_999),
		"1.23 GB": Bytes(1_234_000_000), "12,345 TB": Bytes(12_345e12), "999 ns": Duration(999), "1 µs": Duration(1000),
		"250 ms": Duration(250e6), "1 s": Duration(999_900_000), "999 s": Duration(999e9), "3,600 s": Duration(3600e9),
	} {
		testkit.Equal(t, got, want, "text")
	}
}

// hostile has texts, most of which must not reach a terminal, and their escaped forms.
var hostile = []struct{ text, shown string }{
	{"plaza", "plaza"},
	{"Zürich 東京 ± ° · 🙂", "Zürich 東京 ± ° · 🙂"},
	{"a b\u00a0c\u3000d", "a b\u00a0c\u3000d"},
	{`C:\scenes\new`, `C:\scenes\new`},
	{"\x1b]0;owned\a", `\u001b]0;owned\u0007`},
	{"\x1b[2J\x1b[H", `\u001b[2J\u001b[H`},
	{"a\rb\bc\x7f\x00", `a\rb\u0008c\u007f\u0000`},
	{"\u009b31m\u0085", `\u009b31m\u0085`},
	{"abc\u202edef\u2066\u200f\u061c\u2028", `abc\u202edef\u2066\u200f\u061c\u2028`},
	{"\ufeffa\u200bb", `\ufeffa\u200bb`},
	{"\U000e0041", `\U000e0041`},
	{"\xff\xc3(\x9b\xe2\x82", `\xff\xc3(\x9b\xe2\x82`},
	{"\ufffd", "\ufffd"},
}

func TestEscape(t *testing.T) {
	for _, c := range hostile {
		testkit.Equal(t, Escape(c.text), c.shown, "%q", c.text)
	}
	testkit.Equal(t, Escape("one\ntwo\tthree"), `one\ntwo\tthree`, "lines")
}

// The output must not depend on how the text is split into writes.
func TestWriter(t *testing.T) {
	for _, c := range hostile {
		text, want := "x\t"+c.text+"\n", "x\t"+c.shown+"\n"
		for _, size := range []int{1, 2, 3, len(text)} {
			var out bytes.Buffer
			w := NewWriter(&out)
			for rest := []byte(text); len(rest) > 0; {
				n := min(size, len(rest))
				if got, err := w.Write(rest[:n]); got != n || err != nil {
					t.Fatalf("%q: got=%d, %v, want=%d", c.text, got, err, n)
				}
				rest = rest[n:]
			}
			if err := w.Flush(); err != nil || out.String() != want {
				t.Errorf("%q, %d at a time: got=%q, %v, want=%q", c.text, size, out.String(), err, want)
			}
		}
	}
	var out bytes.Buffer
	w := NewWriter(&out)
	w.Write([]byte("a\xe2\x82"))
	testkit.Must(t, w.Flush())
	testkit.Equal(t, out.String(), `a\xe2\x82`, "cut short")
}

func TestWriterKeepsJSON(t *testing.T) {
	want := "\x1b\x7f\u0085\u202e\u2028 ü 🙂"
	var out bytes.Buffer
	w := NewWriter(&out)
	testkit.Must(t, json.NewEncoder(w).Encode(want))
	var got string
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || got != want {
		t.Errorf("got=%q, %v, want=%q", got, err, want)
	}
	if strings.ContainsAny(out.String(), "\x7f\u0085\u202e") {
		t.Errorf("got=%q, want no control or formatting characters", out.String())
	}
}

type word string

func TestFprintf(t *testing.T) {
	var out bytes.Buffer
	n, err := Fprintf(&out, "%s\t%v %s %d %v %.1f %v\n", "a\nb", errors.New("c\nd"), word("e\tf"), 7, time.Second, 1.5, nil)
	want := "a\\nb\tc\\nd e\\tf 7 1s 1.5 <nil>\n"
	if out.String() != want || n != len(want) || err != nil {
		t.Errorf("got=%q, %d, %v, want=%q", out.String(), n, err, want)
	}
}

func TestTable(t *testing.T) {
	var out bytes.Buffer
	table := NewTable(&out)
	table.Row("way", "from one place to another, which is the longest text here, chooses (0.125, -0.5) m/s of all")
	table.Row("", "  1 %%  indented, and so are the lines that follow where the text is too long for one line")
	table.Row("Zürich", "a\tb")
	table.Row("", "%s", "x\ny")
	testkit.Must(t, table.Flush())
	want := `way     from one place to another, which is the longest text here, chooses
        (0.125, -0.5) m/s of all
          1 %  indented, and so are the lines that follow where the text is too
          long for one line
Zürich  a  b
        x\ny
`
	testkit.Equal(t, out.String(), want, "rows")
	out.Reset()
	w := NewWriter(&out)
	w.colors = true
	table = NewTable(w)
	table.Head("what\tis")
	table.Line(Plain, "%s\t%d", "one", 1)
	table.Line(Bad, "two\t2")
	table.Verdict(Good, "yes", "%s", "a yes")
	table.Verdict(Bad, "no", "%s", "b")
	testkit.Must(t, table.Flush())
	want = "\x1b[1mwhat   is\x1b[0m\none    1\n\x1b[31mtwo    2\x1b[0m\na yes  \x1b[32myes\x1b[0m\nb      \x1b[31mno\x1b[0m\n"
	testkit.Equal(t, out.String(), want, "table")
}

// full fails all writes and counts them.
type full int

func (n *full) Write([]byte) (int, error) {
	*n++
	return 0, errors.New("disk full")
}

func TestStyleAfterError(t *testing.T) {
	var to full
	w := NewWriter(&to)
	w.colors = true
	for range 2 {
		if err := Good.Write(w, "yes"); err == nil {
			t.Error("got=no error, want=disk full")
		}
	}
	if err := w.Flush(); err == nil || to != 1 {
		t.Errorf("got=%v after %d writes, want=disk full after 1", err, to)
	}
}
