package cli

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

// TestGuard verifies that neither a panic nor a hang of one file ends the others.
func TestGuard(t *testing.T) {
	late, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	hang := make(chan int)
	defer close(hang)
	for _, test := range []struct {
		name string
		ctx  context.Context
		wait time.Duration // grace
		run  func() (int, error)
		got  int
		want string
	}{
		{"value", context.Background(), 0, func() (int, error) { return 3, nil }, 3, ""},
		{"error", context.Background(), 0, func() (int, error) { return 0, os.ErrExist }, 0, "file already exists"},
		{"panic", context.Background(), 0, func() (int, error) { panic("broken") }, 0, "panic: broken, "},
		{"in time", late, time.Hour, func() (int, error) { <-late.Done(); return 4, nil }, 4, ""},
		{"hang", late, time.Millisecond, func() (int, error) { return <-hang, nil }, 0, "does not end: context deadline exceeded"},
	} {
		got, err := Guard(test.ctx, test.wait, test.run)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if got != test.got || !strings.HasPrefix(text, test.want) || (test.want == "") != (text == "") {
			t.Errorf("%s: got=%d, %q, want=%d, %q", test.name, got, text, test.got, test.want)
		}
		if test.name == "panic" && !strings.Contains(text, "guard_test.go:") {
			t.Errorf("got=%q, want=the place of the panic", text)
		}
	}
}
