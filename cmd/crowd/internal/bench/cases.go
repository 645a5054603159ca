package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/benchmarks"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// benchCase is a scene or a workload, at the sizes at which it is measured.
type benchCase struct {
	name   string
	sizes  []int
	others []string // who does it beside crowd
	files  []string // that it is read from
	open   func(by string, agents, workers int) (*subject, error)
	memory func(agents int) uint64 // bytes that a crowd needs, about
}

// findCase returns the built-in scene, the workload or the file with a name. It is
// measured at the sizes asked for, if any, otherwise at those given, but a file, and
// a scene whose places are made for a number of agents, as they are.
func findCase(ctx context.Context, name string, asked, sizes []int, e *cli.Console) (benchCase, error) {
	if len(asked) > 0 {
		sizes = asked
	}
	isScene := slices.Contains(scene.Names(), name)
	if w, err := benchmarks.ByName(name); err == nil && !isScene {
		return benchCase{name: name, sizes: sizes, others: benchmarks.Contenders()[1:], open: openWorkload(w), memory: workloadMemory}, nil
	}
	if _, err := os.Stat(name); err != nil && !isScene && !strings.ContainsAny(name, `.\`) {
		hint := suggest.DidYouMean(name, caseNames())
		if hint != "" {
			hint = ", " + hint
		}
		return benchCase{}, fmt.Errorf("no scene, workload or file is named %q%s (crowd scenes lists the scenes, crowd bench --help the workloads)", name, hint)
	}
	s, err := scene.Open(name, scene.OpenOptions{Context: ctx})
	if err != nil {
		return benchCase{}, cli.While(ctx, err, "reading "+name)
	}
	for _, warning := range s.Warnings {
		e.Log.Warn(warning)
	}
	if len(asked) == 0 && (!isScene || fixedPlaces(s)) {
		sizes = []int{s.Agents()}
	}
	return benchCase{name: filepath.ToSlash(name), sizes: sizes, files: s.Files, open: openScene(ctx, name), memory: sceneMemory(s)}, nil
}

// fixedPlaces reports whether agents of a scene stand in rows, on a ring or in a
// grid, where more of them would stand in one another.
func fixedPlaces(s *scene.Scene) bool {
	return slices.ContainsFunc(s.Groups, func(g scene.Group) bool {
		return g.At.Ring != nil || g.At.Grid != nil || g.At.Rows != r2.Box{}
	})
}

// caseNames returns the names of all scenes and workloads.
func caseNames() []string {
	names := scene.Names()
	for _, w := range benchmarks.Workloads() {
		if !slices.Contains(names, w.Name) {
			names = append(names, w.Name)
		}
	}
	return names
}

// WorkloadNames returns the names of the workloads that are no scenes, in lines of
// a help text.
func WorkloadNames() string {
	var b strings.Builder
	column := 0
	for _, w := range benchmarks.Workloads() {
		if w.Scene != "" {
			continue
		}
		switch {
		case b.Len() == 0:
		case column+len(w.Name) > 66:
			b.WriteString(",\n")
			column = 0
		default:
			b.WriteString(", ")
		}
		b.WriteString(w.Name)
		column += len(w.Name) + 2
	}
	return b.String()
}
