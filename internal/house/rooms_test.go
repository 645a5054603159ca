//go:build e2e

package house

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func init() {
	generated = append(generated, part{"docs/architecture.md", "rooms", roomsChart})
}

// drawnRoom returns the node of a package in the chart. Internal packages share a node.
func drawnRoom(path string) string {
	path = strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
	for _, together := range []string{"internal", "cmd/crowd/internal"} {
		if strings.HasPrefix(path, together+"/") {
			return together + "/…"
		}
	}
	return path
}

// roomsChart leaves out arrows that follow from others, and the internal packages of the engine.
func roomsChart(t *testing.T) string {
	imports := map[string][]string{}
	for _, p := range ours(t) {
		from := drawnRoom(p.ImportPath)
		if from == "internal/…" {
			continue
		}
		imports[from] = append(imports[from], "")[:len(imports[from])]
		for _, path := range p.Imports {
			to := drawnRoom(path)
			if strings.HasPrefix(path, module+"/") && to != from && to != "internal/…" && !slices.Contains(imports[from], to) {
				imports[from] = append(imports[from], to)
			}
		}
	}
	var reaches func(from, to string) bool
	reaches = func(from, to string) bool {
		return from == to || slices.ContainsFunc(imports[from], func(next string) bool { return reaches(next, to) })
	}
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart TD\n")
	rooms := sortedKeys(imports)
	for i, from := range rooms {
		fmt.Fprintf(&b, "\tr%d[\"%s\"]\n", i, from)
	}
	for i, from := range rooms {
		for k, to := range rooms {
			if !slices.Contains(imports[from], to) {
				continue
			}
			indirect := slices.ContainsFunc(imports[from], func(next string) bool { return next != to && reaches(next, to) })
			if !indirect {
				fmt.Fprintf(&b, "\tr%d --> r%d\n", i, k)
			}
		}
	}
	b.WriteString("```\n")
	return b.String()
}

func TestPackagesAreDocumented(t *testing.T) {
	for _, p := range ours(t) {
		if p.Doc == "" {
			t.Errorf("package %s has no documentation", p.ImportPath)
		}
	}
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
