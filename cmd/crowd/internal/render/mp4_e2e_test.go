//go:build e2e

package render

import (
	"image"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

func TestMP4(t *testing.T) {
	path := filepath.Join(t.TempDir(), "-x.mp4")
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("skipped: ffmpeg is not installed")
	}
	all := frames(10, 41, 31)
	w, err := newMP4(path, all[0].Rect.Size(), 30)
	testkit.Must(t, err)
	write(t, w, all)
	if _, err := exec.LookPath("ffprobe"); err != nil {
		t.Skip("skipped: ffprobe is not installed")
	}
	out, err := exec.Command("ffprobe", "-v", "error", "-count_frames", "-show_entries",
		"stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames", "-of", "csv=p=0", "file:"+path).Output()
	if got, want := strings.TrimSpace(string(out)), "h264,40,30,yuv420p,30/1,10"; got != want || err != nil {
		t.Errorf("ffprobe: got=%s (%v), want=%s", got, err, want)
	}
}

func TestMP4Fails(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("skipped: ffmpeg is not installed")
	}
	w, err := newMP4(filepath.Join(t.TempDir(), "no", "folder.mp4"), image.Pt(640, 480), 30)
	testkit.Must(t, err)
	var failed error
	for _, f := range frames(20, 640, 480) {
		if failed = w.Add(f); failed != nil {
			break
		}
	}
	if err := w.Close(); failed == nil {
		failed = err
	}
	if failed == nil || !strings.HasPrefix(failed.Error(), "ffmpeg: ") || strings.Contains(failed.Error(), "\n") || !strings.Contains(failed.Error(), "o such file") {
		t.Errorf("got=%v, want one line that begins with %q and contains %q", failed, "ffmpeg: ", "o such file")
	}
}
