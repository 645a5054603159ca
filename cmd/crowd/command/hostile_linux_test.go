package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// pseudoTerminal opens a terminal and what reads from it.
func pseudoTerminal(t *testing.T) (reader, tty *os.File) {
	t.Helper()
	reader, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("skipped: no pseudo-terminal: %v", err)
	}
	t.Cleanup(func() { reader.Close() })
	if err := unix.IoctlSetPointerInt(int(reader.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(reader.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	return reader, tty
}

// onTerminal runs a command line whose output and errors go to a terminal, and
// returns what that got.
func onTerminal(t *testing.T, args ...string) string {
	t.Helper()
	t.Chdir(t.TempDir())
	reader, tty := pseudoTerminal(t)
	var got bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(&got, reader) // until the last of those who write to it closes it
	}()
	execute(context.Background(), args, tty, tty)
	tty.Close()
	<-read
	return got.String()
}

// TestHostileTerminal verifies that of what others wrote a terminal gets nothing to
// obey, in progress bars and results for programs either.
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
		lines := strings.ReplaceAll(got, "\r", "\n") // of the bar and the terminal
		if slices.Contains(args, "--csv") {
			lines = strings.ReplaceAll(lines, "FORGED", "") // a cell of CSV may have line ends
		}
		if bad := unsafe(lines); bad != "" {
			t.Errorf("%q: %s in %q", args[0], bad, got)
		}
		if !strings.Contains(got, `owned`) {
			t.Errorf("%q: got=%q, want the name", args[0], got)
		}
	}
}
