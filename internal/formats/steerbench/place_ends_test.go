package steerbench

import (
	"context"
	"errors"
	"testing"
)

// TestPlaceIsInterrupted verifies that agents for whom there is no room are not sought a place for
// when nobody waits any more.
func TestPlaceIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	test := crowded()
	test.Regions[0].Count = 100_000
	if _, err := test.Place(ctx, 7); !errors.Is(err, context.Canceled) {
		t.Errorf("got=%v, want=%v", err, context.Canceled)
	}
}
