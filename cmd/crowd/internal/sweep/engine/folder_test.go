package engine

import (
	"bytes"
	"crypto/sha256"
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

func TestFolder(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		m := manifest(1, 1)
		s := n.serve(t, Options{}, m)
		folder := s.o.Folder
		_, err := new(network).begin(t, Options{Folder: folder}, m)
		testkit.Equal(t, fmt.Sprint(err), folder+": another process runs a sweep in this folder", "a second sweep")
		for _, name := range []string{tokenFile, serverFile, journalFile} {
			if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
				t.Errorf("%s: got=%v, %v, want a file for the user alone", name, info.Mode(), err)
			}
		}
		s.Close()
		for want, change := range map[string]func(m *Manifest){
			"its number of runs is 1, not 2":    func(m *Manifest) { m.Points = 2 },
			"it was started by test, not other": func(m *Manifest) { m.Build = "other" },
			"its spec, files or limits differ":  func(m *Manifest) { m.Spec = nil },
		} {
			other := m
			change(&other)
			_, err = new(network).begin(t, Options{Folder: folder}, other)
			testkit.Equal(t, fmt.Sprint(err), folder+" holds another sweep: "+want, "another sweep")
		}
	})
}

func TestFiles(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		content := strings.Repeat("0123456789", 50_000)
		open := func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte(content)))
		m := manifest(1, 1)
		m.Files = []File{{"a.toml", sum, 500_000}, {"floors/b.csv", sum, 500_000}}
		s := n.serve(t, Options{Open: open}, m)
		err := n.join(t, WorkOptions{Where: Where{Folder: s.o.Folder}, Open: func(m *Manifest, folder string) (Run, error) {
			for _, f := range m.Files {
				b, err := os.ReadFile(filepath.Join(folder, f.Name))
				if err != nil || string(b) != content {
					t.Errorf("%s: got=%d bytes, %v, want the content", f.Name, len(b), err)
				}
			}
			return nil, errors.New("that is all")
		}}, nil)()
		testkit.Equal(t, fmt.Sprint(err), "that is all", "a worker that reads the files")
		content = strings.Replace(content, "0", "1", 1) // unlike the manifest
		if err := n.worker(t, s, simple)(); err == nil || !strings.Contains(err.Error(), `file "a.toml": `) || !strings.Contains(err.Error(), "SHA-256") {
			t.Errorf("other bytes: got=%v, want an error with %q and %q", err, `file "a.toml": `, "SHA-256")
		}
	})
}

func TestPut(t *testing.T) {
	const sum = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae" // of foo
	for _, tc := range []struct {
		f       File
		content string
		want    string
	}{
		{File{"a/b.toml", sum, 3}, "foo", ""},
		{File{"b.toml", sum, 3}, "fox", "has changed since the sweep started"},
		{File{"b.toml", sum, 3}, "fooo", "has changed since the sweep started"},
		{File{"b.toml", sum, 4}, "foo", "has changed since the sweep started"},
		{File{"../b.toml", sum, 3}, "foo", "want a name within the folder"},
		{File{"/b.toml", sum, 3}, "foo", "want a name within the folder"},
		{File{"a/../../b.toml", sum, 3}, "foo", "want a name within the folder"},
		{File{"a/../b.toml", sum, 3}, "foo", "want a name within the folder"},
		{File{`a\..\..\b.toml`, sum, 3}, "foo", "want a name within the folder"},
		{File{"C:b.toml", sum, 3}, "foo", "want a name within the folder"},
		{File{"", sum, 3}, "foo", "want a name within the folder"},
		{File{".", sum, 3}, "foo", "want a name within the folder"},
		{File{"b.toml", "00", 3}, "foo", "want 64 hexadecimal digits"},
		{File{"b.toml", sum, 1 << 40}, "foo", "want at most"},
		{File{"b.toml", sum, -1}, "foo", "want at most"},
	} {
		folder := t.TempDir()
		err := tc.f.Put(folder, strings.NewReader(tc.content))
		testkit.Fails(t, err, tc.want, "%+v", tc.f)
		left, _ := fs.Glob(os.DirFS(folder), "*")
		testkit.Equal(t, len(left) == 1, tc.want == "", "%+v: one file in the folder", tc.f)
	}
}

// A torn or damaged last line is dropped. Any other damage is an error.
func TestDamage(t *testing.T) {
	folder, want := t.TempDir(), header{"test", 3, "digest"}
	name := filepath.Join(folder, journalFile)
	read := func() (all []*entry, j *journal, err error) {
		j, err = openJournal(folder, want, func(e *entry, _ int64) { all = append(all, e) })
		return all, j, err
	}
	row := &entry{Row: &Row{Index: 1, Machine: "machine", Data: []byte("row")}}
	_, j, err := read()
	testkit.Must(t, err)
	if _, err := j.write(row, &entry{Try: &Dead{0, 1, "an error", "machine"}}); err != nil {
		t.Fatal(err)
	}
	testkit.Must(t, j.close())
	whole := testkit.Read(t, name)
	last := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	try := func(what string, i int, text []byte) {
		t.Helper()
		testkit.Must(t, os.WriteFile(name, text, 0o600))
		all, j, err := read()
		if err != nil || len(all) != 1 || string(all[0].Row.Data) != "row" {
			t.Fatalf("%s at byte %d: got=%v, %v, want the row", what, i, all, err)
		}
		if _, err := j.write(row); err != nil {
			t.Fatal(err)
		}
		j.file.Close()
		if all, j, err = read(); err != nil || len(all) != 2 || string(all[1].Row.Data) != "row" {
			t.Fatalf("%s at byte %d, then a row: got=%v, %v, want two rows", what, i, all, err)
		}
		j.file.Close()
	}
	for i := last; i < len(whole); i++ {
		try("torn", i, whole[:i])
		wrong := bytes.Clone(whole)
		wrong[i] ^= 0x80
		try("wrong", i, wrong)
	}
	for i := range last - 1 { // without the newline at last-1, both lines would be one torn line
		wrong := bytes.Clone(whole)
		wrong[i] ^= 0x80
		testkit.Must(t, os.WriteFile(name, wrong, 0o600))
		if all, _, err := read(); err == nil || !strings.Contains(err.Error(), "damaged: wrong checksum") {
			t.Fatalf("wrong at byte %d: got=%v, %v, want an error with %q", i, all, err, "damaged: wrong checksum")
		}
	}
}
