package output

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// folder changes into a new folder with files that hold their own names.
func folder(t *testing.T, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range names {
		must(t, os.WriteFile(name, []byte(name), 0o666))
	}
}

// opened adds and opens one file.
func opened(t *testing.T, name string) (*Files, *File) {
	t.Helper()
	var files Files
	f := files.Add("--out", name)
	must(t, files.Open())
	t.Cleanup(files.Discard)
	return &files, f
}

func content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	must(t, err)
	return string(b)
}

// names returns all that is in the folder.
func names(t *testing.T) string {
	t.Helper()
	all, err := os.ReadDir(".")
	must(t, err)
	var found []string
	for _, entry := range all {
		found = append(found, entry.Name())
	}
	return strings.Join(found, " ")
}

func write(t *testing.T, f *File, text string) {
	t.Helper()
	if _, err := f.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

// TestCommit verifies that the older file stays until the new one is complete, which is
// beside it under a hidden name that says whose it is.
func TestCommit(t *testing.T) {
	folder(t, "x.gif")
	_, f := opened(t, "x.gif")
	write(t, f, "new")
	if got := content(t, "x.gif"); got != "x.gif" {
		t.Errorf("before the commit: got=%q, want the older content", got)
	}
	if base := filepath.Base(f.Name()); !strings.HasPrefix(base, ".x.gif.crowd-") {
		t.Errorf("name until then: got=%s, want .x.gif.crowd- and something", base)
	}
	must(t, f.Commit())
	if got := content(t, "x.gif"); got != "new" || f.Size() != 3 || names(t) != "x.gif" {
		t.Errorf("got=%q of %d bytes among %s, want=new alone", got, f.Size(), names(t))
	}
	if err := f.Commit(); err != nil {
		t.Errorf("a second commit: %v", err)
	}
	if err := (*File)(nil).Commit(); err != nil {
		t.Errorf("no file: %v", err)
	}
}

// TestDiscard verifies that nothing is left of what was not committed.
func TestDiscard(t *testing.T) {
	folder(t, "x")
	files, f := opened(t, "x")
	write(t, f, "new")
	files.Discard()
	if got := content(t, "x"); got != "x" || names(t) != "x" {
		t.Errorf("got=%q among %s, want the older content alone", got, names(t))
	}
}

// TestFail verifies that the first error is that of the file, with its name, also if who
// wrote lost it.
func TestFail(t *testing.T) {
	folder(t, "x")
	_, f := opened(t, "x")
	write(t, f, "new")
	must(t, f.Fail(nil))
	f.file.Close() // so that writing fails
	if _, err := f.Write([]byte("more")); err == nil {
		t.Error("got no error of writing")
	}
	_ = f.Fail(errors.New("another"))
	if err := f.Commit(); err == nil || err.Error() != "x: file already closed" {
		t.Errorf("got=%v, want the first error with the name", err)
	}
	if got := content(t, "x"); got != "x" || names(t) != "x" {
		t.Errorf("got=%q among %s, want the older content alone", got, names(t))
	}
}

// TestMode verifies that the mode of the older file is that of the new one, and that
// the umask says that of a first one.
func TestMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: no modes on Windows")
	}
	folder(t, "fresh", "old")
	info, err := os.Stat("fresh") // made with 0666 and the umask
	must(t, err)
	usual := info.Mode()
	for name, want := range map[string]fs.FileMode{"new": usual, "old": 0o646, "fresh": 0o600} {
		if name != "new" {
			must(t, os.Chmod(name, want))
		}
		_, f := opened(t, name)
		must(t, f.Commit())
		if info, err := os.Stat(name); err != nil || info.Mode() != want {
			t.Errorf("%s: got=%v %v, want=%v", name, info.Mode(), err, want)
		}
	}
}

