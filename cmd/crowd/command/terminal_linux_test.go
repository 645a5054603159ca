package command

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/8f878440/crowd/world/scene"
)

var sequences = regexp.MustCompile("\x1b\\[[0-9;]*m")

// On a terminal names are strong and what went wrong is red; not with NO_COLOR, not on a
// terminal without colors, and not in a file. The letters and their places are the same.
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

// The list of scenes is wrapped on a terminal; elsewhere each scene has one line, for other
// commands to read.
func TestScenesOnTerminal(t *testing.T) {
	longest := func(text string) (most int) {
		for _, line := range strings.Split(sequences.ReplaceAllString(text, ""), "\n") {
			most = max(most, utf8.RuneCountInString(strings.TrimRight(line, "\r")))
		}
		return most
	}
	if got := longest(onTerminal(t, "scene")); got > 80 {
		t.Errorf("got=%d columns, want=80", got)
	}
	_, out, _ := command(t, context.Background(), "scene")
	if got := strings.Count(out, "\n"); got != len(scene.Names()) {
		t.Errorf("got=%d lines, want=%d", got, len(scene.Names()))
	}
}
