package column

import (
	"fmt"
	"testing"

	"github.com/mlange-42/arche/ecs"
)

// crowded makes a world with this many archetypes of n rows, told apart
// by their tags or, if related, by their relation targets.
func crowded(archetypes, rows int, related bool) *ecs.World {
	w := ecs.NewWorld(min(rows, 16))
	pos, rel := ecs.ComponentID[point](&w), ecs.ComponentID[relation](&w)
	if related {
		for range archetypes {
			ecs.NewBuilder(&w, pos, rel).WithRelation(rel).NewBatch(rows, w.NewEntity())
		}
		return &w
	}
	marks := tags(&w, 14)
	for i := range archetypes {
		ids := []ecs.ID{pos}
		for bit, mark := range marks {
			if i>>bit&1 == 1 {
				ids = append(ids, mark)
			}
		}
		ecs.NewBuilder(&w, ids...).NewBatch(rows)
	}
	return &w
}

// BenchmarkWalk opens a query, finds its runs, loads a column of each and closes
// the query. Forgetful, it starts every time without a guess.
func BenchmarkWalk(b *testing.B) {
	for _, c := range []struct {
		archetypes, rows   int
		related, forgetful bool
	}{
		{1, 1_000_000, false, false},
		{1, 1_000_000, false, true},
		{1_000, 100, false, false},
		{10_000, 10, false, false},
		{10_000, 10, true, false},
		{10_000, 10, false, true},
	} {
		name := fmt.Sprintf("archetypes=%d/rows=%d/related=%v/forgetful=%v", c.archetypes, c.rows, c.related, c.forgetful)
		b.Run(name, func(b *testing.B) {
			w := crowded(c.archetypes, c.rows, c.related)
			pos := SourceOf[point](w)
			filter := w.Cache().Register(ecs.All(pos.ID))
			walker, runs := Walker{}, []Run(nil)
			columns := make([]Column, c.archetypes)
			walk := func() {
				q := w.Query(&filter)
				defer q.Close()
				runs = walker.Walk(w, &q, runs)
				for i := range runs {
					columns[i] = pos.Load(&runs[i])
				}
			}
			walk()
			b.ReportAllocs()
			for b.Loop() {
				if c.forgetful {
					clear(runs)
				}
				walk()
			}
			if len(runs) != c.archetypes {
				b.Fatalf("runs: got=%v, want=%v", len(runs), c.archetypes)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.archetypes), "ns/archetype")
		})
	}
}