// TestSymlink verifies that what a link leads to is replaced, also if there is nothing
// yet, and that the link stays.
func TestSymlink(t *testing.T) {
	folder(t)
	must(t, os.MkdirAll("a/b", 0o777))
	for link, to := range map[string]string{"first": "second", "second": "a/x", "a/x": "b/../y", "in": "a/b"} {
		if err := os.Symlink(filepath.FromSlash(to), link); err != nil {
			t.Skip("skipped: no symbolic links here")
		}
	}
	for _, name := range []string{"first", "second", "in/../y"} { // a/y
		_, f := opened(t, name)
		write(t, f, name)
		must(t, f.Commit())
		if got := content(t, "a/y"); got != name {
			t.Errorf("a/y: got=%q, want=%q", got, name)
		}
		if info, err := os.Lstat("first"); err != nil || info.Mode().IsRegular() {
			t.Errorf("%s: the link is gone: %v", name, err)
		}
	}
	if got := names(t); got != "a first in second" {
		t.Errorf("got=%s, want the links alone", got)
	}
}

// TestLongName verifies that a name as long as may be has room for what is added to it.
func TestLongName(t *testing.T) {
	folder(t)
	name := strings.Repeat("ä", 120) + ".png" // 244 bytes
	_, f := opened(t, name)
	write(t, f, "new")
	must(t, f.Commit())
	if got := content(t, name); got != "new" {
		t.Errorf("got=%q, want=new", got)
	}
}

// TestRefused verifies that what can't be, or must not be, written is refused before
// anything is touched.
func TestRefused(t *testing.T) {
	links := map[string]string{"link": "in", "folder": ".", "nothing": "free", "round": "round"}
	for _, test := range []struct {
		names []string // of the files to write
		want  string
	}{
		{[]string{"in"}, "--a is in, which is also read"},
		{[]string{"./in"}, "--a is ./in, which is also read as in"},
		{[]string{"folder/in"}, "which is also read as in"},
		{[]string{"link"}, "--a is link, which is also read as in"},
		{[]string{"hard"}, "--a is hard, which is also read as in"},
		{[]string{"x", "in"}, "--b is in, which is also read"},
		{[]string{"x", "x"}, "x would be written twice: give --a and --b a file each"},
		{[]string{"x", "./x"}, "./x would be written twice: give --a and --b a file each"},
		{[]string{"free", "folder/free"}, "folder/free would be written twice"},
		{[]string{"free", "nothing"}, "nothing would be written twice"},
		{[]string{"x", "free", "hardx"}, "hardx would be written twice: give --a and --c a file each"},
		{[]string{"x", "no/such/y"}, "--b is no/such/y: there is no such folder"},
		{[]string{"x/y"}, "--a is x/y: not a directory"},
		{[]string{"x", "."}, "--b is .: is a folder"},
		{[]string{"free/"}, "--a is free/: there is no such folder"},
		{[]string{"round"}, "--a is round: too many"},
	} {
		folder(t, "in", "x")
		for link, to := range links {
			if err := os.Symlink(to, link); err != nil {
				t.Skip("skipped: no symbolic links here")
			}
		}
		for hard, of := range map[string]string{"hard": "in", "hardx": "x"} {
			if err := os.Link(of, hard); err != nil {
				t.Skip("skipped: no hard links here")
			}
		}
		before := names(t)
		var files Files
		files.Reads("in", "nosuch")
		for i, name := range test.names {
			files.Add("--"+string(rune('a'+i)), name)
		}
		err := files.Open()
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got=%v, want=%s", test.names, err, test.want)
		}
		if got := names(t); got != before || content(t, "in") != "in" || content(t, "x") != "x" {
			t.Errorf("%q: got=%s, want=%s untouched", test.names, got, before)
		}
	}
}

