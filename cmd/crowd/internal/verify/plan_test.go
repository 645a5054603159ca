package verify

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/world/scene"
)

func quiet() *cli.Console {
	return &cli.Console{Err: os.Stderr, Log: slog.New(slog.DiscardHandler)}
}

// TestPlan verifies that results are in the order of seeds, from 1.
func TestPlan(t *testing.T) {
	var p plan
	squares := repeat(&p, 50, func(_ context.Context, _ scene.Model, seed uint64) (uint64, error) { return seed * seed, nil })
	must(t, p.carryOut(t.Context(), quiet(), false))
	for i, got := range squares {
		if want := uint64((i + 1) * (i + 1)); got != want {
			t.Errorf("%d: got=%d, want=%d", i, got, want)
		}
	}
}

// TestPlanEnds verifies that an error ends the plan, and so does the context, and that both
// say where.
func TestPlanEnds(t *testing.T) {
	broken := errors.New("broken")
	p := plan{suite: "ring", model: "orca"}
	var runs atomic.Int64
	repeat(&p, 1000, func(_ context.Context, _ scene.Model, seed uint64) (int, error) {
		runs.Add(1)
		if seed == 3 {
			return 0, broken
		}
		return 0, nil
	})
	err := p.carryOut(t.Context(), quiet(), false)
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "ring by orca: ") {
		t.Errorf("got=%v, want=ring by orca: broken", err)
	}
	if n := runs.Load(); n > 900 {
		t.Errorf("%d runs after an error in the third", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	p = plan{}
	repeat(&p, 1000, func(ctx context.Context, by scene.Model, seed uint64) (int, error) {
		if seed == 5 {
			cancel()
		}
		return 0, ctx.Err()
	})
	if err := p.carryOut(ctx, quiet(), false); err != context.Canceled {
		t.Errorf("got=%v, want=%v", err, context.Canceled)
	}
}
