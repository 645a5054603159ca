package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

// folder changes into a new folder with the named files. The content of each file is its name.
func folder(t *testing.T, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range names {
		testkit.Must(t, os.WriteFile(name, []byte(name), 0o666))
	}
}

func opened(t *testing.T, name string) (*Files, *File) {
	t.Helper()
	var files Files
	f := files.Add("--out", name)
	testkit.Must(t, files.Open())
	t.Cleanup(files.Discard)
	return &files, f
}

func names(t *testing.T) string {
	t.Helper()
	found, err := fs.Glob(os.DirFS("."), "*") // hidden files too
	testkit.Must(t, err)
	return strings.Join(found, " ")
}

func alone(t *testing.T, name, text string) {
	t.Helper()
	testkit.Equal(t, names(t), name, "files")
	testkit.Equal(t, string(testkit.Read(t, name)), text, "content of %s", name)
}

func write(t *testing.T, f *File, text string) {
	t.Helper()
	_, err := f.Write([]byte(text))
	testkit.Must(t, err)
}

func TestCommit(t *testing.T) {
	for _, name := range []string{"x.gif", strings.Repeat("ä", 120) + ".png"} { // the second has 244 bytes, near the limit of names
		folder(t, name)
		_, f := opened(t, name)
		write(t, f, "new")
		testkit.Equal(t, string(testkit.Read(t, name)), name, "content before the commit")
		if base := filepath.Base(f.Name()); name == "x.gif" && !strings.HasPrefix(base, ".x.gif.crowd-") {
			t.Errorf("temporary name: got=%s, want prefix .x.gif.crowd-", base)
		}
		testkit.Must(t, f.Commit())
		testkit.Equal(t, f.Size(), 3, "bytes")
		alone(t, name, "new")
		testkit.Equal(t, f.Commit(), nil, "a second commit")
	}
	testkit.Equal(t, (*File)(nil).Commit(), nil, "commit of no file")
}

func TestFail(t *testing.T) {
	folder(t, "x")
	_, f := opened(t, "x")
	write(t, f, "new")
	testkit.Must(t, f.Fail(nil))
	f.file.Close() // makes writing fail
	if _, err := f.Write([]byte("more")); err == nil {
		t.Error("Write to a closed file: got=nil, want=an error")
	}
	_ = f.Fail(errors.New("another"))
	testkit.Equal(t, fmt.Sprint(f.Commit()), "x: file already closed", "commit after a failure")
	alone(t, "x", "x")
}

func TestMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: no modes on Windows")
	}
	folder(t, "fresh", "old")
	info, err := os.Stat("fresh") // created with 0666 and the umask
	testkit.Must(t, err)
	usual := info.Mode()
	for name, want := range map[string]fs.FileMode{"new": usual, "old": 0o646, "fresh": 0o600} {
		if name != "new" {
			testkit.Must(t, os.Chmod(name, want))
		}
		_, f := opened(t, name)
		testkit.Must(t, f.Commit())
		if info, err := os.Stat(name); err != nil || info.Mode() != want {
			t.Errorf("%s: got=%v %v, want=%v", name, info.Mode(), err, want)
		}
	}
}

func TestSymlink(t *testing.T) {
	folder(t)
	testkit.Must(t, os.MkdirAll("a/b", 0o777))
	for link, to := range map[string]string{"first": "second", "second": "a/x", "a/x": "b/../y", "in": "a/b"} {
		if err := os.Symlink(filepath.FromSlash(to), link); err != nil {
			t.Skip("skipped: no symbolic links here")
		}
	}
	for _, name := range []string{"first", "second", "in/../y"} { // a/y is the target of in/../y
		_, f := opened(t, name)
		write(t, f, name)
		testkit.Must(t, f.Commit())
		testkit.Equal(t, string(testkit.Read(t, "a/y")), name, "a/y")
		if info, err := os.Lstat("first"); err != nil || info.Mode().IsRegular() {
			t.Errorf("%s: got a regular file or %v, want the link", name, err)
		}
	}
	testkit.Equal(t, names(t), "a first in second", "files")
}

func TestLines(t *testing.T) {
	const most = 100_000
	seal := func(text string) string { return string(SealLine([]byte(text))) }
	long := strings.Repeat("x", most-len("01234567 "))
	for text, want := range map[string]string{
		seal(long):                         "<nil>",
		seal(long + "x"):                   "f:1: line is too long, want at most 100000 bytes",
		"x" + seal("header") + seal("row"): "f:1: damaged: wrong checksum of the header; remove this file to repeat all runs",
		seal("header") + "x" + seal("row") + seal("row"): "f:2: damaged: wrong checksum; remove this line to repeat its run",
	} {
		_, err := ScanLines(strings.NewReader(text), "f", most, func(int, int64, []byte) error { return nil })
		testkit.Equal(t, fmt.Sprint(err), want, "%.30q", text)
	}
}

