package scene

import (
	"bytes"
	"reflect"
	"testing"
)

// reread writes a scene and reads it back.
func reread(t *testing.T, s *Scene) *Scene {
	t.Helper()
	var b bytes.Buffer
	if err := s.WriteTOML(&b); err != nil {
		t.Fatal(err)
	}
	again, err := Read(&b, "again.toml")
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	again.Warnings = nil
	return again
}

// hashAfter returns the hash of a crowd after some steps.
func hashAfter(t *testing.T, s *Scene, steps int) uint64 {
	t.Helper()
	w, err := s.Build(Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for range steps {
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
	}
	return w.Hash()
}

// Every built-in scene can be said in a file: it is read back to the same scene
// and the same crowd.
func TestBuiltinRoundTrip(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			s, err := Named(name)
			if err != nil {
				t.Fatal(err)
			}
			again := reread(t, s)
			if !reflect.DeepEqual(again, s) {
				t.Errorf("got=%+v, want=%+v", again, s)
			}
			if s.Agents() > 2000 {
				s.Resize(2000)
				again.Resize(2000)
			}
			if got, want := hashAfter(t, again, 100), hashAfter(t, s, 100); got != want {
				t.Errorf("hash: got=%016x, want=%016x", got, want)
			}
		})
	}
}
