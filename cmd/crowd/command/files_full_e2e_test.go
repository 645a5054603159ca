//go:build e2e && linux

package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// single are commands that write one file each, whose names are last.
func single(t *testing.T) (lines []string) {
	for _, task := range allTasks(t) {
		if len(task.files) == 1 {
			lines = append(lines, task.args)
		}
	}
	for _, flag := range []string{"--picture x.png", "--profile cpu=x.cpu", "--profile heap=x.mem", "--profile trace=x.trace", "--trajectories x.csv"} {
		lines = append(lines, quickRun+flag)
	}
	return append(lines, oneBench+"--out x.json", oneBench+"--go x.lines")
}

// TestFullDisk verifies that a disk without room, or with too little, ends every command with an error that names the
// file, and that the older file stays.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	const size = 64 << 10 // bytes
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Skipf("skipped: no small file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	from := inputFile(t)
	t.Chdir(disk)
	for _, room := range []int{0, os.Getpagesize()} {
		for _, line := range single(t) {
			args := strings.Fields(strings.Replace(line, "INPUT", from, 1))
			file := args[len(args)-1]
			file = file[strings.Index(file, "=")+1:] // of --profile KIND=FILE
			writeOlder(t, disk, []string{file})
			fill(t, filepath.Join(disk, "filler"), room)
			code, _, errs := sameFolder(t, t.Context(), append(args, "--quiet")...)
			if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("%s, room for %d bytes", line, room)
			fresh := checkFolder(t, disk, []string{file}, true)
			switch {
			case code == exitOK && room > 0 && fresh == 1: // so small is it
			case code != exitFailure || fresh > 0:
				t.Errorf("%s: exit code %d and %d new files, want 1 and the older one: %s", what, code, fresh, errs)
			case !strings.Contains(errs, file) || !strings.Contains(errs, "o space left on device") || strings.Count(errs, "\n") != 1:
				t.Errorf("%s: got=%s, want one line about space with the name", what, errs)
			}
			if err := os.Remove(filepath.Join(disk, file)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// fill fills a disk with a file, but for some room.
func fill(t *testing.T, name string, room int) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size := 0
	for page := make([]byte, os.Getpagesize()); ; {
		n, err := f.Write(page)
		size += n
		if errors.Is(err, syscall.ENOSPC) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Truncate(int64(size - room)); err != nil {
		t.Fatal(err)
	}
}
