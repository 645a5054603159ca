package datatest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A test whose data is missing is skipped with what is missing, and counted.
func TestMissing(t *testing.T) {
	data, list := t.TempDir(), filepath.Join(t.TempDir(), "skips")
	if err := os.Mkdir(filepath.Join(data, "there"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv(folder, data)
	t.Setenv(skips, list)
	before := skipped.Load()
	ask := func(part ...string) (dir string, skips bool) {
		t.Run(strings.Join(part, "/"), func(t *testing.T) {
			defer func() { skips = t.Skipped() }()
			dir = Dir(t, part...)
		})
		return dir, skips
	}
	for _, part := range []string{"", "there"} {
		if dir, skips := ask(part); dir != filepath.Join(data, part) || skips {
			t.Errorf("%q: got=%q, skipped %v", part, dir, skips)
		}
	}
	for _, part := range []string{"gone", "lost"} {
		if _, skips := ask(part); !skips {
			t.Errorf("%q: the test goes on", part)
		}
	}
	if got := skipped.Load() - before; got != 2 {
		t.Errorf("skipped: got=%d, want=2", got)
	}
	text, err := os.ReadFile(list)
	want := ""
	for _, part := range []string{"gone", "lost"} {
		want += "internal/datatest TestMissing/" + part + "\t" + filepath.ToSlash(filepath.Join(data, part)) + " is missing\n"
	}
	if err != nil || string(text) != want {
		t.Errorf("%v\ngot= %q\nwant=%q", err, text, want)
	}
}

// Where nothing is set, the folder beside that of the project counts.
func TestBeside(t *testing.T) {
	t.Setenv(folder, "")
	t.Setenv(skips, filepath.Join(t.TempDir(), "skips"))
	outside := ""
	t.Run("there", func(t *testing.T) { outside = Dir(t) })
	if want := filepath.Join(root, "..", "shared", "data"); outside != "" && outside != want {
		t.Errorf("got=%q, want=%q", outside, want)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil || here != "internal/datatest" {
		t.Errorf("root %q, here %q, %v", root, here, err)
	}
}

func TestManifest(t *testing.T) {
	data := t.TempDir()
	t.Setenv(folder, data)
	if err := os.WriteFile(filepath.Join(data, "MANIFEST.tsv"), []byte("file\tkind\na.xml\tone \"quoted\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if rows := Manifest(t); len(rows) != 2 || len(rows[1]) != 2 || rows[1][1] != `one "quoted"` {
		t.Errorf("got=%q", rows)
	}
}
