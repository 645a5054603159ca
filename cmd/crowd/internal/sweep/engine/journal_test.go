package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
		if all, _, err := read(); err == nil || !strings.Contains(err.Error(), "damaged, its checksum is wrong") {
			t.Fatalf("wrong at byte %d: got=%v, %v, want an error", i, all, err)
		}
	}
}
