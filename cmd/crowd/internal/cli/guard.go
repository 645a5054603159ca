package cli

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/8f878440/crowd/systems/frame"
)

// Guard returns what run returns. If run panics that is an error, and if it
// neither returns within the grace time after the context ended it is left
// behind, and that is an error too.
func Guard[T any](ctx context.Context, grace time.Duration, run func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				stack := debug.Stack()
				if worker, is := p.(*frame.Panic); is {
					p, stack = worker.Value, worker.Stack
				}
				r.err = fmt.Errorf("panic: %v, %s", p, panicPlace(stack))
			}
			done <- r
		}()
		r.value, r.err = run()
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.value, r.err
	case <-time.After(grace):
		return *new(T), fmt.Errorf("does not end: %v, and %v more", context.Cause(ctx), grace)
	}
}

// panicPlace returns the file and line of a panic from the stack of the deferred
// function that recovered it.
func panicPlace(stack []byte) string {
	_, after, _ := strings.Cut(string(stack), "\npanic(")
	for line := range strings.Lines(after) {
		line = strings.TrimSpace(line)
		if place, _, ok := strings.Cut(line, " +0x"); ok && !strings.Contains(place, "/runtime/") {
			return place
		}
	}
	return "nobody knows where"
}
