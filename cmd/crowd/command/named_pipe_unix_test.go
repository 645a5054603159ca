//go:build unix

package command

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNamedPipe verifies that a pipe is written as it is.
func TestNamedPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "x.csv")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip("skipped: no named pipes here")
	}
	read := make(chan []byte)
	go func() {
		text, err := os.ReadFile(pipe)
		if err != nil {
			t.Error(err)
		}
		read <- text
	}()
	if code, _, errs := command(t, t.Context(), strings.Fields(quickRun+"--trajectories "+pipe)...); code != exitOK {
		t.Errorf("exit code %d, %s", code, errs)
	}
	if info, err := os.Stat(pipe); err != nil || info.Mode().IsRegular() {
		t.Fatalf("the pipe was replaced: %v", err)
	}
	if err := whole("x.csv", <-read); err != nil {
		t.Error(err)
	}
}
