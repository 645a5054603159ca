package scene

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
)

// TestModels holds that a model gives the agents of a file what it says it does,
// that the scene can be built, and that it can be written and read again.
func TestModels(t *testing.T) {
	path := dynamicFile(t, "quick")
	for _, m := range models {
		s, err := Open(path, OpenOptions{Model: m})
		if err != nil {
			t.Fatal(err)
		}
		if s.Model != m || !has[c.Seek](&s.Groups[0]) || has[c.Arrival](&s.Groups[0]) {
			t.Errorf("%s: got=%+v, want agents that seek", m, s.Groups[0])
		}
		if got := m.Parameters(s.Dt); !strings.Contains(got, "seek = {gain = 2}") || !strings.Contains(got, "max-force = 5") {
			t.Errorf("%s: parameters: got=%s", m, got)
		}
		if got := m.Parameters(2); !strings.Contains(got, "seek = {gain = 0.5}") {
			t.Errorf("%s: steps of 2 s: got=%s, want a gain of 1/dt", m, got)
		}
		var text bytes.Buffer
		if err := s.WriteTOML(&text); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&text, "again.toml")
		if err != nil {
			t.Fatal(err)
		}
		hash := func(s *Scene) uint64 {
			w, err := s.Build(Options{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			for range 100 {
				if err := w.Step(); err != nil {
					t.Fatal(err)
				}
			}
			return w.Hash()
		}
		if got, want := hash(again), hash(s); got != want {
			t.Errorf("%s: read again: got=%x, want=%x", m, got, want)
		}
	}
	s, err := Open(path, OpenOptions{})
	if err != nil || s.Model != DefaultModel {
		t.Errorf("got=%v, %v, want the default model", s.Model, err)
	}
}

func TestModelsThatAreNone(t *testing.T) {
	for _, name := range []string{"plaza", dynamicFile(t, "quick"), filepath.Join(t.TempDir(), "none.toml")} {
		if _, err := Open(name, OpenOptions{Model: "waltz"}); err == nil || !strings.Contains(err.Error(), `model is "waltz", want one of`) {
			t.Errorf("%s: got=%v, want an error that names the model", name, err)
		}
	}
	if s, err := Open("plaza", OpenOptions{Model: ModelSteer}); err != nil || s.Model != "" {
		t.Errorf("a built-in scene: got=%q, %v, want no model", s.Model, err)
	}
	if got := Model("").Parameters(1); got != "" {
		t.Errorf("parameters of no model: got=%q", got)
	}
}
