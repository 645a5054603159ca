package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A worker process that ends sooner than that, so many times one after another, can't go on.
const (
	stays    = 5 * time.Second
	mayLeave = 5
)

// keepWorker keeps a worker process at work for a sweep until the context ends: one that a run
// has brought down is begun anew. The channel has an error when workers do not stay.
func keepWorker(ctx context.Context, folder string, threads int, note func(string)) <-chan error {
	failed := make(chan error, 1)
	go func() {
		for left := mayLeave; ; {
			began := time.Now()
			err := workOnce(ctx, folder, threads)
			if ctx.Err() != nil || err == nil { // it ends without an error when the sweep does
				return
			}
			if left--; time.Since(began) > stays {
				left = mayLeave
			}
			if left == 0 {
				failed <- err
				return
			}
			note(fmt.Sprintf("the worker ended, another one takes its place: %v", err))
		}
	}()
	return failed
}

// workOnce lets a process of this program work for a sweep, and returns its last words as an error.
func workOnce(ctx context.Context, folder string, threads int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, "work", folder, "--threads", fmt.Sprint(threads), "--quiet")
	var said bytes.Buffer
	cmd.Stderr = &said
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 15 * time.Second
	err = cmd.Run()
	if err == nil {
		return nil
	}
	if lines := strings.Split(strings.TrimSpace(said.String()), "\n"); lines[0] != "" {
		// Of a panic the first line says what it is, of other errors the last.
		line := lines[len(lines)-1]
		if strings.HasPrefix(lines[0], "panic: ") || strings.HasPrefix(lines[0], "fatal error: ") {
			line = lines[0]
		}
		return errors.New(strings.TrimPrefix(line, "crowd: "))
	}
	return err
}
