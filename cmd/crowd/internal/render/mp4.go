package render

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"io"
	"os/exec"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

var errNoFFmpeg = errors.New("mp4 needs ffmpeg, which is not in PATH; install it, or choose .gif or .apng")

func findFFmpeg() error {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		return errNoFFmpeg
	}
	return nil
}

type mp4 struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	said  bytes.Buffer
}

// newMP4 returns a writer that runs ffmpeg. The pixel format requires even sizes, so an odd last row or
// column is cut off.
func newMP4(path string, size image.Point, fps int) (writer, error) {
	if err := findFFmpeg(); err != nil {
		return nil, err
	}
	m := &mp4{cmd: exec.Command("ffmpeg",
		"-hide_banner", "-loglevel", "error", "-y",
		"-xerror", // without this, a full disk is not an error
		"-f", "rawvideo", "-pix_fmt", "rgba", "-s", fmt.Sprintf("%dx%d", size.X, size.Y), "-r", fmt.Sprint(fps), "-i", "pipe:0",
		"-an", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact",
		"-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
		"-c:v", "libx264", "-preset", "medium", "-crf", "18",
		"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
		"-movflags", "+faststart", "-f", "mp4", "file:"+path)}
	alone(m.cmd)
	m.cmd.Stderr = &m.said
	var err error
	if m.stdin, err = m.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("ffmpeg: %w", err)
	}
	if err := m.cmd.Start(); err != nil {
		return nil, fmt.Errorf("ffmpeg: %w", err)
	}
	return m, nil
}

func (m *mp4) Add(frame *image.RGBA) error {
	if _, err := m.stdin.Write(frame.Pix); err != nil {
		return m.failure(cmp.Or(m.cmd.Wait(), err))
	}
	return nil
}

func (m *mp4) Close() error {
	m.stdin.Close()
	if m.cmd.ProcessState != nil {
		return nil // Add has returned the error
	}
	return m.failure(m.cmd.Wait())
}

func (m *mp4) failure(err error) error {
	const most = 200 // characters
	line, _, _ := strings.Cut(strings.TrimSpace(m.said.String()), "\n")
	switch {
	case err == nil:
		return nil
	case line == "":
		return fmt.Errorf("ffmpeg: %w", err)
	}
	return fmt.Errorf("ffmpeg: %w: %s", err, cli.Shorten(line, most))
}
