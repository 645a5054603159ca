package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDir(t *testing.T) {
	data := t.TempDir()
	t.Setenv("CROWD_DATA", data)
	Must(t, os.Mkdir(filepath.Join(data, "there"), 0o777))
	if got, want := DataDir(t, "there"), filepath.Join(data, "there"); got != want {
		t.Errorf("DataDir: got=%q, want=%q", got, want)
	}
	t.Setenv("CROWD_DATA", "")
	t.Run("without", func(t *testing.T) {
		defer func() {
			if !t.Skipped() {
				t.Error("without data: got=not skipped, want=skipped")
			}
		}()
		DataDir(t)
	})
}

func TestManifest(t *testing.T) {
	data := t.TempDir()
	t.Setenv("CROWD_DATA", data)
	Must(t, os.WriteFile(filepath.Join(data, "MANIFEST.tsv"), []byte("file\tkind\na.xml\tone \"quoted\"\n"), 0o666))
	if rows := DataManifest(t); len(rows) != 2 || len(rows[1]) != 2 || rows[1][1] != `one "quoted"` {
		t.Errorf(`DataManifest: got=%q, want=two rows, the second with the field one "quoted"`, rows)
	}
}
