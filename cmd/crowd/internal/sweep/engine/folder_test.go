package engine

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestFolder verifies that a folder has one sweep at a time, and always the same.
func TestFolder(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		m := manifest(1, 1)
		s := n.serve(t, Options{}, m)
		folder := s.o.Folder
		if _, err := new(network).begin(t, Options{Folder: folder}, m); err == nil || err.Error() != folder+": another process sweeps in this folder" {
			t.Errorf("a second sweep: got=%v", err)
		}
		for _, name := range []string{tokenFile, serverFile, journalFile} {
			if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
				t.Errorf("%s: got=%v, %v, want a file for the user alone", name, info.Mode(), err)
			}
		}
		s.Close()
		for want, change := range map[string]func(m *Manifest){
			"it has 1 runs, and this one has 2":       func(m *Manifest) { m.Points = 2 },
			"it was begun by test, and this is other": func(m *Manifest) { m.Build = "other" },
			"its spec, files, or limits were others":  func(m *Manifest) { m.Spec = nil },
		} {
			other := m
			change(&other)
			if _, err := new(network).begin(t, Options{Folder: folder}, other); err == nil || err.Error() != folder+" holds another sweep: "+want {
				t.Errorf("got=%v, want=%s", err, want)
			}
		}
	})
}

// TestOldFolder verifies that a folder of an older version, whose rows are elsewhere, is refused.
func TestOldFolder(t *testing.T) {
	folder := t.TempDir()
	must(t, os.Mkdir(filepath.Join(folder, oldStore), 0o700))
	if _, err := new(network).begin(t, Options{Folder: folder}, manifest(1, 1)); err == nil || !strings.HasPrefix(err.Error(), folder+": this sweep was begun by an older version of crowd") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got=%v", err)
	}
}

// TestFiles verifies that workers get the files, and none that is not what was announced.
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
					t.Errorf("%s: got %d bytes, %v", f.Name, len(b), err)
				}
			}
			return nil, errors.New("that is all")
		}}, nil)()
		if err == nil || err.Error() != "that is all" {
			t.Error(err)
		}
		for want, f := range map[string]File{
			"want 3 bytes":            {"a", sum, 3},
			"want 500001 bytes":       {"a", sum, 500_001},
			"it has not the SHA-256":  {"a", strings.Repeat("0", 64), 500_000},
			"want a name inside":      {"../a", sum, 500_000},
			"is no SHA-256":           {"a", "", 500_000},
			"want all files together": {"a", sum, 1 << 31},
		} {
			m.Files = []File{f}
			if s, err := new(network).begin(t, Options{Open: open}, m); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: got=%v, want=%s", f, err, want)
				s.Close()
			}
		}
		content = strings.Replace(content, "0", "1", 1) // behind the back of the sweep
		if err := n.join(t, WorkOptions{Where: Where{Folder: s.o.Folder}}, simple)(); err == nil || !strings.Contains(err.Error(), `file "a.toml": `) || !strings.Contains(err.Error(), "SHA-256") {
			t.Errorf("a worker that gets other bytes: got=%v", err)
		}
	})
}

// TestDamage verifies that a journal whose last line is torn, or wrong, at any byte is read up to
// that line and goes on there, and that other damage is an error.
func TestDamage(t *testing.T) {
	folder, want := t.TempDir(), header{"test", 3, "digest"}
	name := filepath.Join(folder, journalFile)
	read := func() (all []*entry, j *journal, err error) {
		j, err = openJournal(folder, want, func(e *entry, _ int64) { all = append(all, e) })
		return all, j, err
	}
	row := &entry{Row: &Row{Index: 1, Machine: "machine", Data: []byte("row")}}
	_, j, err := read()
	must(t, err)
	if _, err := j.write(row, &entry{Try: &Dead{0, 1, "an error", "machine"}}); err != nil {
		t.Fatal(err)
	}
	must(t, j.close())
	whole, err := os.ReadFile(name)
	must(t, err)
	last := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	try := func(what string, i int, text []byte) {
		t.Helper()
		must(t, os.WriteFile(name, text, 0o600))
		all, j, err := read()
		if err != nil || len(all) != 1 || string(all[0].Row.Data) != "row" {
			t.Fatalf("%s at byte %d: got=%v, %v, want the row", what, i, all, err)
		}
		if _, err := j.write(row); err != nil {
			t.Fatal(err)
		}
		j.file.Close()
		if all, j, err = read(); err != nil || len(all) != 2 || string(all[1].Row.Data) != "row" {
			t.Fatalf("%s at byte %d, then a row: got=%v, %v, want two", what, i, all, err)
		}
		j.file.Close()
	}
	for i := last; i < len(whole); i++ {
		try("torn", i, whole[:i])
		wrong := bytes.Clone(whole)
		wrong[i] ^= 0x80
		try("wrong", i, wrong)
	}
	for i := range last - 1 { // the end of a line that is wrong makes the next one a part of it, and the last
		wrong := bytes.Clone(whole)
		wrong[i] ^= 0x80
		must(t, os.WriteFile(name, wrong, 0o600))
		if all, _, err := read(); err == nil || !strings.Contains(err.Error(), "damaged: wrong checksum") {
			t.Fatalf("wrong at byte %d: got=%v, %v, want an error", i, all, err)
		}
	}
}
