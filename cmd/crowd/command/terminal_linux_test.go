package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"golang.org/x/sys/unix"
)

func pseudoTerminal(t *testing.T) (reader, tty *os.File) {
	t.Helper()
	reader, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("skipped: no pseudo-terminal: %v", err)
	}
	t.Cleanup(func() { reader.Close() })
	testkit.Must(t, unix.IoctlSetPointerInt(int(reader.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(reader.Fd()), unix.TIOCGPTN)
	testkit.Must(t, err)
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	testkit.Must(t, err)
	t.Cleanup(func() { tty.Close() })
	return reader, tty
}

func onTerminal(t *testing.T, args ...string) string {
	t.Helper()
	t.Chdir(t.TempDir())
	reader, tty := pseudoTerminal(t)
	var got bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(&got, reader) // until the last writer closes the terminal
	}()
	execute(context.Background(), args, tty, tty)
	tty.Close()
	<-read
	return got.String()
}

// TestHostileTerminal is TestHostileText for progress bars, and for machine-readable results on a terminal.
func TestHostileTerminal(t *testing.T) {
	f := hostileFiles(t)
	for _, args := range [][]string{
		{"run", f["scene.toml"], "--steps", "2000", "--picture", "none"},
		{"run", f["scene.toml"], "--steps", "3", "--json"},
		{"run", f["scene.toml"], "--steps", "3", "--csv"},
		{"scene", "show", f["scene.toml"]},
		{"plot", f["bench.json"], "--out", "a.png"},
	} {
		t.Setenv("NO_COLOR", "1") // TestColors has a hostile name in color
		got := onTerminal(t, args...)
		lines := strings.ReplaceAll(got, "\r", "\n") // carriage returns come from the bar and the terminal
		if slices.Contains(args, "--csv") {
			lines = strings.ReplaceAll(lines, "FORGED", "") // a cell of CSV may contain line breaks
		}
		testkit.Equal(t, unsafe(lines), "", "%q: unescaped", args[0])
		contains(t, args[0], got, "owned")
	}
}

var sequences = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestColors(t *testing.T) {
	for _, tc := range []struct {
		name string
		args []string
		want []string
	}{
		{"a run", []string{"run", "seek", "--agents", "20", "--steps", "300", "--safety", "--workers", "1", "--picture", "none", "--quiet"},
			[]string{"\x1b[1mcrowd\x1b[0m ", "\x1b[1mcollisions\x1b[0m\x1b[33m  "}},
		{"a mistake", []string{"run", "nowhere"}, []string{"\x1b[31mcrowd:\x1b[0m no scene"}},
		{"a hostile name", []string{"run", "\x1b[31mred"}, []string{"\x1b[31mcrowd:\x1b[0m no scene", `\x1b[31mred`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			shown := func(env, value string) string {
				t.Setenv("NO_COLOR", "")
				t.Setenv("TERM", "xterm")
				t.Setenv(env, value)
				return strings.ReplaceAll(onTerminal(t, tc.args...), "\r\n", "\n")
			}
			colors := shown("TERM", "xterm")
			contains(t, "colors", colors, tc.want...)
			letters := func(text string) string {
				return regexp.MustCompile(`speed .*`).ReplaceAllString(sequences.ReplaceAllString(text, ""), "")
			}
			for _, plain := range [][2]string{{"NO_COLOR", "1"}, {"TERM", "dumb"}} {
				got := shown(plain[0], plain[1])
				lacks(t, plain[0], got, "\x1b")
				testkit.Equal(t, letters(got), letters(colors), "%s=%s", plain[0], plain[1])
			}
			_, out, errs := command(t, t.Context(), tc.args...)
			lacks(t, "in a file", out+errs, "\x1b")
			testkit.Equal(t, letters(out+errs), letters(colors), "in a file")
		})
	}
}
