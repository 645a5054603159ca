package cli

import (
	"context"
	"errors"
	"testing"
)

// TestRoom verifies that one who does not fit beside others waits for them, that one who
// is alone is refused, and that waiting ends with the context.
func TestRoom(t *testing.T) {
	errFull := errors.New("full")
	const most = 10
	r := &MemoryRoom{}
	take := func(ctx context.Context, need uint64) (func(), error) {
		return r.Take(ctx, func(taken uint64) error {
			if taken+need > most {
				return errFull
			}
			return nil
		}, need)
	}
	if _, err := take(t.Context(), most+1); err != errFull {
		t.Errorf("too much: got=%v, want=%v", err, errFull)
	}
	give, err := take(t.Context(), 7)
	must(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := take(ended, 7); err != context.Canceled {
		t.Errorf("waits: got=%v, want=%v", err, context.Canceled)
	}
	done := make(chan error)
	go func() {
		_, err := take(t.Context(), 7)
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatalf("did not wait: %v", err)
	default:
	}
	give()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
