//go:build e2e

package command

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRenderMP4 verifies that ffmpeg writes a film, and that the size that is printed is that of the file, which is even.
func TestRenderMP4(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("skipped: ffmpeg is not installed")
	}
	if b := rendered(t, "x.mp4", "arrival --size 160x120 --hide legend --fps 20 --seconds 0.5"); !bytes.Contains(b[:64], []byte("ftyp")) {
		t.Errorf("got=%q at its beginning", b[:16])
	}
	path := filepath.Join(t.TempDir(), "x.mp4")
	code, out, errs := command(t, context.Background(), "render", "arrival", "--size", "101x75", "--seconds", "0.1", "--out", path)
	if code != exitOK || !strings.Contains(out, ", 100×74, ") {
		t.Errorf("exit code %d, got=%q, want 100×74\n%s", code, out, errs)
	}
}
