package output

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

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
