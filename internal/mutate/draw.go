package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// folders are those whose code is mutated: what the library is for.
var folders = []string{
	"components", "systems", "systems/catalog", "systems/frame", "systems/sense", "systems/measure", "world", "world/scene",
	"internal/column", "internal/orca", "internal/pool", "internal/space", "internal/formats/steerbench", "internal/formats/umans", "internal/vec", "internal/textio",
}

// draw prints mutations: of each operator as many as of the others, as far as there are
// any, in places that the seed says. One that does not compile is drawn anew.
func draw(ctx context.Context, count int, seed uint64) error {
	byOperator := map[string][]mutation{}
	for _, folder := range folders {
		sites, err := sites(folder)
		if err != nil {
			return err
		}
		for _, m := range sites {
			byOperator[m.Name] = append(byOperator[m.Name], m)
		}
	}
	var operators []string
	random := rand.New(rand.NewPCG(seed, 0))
	for name := range byOperator {
		operators = append(operators, name)
	}
	slices.Sort(operators)
	for _, name := range operators {
		all := byOperator[name]
		random.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	}
	var drawn table
	for len(drawn.Mutation) < count {
		before := len(drawn.Mutation)
		for _, name := range operators {
			for len(byOperator[name]) > 0 && len(drawn.Mutation) < count {
				m := byOperator[name][0]
				byOperator[name] = byOperator[name][1:]
				if compiles(ctx, &m) {
					drawn.Mutation = append(drawn.Mutation, m)
					break
				}
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if len(drawn.Mutation) == before {
			return fmt.Errorf("there are only %d", before)
		}
	}
	slices.SortStableFunc(drawn.Mutation, func(a, b mutation) int { return strings.Compare(a.File, b.File) })
	text, err := toml.Marshal(drawn)
	if err != nil {
		return err
	}
	fmt.Printf("# Drawn by: .ci/mutate --draw %d --seed %d\n\n%s", count, seed, text)
	return nil
}

// compiles reports whether a mutation applies and compiles.
func compiles(ctx context.Context, m *mutation) bool {
	text, err := os.ReadFile(m.File)
	if err != nil {
		return false
	}
	changed, err := m.apply(string(text))
	if err != nil {
		return false
	}
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return false
	}
	defer os.RemoveAll(scratch)
	overlay, err := lay(scratch, m.File, changed)
	return err == nil && exec.CommandContext(ctx, "go", "build", "-overlay", overlay, "./"+path.Dir(m.File)).Run() == nil
}
