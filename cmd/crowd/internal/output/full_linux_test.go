package output_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// single are commands that write one file each.
var single = []string{
	run + "--trajectories x.csv", run + "--trajectories x.csv.gz", run + "--trajectories x.parquet", run + "--trajectories x.txt", run + "--trajectories x.sql",
	run + "--picture x.png", run + "--cpuprofile x.cpu", run + "--memprofile x.mem", run + "--trace x.trace",
	still + "-o x.png", still + "-o x.svg", film + "-o x.gif", film + "-o x.apng", film + "-o x.mp4",
	"plot INPUT -o x.png", "plot INPUT -o x.svg",
	bench + "--out x.json", bench + "--go x.lines", bench + "--plot x.svg",
}

// TestFullDisk holds that a disk without room, or with too little, ends every command
// with an error that names the file, and that the older file stays.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	const size = 64 << 10 // bytes
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Skipf("skipped: no small file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	from := filepath.Join(t.TempDir(), "input.json")
	if err := os.WriteFile(from, []byte(input), 0o666); err != nil {
		t.Fatal(err)
	}
	page := os.Getpagesize()
	for _, room := range []int{0, page} {
		for _, line := range single {
			args := strings.Fields(strings.Replace(line, "INPUT", from, 1))
			file := args[len(args)-1]
			if _, err := exec.LookPath("ffmpeg"); err != nil && file == "x.mp4" {
				t.Log("skipped: mp4, because ffmpeg is not installed")
				continue
			}
			writeOlder(t, disk, []string{file})
			fill(t, filepath.Join(disk, "filler"), room)
			code, errs := command(t, disk, append(args, "--quiet")...)
			if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("%s, room for %d bytes", line, room)
			fresh := checkFolder(t, disk, []string{file}, true)
			switch {
			case code == 0 && room > 0 && fresh == 1: // so small is it
			case code != 1 || fresh > 0:
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
