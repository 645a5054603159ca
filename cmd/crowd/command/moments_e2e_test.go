//go:build e2e && linux

package command

import (
	"encoding/binary"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// atMoment calls a function when n things have happened in a folder: a file was created, written, closed, renamed or
// removed. What stop returns is how many have.
func atMoment(t *testing.T, folder string, n int, do func()) (stop func() (happened int)) {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	events := os.NewFile(uintptr(fd), "inotify")
	const all = unix.IN_CREATE | unix.IN_MODIFY | unix.IN_CLOSE_WRITE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_DELETE
	if _, err := unix.InotifyAddWatch(fd, folder, all); err != nil {
		t.Fatal(err)
	}
	done := make(chan int)
	go func() {
		happened := 0
		for some := make([]byte, 1<<16); ; {
			size, err := events.Read(some)
			for at := 0; at < size; at += unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(some[at+12:])) { // the length of the name
				if happened++; happened == n {
					do()
				}
			}
			if err != nil {
				done <- happened
				return
			}
		}
	}()
	return func() int {
		events.Close()
		return <-done
	}
}
