package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// pseudoterminal returns a terminal of 80 columns and what is to be read from it.
func pseudoterminal(t *testing.T) (terminal *os.File, read func() string) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("skipped: no pseudoterminals here: ", err)
	}
	t.Cleanup(func() { screen.Close() })
	fd := int(screen.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}); err != nil {
		t.Fatal(err)
	}
	text := make(chan string)
	go func() {
		all, _ := io.ReadAll(screen) // the end is an error here
		text <- string(all)
	}()
	return terminal, func() string {
		terminal.Close()
		return strings.ReplaceAll(<-text, "\r\n", "\n")
	}
}

var sequences = regexp.MustCompile("\x1b\\[[0-9;]*m")

// On a terminal names are strong and what went wrong is red; not with NO_COLOR, not on a
// terminal without colors, and not in a file. The letters and their places are the same.
func TestColors(t *testing.T) {
	picture := filepath.Join(t.TempDir(), "x.png")
	for _, tc := range []struct {
		name string
		args []string
		want []string
	}{
		{"a run", []string{"run", "seek", "--agents", "20", "--steps", "300", "--safety", "--workers", "1", "--picture", picture, "--quiet"},
			[]string{"\x1b[1mcrowd\x1b[0m ", "\x1b[1mcollisions\x1b[0m\x1b[33m  "}},
		{"a mistake", []string{"run", "nowhere"}, []string{"\x1b[31mcrowd:\x1b[0m no scene"}},
		{"a list", []string{"scenes"}, []string{"\x1b[1mplaza\x1b[0m "}},
		{"a hostile name", []string{"run", "\x1b[31mred"}, []string{"\x1b[31mcrowd:\x1b[0m no scene", `\x1b[31mred`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			shown := func(env, value string) string {
				t.Setenv("NO_COLOR", "")
				t.Setenv("TERM", "xterm")
				t.Setenv(env, value)
				terminal, read := pseudoterminal(t)
				run(context.Background(), tc.args, terminal, terminal)
				return read()
			}
			colors := shown("TERM", "xterm")
			for _, want := range tc.want {
				if !strings.Contains(colors, want) {
					t.Errorf("got=%q, want=%q in it", colors, want)
				}
			}
			letters := func(text string) string {
				return regexp.MustCompile(`speed .*`).ReplaceAllString(sequences.ReplaceAllString(text, ""), "")
			}
			for _, plain := range [][2]string{{"NO_COLOR", "1"}, {"TERM", "dumb"}} {
				got := shown(plain[0], plain[1])
				if strings.Contains(got, "\x1b") {
					t.Errorf("%s=%s: got=%q, want=no colors", plain[0], plain[1], got)
				}
				if letters(got) != letters(colors) {
					t.Errorf("%s=%s: got=%q, want=%q", plain[0], plain[1], letters(got), letters(colors))
				}
			}
			_, out, errs := command(t, context.Background(), tc.args...)
			if got := out + errs; strings.Contains(got, "\x1b") || letters(got) != letters(colors) {
				t.Errorf("in a file: got=%q, want=%q", got, letters(colors))
			}
		})
	}
}
