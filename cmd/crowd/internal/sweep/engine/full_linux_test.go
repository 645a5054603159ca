//go:build e2e

package engine

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
)

// smallDisk mounts a small file system, and returns its folder and a function that changes its size in bytes.
// It skips the test if it cannot.
func smallDisk(t *testing.T, size int) (folder string, grow func(size int)) {
	t.Helper()
	folder = t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Skipf("skipped: no small file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	return folder, func(size int) {
		testkit.Must(t, syscall.Mount("tmpfs", folder, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", size)))
	}
}

func TestFullDisk(t *testing.T) {
	var n *network
	disk, grow := smallDisk(t, 512<<10)
	folder := filepath.Join(disk, "sweep")
	m := manifest(1000, 3)
	o := Options{Folder: folder, Silence: time.Second}
	s := n.serve(t, o, m)
	worker := n.join(t, WorkOptions{Where: Where{Folder: folder}}, simple)
	err := wait(t, s)
	if err == nil || !strings.Contains(err.Error(), "cannot be written") || !strings.Contains(err.Error(), "no space left on device") || strings.Contains(err.Error(), "\n") {
		t.Fatalf("got=%v, want one line that contains %q and %q", err, "cannot be written", "no space left on device")
	}
	t.Log(err)
	s.Close()
	if s, err = n.begin(t, o, m); err == nil { // the full disk may still have room for small writes
		err = wait(t, s)
		s.Close()
	}
	testkit.Fails(t, err, "no space left on device", "restarted without room")
	grow(64 << 20)
	s = n.serve(t, o, m)
	testkit.Must(t, wait(t, s))
	checkRows(t, s)
	s.Close()
	testkit.Must(t, worker())
}

func TestFullWorker(t *testing.T) {
	var n *network
	content := strings.Repeat("x", 1<<20)
	m := manifest(20, 1)
	m.Files = []File{{"a", fmt.Sprintf("%x", sha256.Sum256([]byte(content))), 1 << 20}}
	s := n.serve(t, Options{Open: func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}, m)
	disk, grow := smallDisk(t, 64<<10)
	t.Setenv("TMPDIR", disk)
	if err := n.worker(t, s, simple)(); err == nil || !strings.Contains(err.Error(), `file "a": `) || !strings.Contains(err.Error(), "no space left on device") || strings.Contains(err.Error(), "\n") {
		t.Errorf("files: got=%v, want one line with %q and %q", err, `file "a": `, "no space left on device")
	}
	grow(2 << 20)
	if err := n.worker(t, s, func(context.Context, int64) ([]byte, bool, error) {
		return nil, false, os.WriteFile(filepath.Join(disk, "result"), make([]byte, 4<<20), 0o600)
	})(); err == nil || !strings.Contains(err.Error(), "no space left on device") || strings.Contains(err.Error(), "\n") {
		t.Errorf("run: got=%v, want one line with %q", err, "no space left on device")
	}
	os.Remove(filepath.Join(disk, "result"))
	n.worker(t, s, simple)
	if err := wait(t, s); err != nil || len(dead(t, s)) > 0 {
		t.Errorf("got=%v, %v, want none dead", err, dead(t, s))
	}
}
