//go:build unix

package output_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignals holds that a command which is interrupted or killed at any moment leaves
// the older file or a new one, whole; and nothing else, unless it is killed, and then
// under a name that says whose it was.
func TestSignals(t *testing.T) {
	eachTask(t, func(t *testing.T, dir string, args, files []string) {
		begin := time.Now()
		if code, errs := command(t, dir, args...); code != 0 {
			t.Fatal(errs)
		}
		took := time.Since(begin)
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
			writeOlder(t, dir, files)
			after := time.Duration(rand.Float64() * 1.2 * float64(took))
			p := start(t, dir, args...)
			time.Sleep(after)
			_ = p.Process.Signal(signal) // it may have ended
			code := p.end(t)
			if signal == syscall.SIGKILL {
				removeNamed(t, dir, files)
			}
			checkFolder(t, dir, files, true)
			if t.Failed() {
				t.Fatalf("%v after %v of about %v: exit code %d, %s", signal, after, took, code, &p.errs)
			}
		}
	})
}

// removeNamed removes what a command that was killed leaves behind: a hidden file for
// each of its own, named after it.
func removeNamed(t *testing.T, dir string, files []string) {
	t.Helper()
	for _, name := range leftovers(t, dir, files) {
		for _, file := range files {
			if strings.HasPrefix(name, "."+file+".crowd-") {
				_ = os.Remove(filepath.Join(dir, name))
			}
		}
	}
}

// TestInterruptedRun holds that a run which is interrupted completes its files with what
// was done.
func TestInterruptedRun(t *testing.T) {
	dir := t.TempDir()
	files := []string{"x.csv", "x.png", "x.cpu", "x.trace", "x.mem"}
	writeOlder(t, dir, files)
	p := start(t, dir, strings.Fields("run plaza --agents 60 --steps 100000000 --every 1000 --json --trajectories x.csv --picture x.png --cpuprofile x.cpu --trace x.trace --memprofile x.mem")...)
	awaitLeftovers(t, dir, files, len(files))
	_ = p.Process.Signal(os.Interrupt)
	if code := p.end(t); code != 0 {
		t.Errorf("exit code %d, %s", code, &p.errs)
	}
	if fresh := checkFolder(t, dir, files, true); fresh != len(files) {
		t.Errorf("got=%d new files, want all %d", fresh, len(files))
	}
}

// awaitLeftovers waits until a command has begun n files.
func awaitLeftovers(t *testing.T, dir string, files []string, n int) {
	t.Helper()
	for begin := time.Now(); len(leftovers(t, dir, files)) < n; time.Sleep(time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatalf("got=%v, want %d files that are being written", leftovers(t, dir, files), n)
		}
	}
}

// TestSecondSignal holds that nothing is left when a second Ctrl-C ends a command that
// does not heed the first: this one waits for somebody who reads from a pipe.
func TestSecondSignal(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666); err != nil {
		t.Skip("skipped: no named pipes here")
	}
	files := []string{"x.png", "pipe"}
	writeOlder(t, dir, files[:1])
	p := start(t, dir, strings.Fields(run+"--picture x.png --cpuprofile pipe")...)
	awaitLeftovers(t, dir, files, 1)
	ended := make(chan int)
	go func() { ended <- p.end(t) }()
	for code := 0; code == 0; {
		_ = p.Process.Signal(os.Interrupt)
		select {
		case code = <-ended:
		case <-time.After(10 * time.Millisecond):
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "x.png")); err != nil || string(text) != older {
		t.Errorf("got=%.20q %v, want the older file", text, err)
	}
	if left := leftovers(t, dir, files); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestNamedPipe holds that a pipe is written as it is.
func TestNamedPipe(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "x.csv")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip("skipped: no named pipes here")
	}
	p := start(t, dir, strings.Fields(run+"--trajectories x.csv")...)
	text, err := os.ReadFile(pipe)
	if err != nil {
		t.Fatal(err)
	}
	if code := p.end(t); code != 0 {
		t.Errorf("exit code %d, %s", code, &p.errs)
	}
	if err := whole("x.csv", text); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(pipe); err != nil || info.Mode().IsRegular() {
		t.Errorf("the pipe was replaced: %v", err)
	}
}

// TestReaderSatisfied holds that who reads only the beginning of the report gets all
// files nevertheless.
func TestReaderSatisfied(t *testing.T) {
	dir := t.TempDir()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	p := &process{Cmd: exec.Command(crowd, strings.Fields("run seek --steps 20 --picture x.png --trajectories x.txt --quiet")...)}
	p.Dir, p.Stdout, p.Stderr = dir, w, &p.errs
	p.begin(t)
	w.Close()
	if code := p.end(t); code != 1 || p.errs.Len() > 0 {
		t.Errorf("exit code %d, want 1 and not a word: %s", code, &p.errs)
	}
	if left := leftovers(t, dir, []string{"x.png", "x.txt"}); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	for _, file := range []string{"x.png", "x.txt"} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
}
