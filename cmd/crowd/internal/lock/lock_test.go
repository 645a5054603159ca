package lock

import (
	"errors"
	"io"
	"path/filepath"
	"runtime"
	"testing"
)

// TestTake holds that a file has one owner at a time, and that others can read it.
func TestTake(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	f, err := Take(name, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, "text"); err != nil {
		t.Fatal(err)
	}
	if g, err := Take(name, 0o600); !errors.Is(err, ErrTaken) && runtime.GOOS != "js" {
		t.Errorf("a second time: got=%v, %v", g, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if f, err = Take(name, 0o600); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if b, err := io.ReadAll(f); string(b) != "text" {
		t.Errorf("got=%q, %v", b, err)
	}
}
