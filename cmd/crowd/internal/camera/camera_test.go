package camera

import (
	"testing"

	"github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestPathsOf holds which paths are closed.
func TestPathsOf(t *testing.T) {
	s := &scene.Scene{Paths: [][]r2.Vec{{{X: 1}}, {{X: 2}}}, Groups: []scene.Group{
		{}, {Behaviors: []any{components.Path{Index: 0}}}, {Behaviors: []any{components.Path{Index: 1, Loop: true}}}}}
	for i, path := range PathsOf(s) {
		if want := i == 1; path.Loop != want || path.Points[0] != s.Paths[i][0] {
			t.Errorf("path %d: got=%+v, want closed %v", i, path, want)
		}
	}
}
