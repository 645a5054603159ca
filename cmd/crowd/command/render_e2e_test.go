//go:build e2e

package command

import (
	"bytes"
	"os/exec"
	"testing"
)

// TestRenderMP4 verifies that ffmpeg writes a film, and that the printed size is that of the file: even
// numbers.
func TestRenderMP4(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("skipped: ffmpeg is not installed")
	}
	if b := rendered(t, "x.mp4", "arrival --size 160x120 --hide legend --fps 20 --seconds 0.5"); !bytes.Contains(b[:64], []byte("ftyp")) {
		t.Errorf("got=%q at its beginning", b[:16])
	}
	out, _ := succeed(t, "render arrival --size 101x75 --seconds 0.1 --out x.mp4")
	contains(t, "size", out, ", 100×74, ")
}