// TestSpecial verifies that what is no file is written as it is, any number of times if
// all is lost in it, and not where one must go back.
func TestSpecial(t *testing.T) {
	folder(t)
	var files Files
	a, b := files.Add("--a", os.DevNull), files.Add("--b", os.DevNull)
	must(t, files.Open())
	write(t, a, "text")
	write(t, b, "text")
	must(t, errors.Join(a.Commit(), b.Commit()))
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s was replaced: %v", os.DevNull, err)
	}
	var more Files
	more.AddRegular("--out", os.DevNull)
	if err := more.Open(); err == nil || !strings.Contains(err.Error(), "which is no file") {
		t.Errorf("got=%v, want that it is no file", err)
	}
}

// A file that other commands replace all the time is a file.
func TestLocateWhileReplaced(t *testing.T) {
	folder(t)
	stop, done := make(chan struct{}), make(chan struct{})
	put := func() {
		if err := os.WriteFile("new", nil, 0o666); err != nil {
			t.Error(err)
		} else if err := os.Rename("new", "x"); err != nil {
			t.Error(err)
		}
	}
	put()
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				put()
			}
		}
	}()
	for range 20_000 {
		if at, err := locate("x"); err != nil || at.direct {
			t.Errorf("got=%+v, %v, want=a file to be replaced", at, err)
			break
		}
	}
	close(stop)
	<-done
}

// TestPutOff verifies that nothing is there of a file that was put off, and that it can be
// written again and again.
func TestPutOff(t *testing.T) {
	folder(t, "x.gif")
	files, f := opened(t, "x.gif")
	if f.PutOff(); names(t) != "x.gif" || content(t, "x.gif") != "x.gif" {
		t.Errorf("put off: got=%s, want=only the older file", names(t))
	}
	for _, text := range []string{"first", "second"} {
		must(t, f.Begin())
		write(t, f, text)
		if err := f.Commit(); err != nil || content(t, "x.gif") != text || names(t) != "x.gif" {
			t.Errorf("got=%q, %v, %s, want=%q and nothing beside it", content(t, "x.gif"), err, names(t), text)
		}
	}
	must(t, f.Begin())
	f.Fail(errors.New("full"))
	if err := f.Commit(); err == nil || content(t, "x.gif") != "second" {
		t.Errorf("failed: got=%q, %v, want=the older content", content(t, "x.gif"), err)
	}
	must(t, f.Begin())
	if files.Discard(); names(t) != "x.gif" || content(t, "x.gif") != "second" {
		t.Errorf("discarded: got=%s, %q", names(t), content(t, "x.gif"))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestTake verifies that a file has one owner at a time, and that others can read it.
func TestTake(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	f, err := Lock(name, 0o600)
	must(t, err)
	if _, err := io.WriteString(f, "text"); err != nil {
		t.Fatal(err)
	}
	if g, err := Lock(name, 0o600); !errors.Is(err, ErrLocked) && runtime.GOOS != "js" {
		t.Errorf("a second time: got=%v, %v", g, err)
	}
	must(t, f.Close())
	if f, err = Lock(name, 0o600); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if b, err := io.ReadAll(f); string(b) != "text" {
		t.Errorf("got=%q, %v", b, err)
	}
}

// TestCutOff verifies that what is written after a cut follows what is left, wherever the file was read.
func TestCutOff(t *testing.T) {
	f, err := Lock(filepath.Join(t.TempDir(), "file"), 0o600)
	must(t, err)
	defer f.Close()
	if _, err := io.WriteString(f, "kept and dropped"); err != nil {
		t.Fatal(err)
	}
	must(t, Truncate(f, 4))
	if _, err := io.WriteString(f, ", and more"); err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(io.NewSectionReader(f, 0, 100)); string(b) != "kept, and more" {
		t.Errorf("got=%q, %v", b, err)
	}
}

// TestCannotLock verifies that a file that cannot be locked is not said to be another process's.
func TestCannotLock(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	must(t, err)
	must(t, f.Close())
	if err := try(f); errors.Is(err, taken) || err == nil && runtime.GOOS != "js" {
		t.Errorf("a closed file: got=%v", err)
	}
}