func TestRefused(t *testing.T) {
	links := map[string]string{"link": "in", "folder": ".", "nothing": "free", "round": "round"}
	for outputs, want := range map[string]string{
		"in":               "--a is in, which is also read",
		"./in":             "--a is ./in, which is also read as in",
		"folder/in":        "which is also read as in",
		"link":             "--a is link, which is also read as in",
		"hard":             "--a is hard, which is also read as in",
		"x in":             "--b is in, which is also read",
		"x x":              "x would be written twice: want different files for --a and --b",
		"x ./x":            "./x would be written twice: want different files for --a and --b",
		"free folder/free": "folder/free would be written twice",
		"free nothing":     "nothing would be written twice",
		"x free hardx":     "hardx would be written twice: want different files for --a and --c",
		"x no/such/y":      "--b is no/such/y: no such folder",
		"x/y":              "--a is x/y: not a directory",
		"x .":              "--b is .: a folder, want a file",
		"free/":            "--a is free/: no such folder",
		"round":            "--a is round: too many",
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
		for i, name := range strings.Fields(outputs) {
			files.Add("--"+string(rune('a'+i)), name)
		}
		err := files.Open()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got=%v, want an error that contains %q", outputs, err, want)
		}
		if got := names(t); got != before || string(testkit.Read(t, "in")) != "in" || string(testkit.Read(t, "x")) != "x" {
			t.Errorf("%s: got=%s, want=%s untouched", outputs, got, before)
		}
	}
}

func TestSpecial(t *testing.T) {
	folder(t)
	var files Files
	a, b := files.Add("--a", os.DevNull), files.Add("--b", os.DevNull)
	testkit.Must(t, files.Open())
	write(t, a, "text")
	write(t, b, "text")
	testkit.Must(t, errors.Join(a.Commit(), b.Commit()))
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s: got a regular file or %v, want the device", os.DevNull, err)
	}
	var more Files
	more.AddRegular("--out", os.DevNull)
	testkit.Fails(t, more.Open(), "want a regular file", "AddRegular")
}

// A file that is replaced constantly must count as a regular file.
func TestLocateWhileReplaced(t *testing.T) {
	folder(t)
	stop, done := make(chan struct{}), make(chan struct{})
	put := func() {
		if err := errors.Join(os.WriteFile("new", nil, 0o666), os.Rename("new", "x")); err != nil {
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
			t.Errorf("got=%+v, %v, want=a regular file", at, err)
			break
		}
	}
	close(stop)
	<-done
}

func TestPutOff(t *testing.T) {
	folder(t, "x.gif")
	files, f := opened(t, "x.gif")
	f.PutOff()
	alone(t, "x.gif", "x.gif")
	for _, text := range []string{"first", "second"} {
		testkit.Must(t, f.Begin())
		write(t, f, text)
		testkit.Must(t, f.Commit())
		alone(t, "x.gif", text)
	}
	testkit.Must(t, f.Begin())
	f.Fail(errors.New("full"))
	if err := f.Commit(); err == nil || string(testkit.Read(t, "x.gif")) != "second" {
		t.Errorf("failed: got=%q, %v, want=the older content", string(testkit.Read(t, "x.gif")), err)
	}
	testkit.Must(t, f.Begin())
	write(t, f, "third")
	files.Discard()
	alone(t, "x.gif", "second")
}

func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	f, err := Lock(name, 0o600)
	testkit.Must(t, err)
	_, err = io.WriteString(f, "kept and dropped")
	testkit.Must(t, err)
	testkit.Must(t, Truncate(f, 4))
	_, err = io.WriteString(f, ", and more")
	testkit.Must(t, err)
	if g, err := Lock(name, 0o600); !errors.Is(err, ErrLocked) && runtime.GOOS != "js" {
		t.Errorf("a second time: got=%v, %v, want=%v", g, err, ErrLocked)
	}
	testkit.Must(t, f.Close())
	f, err = Lock(name, 0o600)
	testkit.Must(t, err)
	defer f.Close()
	testkit.Equal(t, string(testkit.Read(t, name)), "kept, and more", "content")
}

// A failure to lock must not pass as a lock of another process.
func TestCannotLock(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	testkit.Must(t, err)
	testkit.Must(t, f.Close())
	if err := try(f); errors.Is(err, taken) || err == nil && runtime.GOOS != "js" {
		t.Errorf("a closed file: got=%v, want an error other than %v", err, taken)
	}
}
