package replay_test

import (
	"io"
	"testing"

	"github.com/8f878440/crowd/world/replay"
)

// BenchmarkStep has what recording adds to a step of 1,000 agents.
func BenchmarkStep(b *testing.B) {
	b.Run("alone", func(b *testing.B) {
		g := newGame(b, 1000)
		for b.Loop() {
			must(b, g.Step())
		}
	})
	for name, every := range map[string]int{"recorded": 0, "saved/every=600": 600} {
		b.Run(name, func(b *testing.B) {
			g := newGame(b, 1000)
			rec, err := replay.NewRecorder(io.Discard, g.World, replay.Options{SaveEvery: every})
			must(b, err)
			for b.Loop() {
				must(b, rec.Step())
			}
		})
	}
	b.Run("hash", func(b *testing.B) {
		g := newGame(b, 1000)
		for b.Loop() {
			g.Hash()
		}
	})
}
