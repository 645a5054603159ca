package spec

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestDifference verifies that the first key, or file, that differs is named.
func TestDifference(t *testing.T) {
	const text = "scenes = [\"a.toml\"]\nseeds = 2\n[axes]\nx = {from = 1, to = 2, count = 3}\nagents = [20, 40]\n"
	file := func(name, digit string) File { return File{name, strings.Repeat(digit, 64), 1} }
	a, b := file("a.toml", "a"), file("b.toml", "b")
	for _, test := range []struct {
		text  string
		files []File
		want  string
	}{
		{"scenes = [\"b.toml\"]\nseeds = 3\n", nil, `scenes[0] is "a.toml", and was "b.toml"`},
		{"scenes = [\"a.toml\"]\nseeds = [1, 2]\n", nil, "seeds is 2, and was missing"},
		{"scenes = [\"a.toml\"]\nseeds = 2\n[axes]\nx = {from = 1, to = 2, count = 4}\nagents = [20]", nil, "axes.x.count is 3, and was 4"},
		{"scenes = [\"a.toml\"]\nseeds = 2\n[axes]\nx = {from = 1, to = 2, count = 3}\nagents = [20]", nil, "axes.agents[1] is 40, and was missing"},
		{text + "[run]\nsafety = false\nsteps = 3\n", nil, "run.safety is missing, and was false"},
		{"# more\n" + text, nil, "the spec differs in what has no value, such as a comment or the order of keys"},
		{text, []File{file("a.toml", "c"), b}, "the scene file a.toml has the SHA-256 aaaaaaaa…, and had cccccccc…"},
		{text, []File{b}, "the scene file a.toml was none of its files"},
		{text, []File{a, b, file("c.toml", "c")}, "the scene file c.toml was one of its files, and is none now"},
	} {
		now := Spec{Text: []byte(text), Files: []File{a, b}}
		older, err := json.Marshal(manifest{Spec: test.text, Files: test.files})
		must(t, err)
		if got := now.Difference(older); got != test.want {
			t.Errorf("got=%s, want=%s", got, test.want)
		}
	}
}
