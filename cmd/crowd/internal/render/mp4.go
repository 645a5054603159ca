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
)

// ErrNoFFmpeg is returned by NewMP4 if ffmpeg is not installed.
var ErrNoFFmpeg = errors.New("mp4 needs ffmpeg, which is not in PATH; install it, or choose .gif or .apng")

// FindFFmpeg returns ErrNoFFmpeg if ffmpeg is not installed.
func FindFFmpeg() error {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		return ErrNoFFmpeg
	}
	return nil
}

// mp4 pipes frames to ffmpeg.
type mp4 struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	said  bytes.Buffer
}

// NewMP4 returns a writer of an H.264 video that plays anywhere. ffmpeg must be installed. The last
// row or column of an odd size is cut off, because the format requires even sizes. fps is 1 to
// MaxFPS.
func NewMP4(path string, size image.Point, fps int) (Writer, error) {
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		return nil, ErrNoFFmpeg
	}
	if size.X < 2 || size.Y < 2 {
		return nil, fmt.Errorf("mp4 of %d×%d pixels, want 2×2 or more", size.X, size.Y)
	}
	m := &mp4{cmd: exec.Command(ffmpeg,
		"-hide_banner", "-loglevel", "error", "-y",
		"-xerror", // otherwise it would ignore a full disk
		"-f", "rawvideo", "-pix_fmt", "rgba", "-s", fmt.Sprintf("%dx%d", size.X, size.Y), "-r", fmt.Sprint(fps), "-i", "pipe:0",
		"-an", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact",
		"-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
		"-c:v", "libx264", "-preset", "medium", "-crf", "18",
		"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
		"-movflags", "+faststart", "-f", "mp4", "file:"+path)}
	alone(m.cmd)
	m.cmd.Stderr = &m.said
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
		return nil // it has failed, with a message
	}
	return m.failure(m.cmd.Wait())
}

// failure returns an error with the first message of ffmpeg, in one short line.
func (m *mp4) failure(err error) error {
	const most = 200 // characters
	if err == nil {
		return nil
	}
	said := []rune(strings.TrimSpace(m.said.String()))
	if line, _, more := strings.Cut(string(said), "\n"); more {
		said = []rune(line)
	}
	if len(said) > most {
		said = append(said[:most], '…')
	}
	if len(said) == 0 {
		return fmt.Errorf("ffmpeg: %w", err)
	}
	return fmt.Errorf("ffmpeg: %w: %s", err, string(said))
}
