//go:build e2e && linux

package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// allTasks are the tasks, and that which needs ffmpeg, if it is there.
func allTasks(t *testing.T) []task {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Log("skipped: mp4, because ffmpeg is not installed")
		return tasks
	}
	return append(slices.Clone(tasks), task{film + "-o x.mp4", []string{"x.mp4"}})
}

// differently returns the flags with which the k-th of several commands of a kind writes more than those before, so
// that a mixture of two is not whole.
func differently(command string, k int) []string {
	flag, n := "--size", 400+20*k
	switch command {
	case "run":
		flag, n = "--steps", 30+5*k
	case "render":
		n = 64 + 8*k
	case "bench":
		flag, n = "--repeats", 1+k
	}
	return []string{flag, fmt.Sprint(n)}
}

// TestTogether verifies that of several commands at a time that write different content to the same files, one gets
// its own there whole.
func TestTogether(t *testing.T) {
	const most = 6
	eachTask(t, allTasks(t), func(t *testing.T, args, files []string) {
		t.Parallel()
		dir := t.TempDir()
		writeOlder(t, dir, files)
		var all []*process
		for k := range most {
			all = append(all, start(t, dir, append(slices.Clone(args), differently(args[0], most-k)...)...))
		}
		for _, p := range all {
			if code := p.end(t); code != exitOK || p.errs.Len() > 0 {
				t.Errorf("exit code %d, %s", code, &p.errs)
			}
		}
		checkFolder(t, dir, files, false)
	})
}

// TestFilesSignaled verifies that a command which is interrupted or killed at any moment leaves the older file or a new
// one, whole; and nothing else, unless it is killed, and then under a name that says whose it was.
func TestFilesSignaled(t *testing.T) {
	random := draws(t)
	eachTask(t, allTasks(t), func(t *testing.T, args, files []string) {
		dir := t.TempDir()
		stop := atMoment(t, dir, -1, nil)
		if p := start(t, dir, args...); p.end(t) != exitOK {
			t.Fatal(p.errs.String())
		}
		all := stop()
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
			writeOlder(t, dir, files)
			moment := 1 + random.IntN(all)
			sent := make(chan *process, 1)
			stop := atMoment(t, dir, moment, func() {
				p := <-sent
				_ = p.Process.Signal(signal) // it may have ended
			})
			p := start(t, dir, args...)
			sent <- p
			code := p.end(t)
			stop()
			if signal == syscall.SIGKILL {
				removeNamed(t, dir, files)
			}
			checkFolder(t, dir, files, true)
			if t.Failed() {
				t.Fatalf("%v at moment %d of about %d: exit code %d, %s", signal, moment, all, code, &p.errs)
			}
		}
	})
}

// removeNamed removes what a command that was killed leaves behind: a hidden file for each of its own, named after it.
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

// awaitLeftovers waits until a command has begun n files.
func awaitLeftovers(t *testing.T, dir string, files []string, n int) {
	t.Helper()
	for begin := time.Now(); len(leftovers(t, dir, files)) < n; time.Sleep(time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatalf("got=%v, want %d files that are being written", leftovers(t, dir, files), n)
		}
	}
}

// endless is a run that does not end by itself.
const endless = "run plaza --agents 60 --steps 100000000 --every 1000 --json --trajectories x.csv --picture x.png "

// TestInterruptedRun verifies that a run which is interrupted completes its files with what was done.
func TestInterruptedRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := []string{"x.csv", "x.png", "x.cpu", "x.trace", "x.mem"}
	writeOlder(t, dir, files)
	p := start(t, dir, strings.Fields(endless+"--profile cpu=x.cpu --profile trace=x.trace --profile heap=x.mem")...)
	awaitLeftovers(t, dir, files, len(files))
	_ = p.Process.Signal(os.Interrupt)
	if code := p.end(t); code != 130 {
		t.Errorf("exit code %d, %s", code, &p.errs)
	}
	if fresh := checkFolder(t, dir, files, true); fresh != len(files) {
		t.Errorf("got=%d new files, want all %d", fresh, len(files))
	}
}

// TestSecondSignal verifies that nothing is left when a second Ctrl-C ends a command that ignores the first: this
// one waits for a reader of a pipe.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666); err != nil {
		t.Skip("skipped: no named pipes here")
	}
	files := []string{"x.png", "pipe"}
	writeOlder(t, dir, files[:1])
	p := start(t, dir, strings.Fields(quickRun+"--picture x.png --profile cpu=pipe")...)
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

// TestReaderSatisfied verifies that all files are written although only the beginning of the report is read.
func TestReaderSatisfied(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	p := newProcess(t, dir, nil, strings.Fields("run seek --steps 20 --picture x.png --trajectories x.txt --quiet")...)
	p.Stdout = w
	p.begin(t)
	w.Close()
	if code := p.end(t); code != exitPipe || p.errs.Len() > 0 {
		t.Errorf("exit code %d, want %d and not a word: %s", code, exitPipe, &p.errs)
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

// TestKilledLeavesNothing verifies that a command removes the hidden files that a killed one has left of the same
// files, and not those of one that is at work.
func TestKilledLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := []string{"x.png", "x.csv"}
	of := func(p *process) (n int) {
		for _, name := range leftovers(t, dir, files) {
			if strings.Contains(name, fmt.Sprintf("-%d-", p.Process.Pid)) {
				n++
			}
		}
		return n
	}
	killed := start(t, dir, strings.Fields(endless)...)
	awaitLeftovers(t, dir, files, 2)
	_ = killed.Process.Kill()
	killed.end(t)
	if of(killed) != 2 {
		t.Fatalf("got=%v, want what a killed command leaves", leftovers(t, dir, files))
	}
	other := start(t, dir, strings.Fields(endless)...)
	for begin := time.Now(); of(other) < 2 && time.Since(begin) < time.Minute; {
		time.Sleep(time.Millisecond)
	}
	if of(killed) > 0 {
		t.Errorf("got=%v, want nothing of the command that was killed", leftovers(t, dir, files))
	}
	if p := start(t, dir, strings.Fields(quickRun+"--picture x.png --trajectories x.csv --quiet")...); p.end(t) != exitOK {
		t.Error(p.errs.String())
	}
	if left := leftovers(t, dir, files); len(left) != 2 || of(other) != 2 {
		t.Errorf("got=%v, want those of the command that is at work", left)
	}
	_ = other.Process.Signal(os.Interrupt)
	if code := other.end(t); code != 130 {
		t.Errorf("exit code %d, %s", code, &other.errs)
	}
	if left := leftovers(t, dir, files); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
