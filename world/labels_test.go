package world

import (
	"bytes"
	"context"
	"runtime/pprof"
	"strings"
	"testing"
)

// A step and a hash leave the caller with the labels that were given, so the
// systems of all frames have had theirs.
func TestSetLabels(t *testing.T) {
	defer pprof.SetGoroutineLabels(context.Background())
	given := func() bool {
		var b bytes.Buffer
		pprof.Lookup("goroutine").WriteTo(&b, 1)
		return strings.Contains(b.String(), `# labels: {"game":"chess"}`)
	}
	w := newWorld(t, func(c *Config) { c.Safety = true })
	remove := w.SetLabels(pprof.WithLabels(context.Background(), pprof.Labels("game", "chess")))
	for what, do := range map[string]func(){
		"step":    func() { w.Frame.Update(w.ECS) },
		"hash":    func() { w.Hash() },
		"measure": func() { w.measures.update(w) },
	} {
		pprof.SetGoroutineLabels(context.Background())
		if do(); !given() {
			t.Errorf("labels after a %s: got=none, want those that were set", what)
		}
	}
	remove()
	pprof.SetGoroutineLabels(context.Background())
	if w.Step(); given() || w.Hash() == 0 && given() {
		t.Error("labels after they were removed: got=some, want=none")
	}
}
