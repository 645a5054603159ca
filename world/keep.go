package world

import (
	"github.com/8f878440/crowd/internal/archive"
)

// keep writes what the world and its systems keep beside entities and resources, or reads it.
func (w *World) keep(a *archive.Archive) {
	a.Block("world", func() {
		n := &w.counts
		a.Keep(&n.Steps, &n.Goals, &n.Arrived, &n.ArrivedOnce, &n.Left, &n.arrivalTime, &w.newcomers, &w.removals)
		w.keepSources(a)
	})
	w.Frame.Keep(a)
	if m := w.measures; m != nil {
		a.Block("times of arrivals", func() { a.Keep(&m.times) })
		m.frame.Keep(a)
	}
}

// sourceState says how far a source has come.
type sourceState struct{ Came, Try int }

// keepSources writes how far sources have come, or reads it for those that are there and those
// that are added next.
func (w *World) keepSources(a *archive.Archive) {
	var all []sourceState
	for _, s := range w.sources {
		all = append(all, sourceState{s.came, s.try})
	}
	all = append(all, w.saved...)
	a.Keep(&all)
	if !a.Reading() {
		return
	}
	for i, s := range w.sources {
		if i >= len(all) {
			a.Fail("it has %d sources, and the world has %d", len(all), len(w.sources))
			return
		}
		s.came, s.try = all[i].Came, all[i].Try
	}
	w.saved = all[min(len(w.sources), len(all)):]
	for _, s := range all {
		if s.Came < 0 || s.Try < 0 {
			a.Fail("a source has made %d agents and tried %d times, want 0 or more", s.Came, s.Try)
		}
	}
}
