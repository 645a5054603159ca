//go:build e2e && linux

package command

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
	"golang.org/x/sys/unix"
)

// allTasks returns the tasks, with the one that needs ffmpeg if that is installed.
func allTasks(t *testing.T) []task {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Log("skipped: mp4, because ffmpeg is not installed")
		return slices.Clone(tasks)
	}
	return append(slices.Clone(tasks), task{film + "-o x.mp4", []string{"x.mp4"}})
}

// differently returns flags that make the command write more, the greater k is, so that a mixture of two
// files is not whole.
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

// The commands write different content to the same files.
func TestTogether(t *testing.T) {
	most := 3
	if *full {
		most = 6
	}
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
				t.Errorf("exit code %d, want 0 and no error, got:\n%s", code, &p.errs)
			}
		}
		checkFolder(t, dir, files, false)
	})
}

// A command interrupted or killed at a random moment leaves the older file or a whole new one, and, only if
// killed, hidden files named after its own.
func TestFilesSignaled(t *testing.T) {
	random := draws(t)
	eachTask(t, allTasks(t), func(t *testing.T, args, files []string) {
		dir := t.TempDir()
		stop := atMoment(t, dir, -1, nil)
		start(t, dir, args...).ends(t, exitOK, "")
		all := stop()
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
			writeOlder(t, dir, files)
			moment := 1 + random.IntN(all)
			sent := make(chan *process, 1)
			stop := atMoment(t, dir, moment, func() {
				p := <-sent
				_ = p.Process.Signal(signal) // the process may have ended
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

func awaitLeftovers(t *testing.T, dir string, files []string, n int) {
	t.Helper()
	for begin := time.Now(); len(leftovers(t, dir, files)) < n; time.Sleep(time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatalf("got=%v, want %d files that are being written", leftovers(t, dir, files), n)
		}
	}
}

// The command waits for the reader of a pipe.
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
	testkit.Equal(t, string(readFile(t, filepath.Join(dir, "x.png"))), older, "the older file")
	testkit.Equal(t, strings.Join(leftovers(t, dir, files), " "), "", "other files")
}

// atMoment calls do at the n-th creation, writing, closing, renaming or removal of a file in a folder. stop
// returns the number of such events.
func atMoment(t *testing.T, folder string, n int, do func()) (stop func() (happened int)) {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	testkit.Must(t, err)
	events := os.NewFile(uintptr(fd), "inotify")
	const all = unix.IN_CREATE | unix.IN_MODIFY | unix.IN_CLOSE_WRITE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_DELETE
	_, err = unix.InotifyAddWatch(fd, folder, all)
	testkit.Must(t, err)
	done := make(chan int)
	go func() {
		happened := 0
		for some := make([]byte, 1<<16); ; {
			size, err := events.Read(some)
			for at := 0; at < size; at += unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(some[at+12:])) { // length of the name
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

func TestNamedPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "x.csv")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip("skipped: no named pipes here")
	}
	read := make(chan []byte)
	go func() {
		text, err := os.ReadFile(pipe)
		if err != nil {
			t.Error(err)
		}
		read <- text
	}()
	succeed(t, quickRun+"--trajectories "+pipe)
	if info, err := os.Stat(pipe); err != nil || info.Mode().IsRegular() {
		t.Fatalf("got a regular file or %v, want the pipe", err)
	}
	testkit.Must(t, whole("x.csv", <-read))
}

// The runs are too long to end: they must be refused before the first step.
func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{filepath.Dir(dir), dir} { // for the unprivileged user below
		testkit.Must(t, os.Chmod(folder, 0o777))
	}
	testkit.Must(t, os.Mkdir(filepath.Join(dir, "locked"), 0o555))
	testkit.Must(t, os.WriteFile(filepath.Join(dir, "read-only.csv"), []byte(older), 0o444))
	for _, test := range []struct{ args, want string }{
		{"run seek --steps 100000000 --picture locked/x.png", "--picture is locked/x.png: permission denied"},
		{"run seek --steps 100000000 --json --trajectories read-only.csv", "--trajectories is read-only.csv: permission denied"},
		{"run seek --steps 100000000 --json --profile trace=locked/x", "--profile trace is locked/x: permission denied"},
		{"render seek --steps 100000000 --out locked/x.png", "--out is locked/x.png: permission denied"},
	} {
		p := newProcess(t, dir, nil, strings.Fields(test.args)...)
		if os.Getuid() == 0 { // root may write anything
			const unprivileged = 65534
			p.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: unprivileged, Gid: unprivileged}}
			p.Path = "/proc/self/exe" // other users cannot read the folder of the test binary
		}
		p.begin(t)
		if code := p.end(t); code != exitBadInput || !strings.Contains(p.errs.String(), test.want) || strings.Count(p.errs.String(), "\n") != 1 {
			t.Errorf("%s: exit code %d, want 2, and one line with %q, got:\n%s", test.args, code, test.want, &p.errs)
		}
		testkit.Equal(t, strings.Join(leftovers(t, dir, nil), " "), "locked read-only.csv", "%s: files", test.args)
	}
}

// single returns commands that write one file each, whose name is last.
func single(t *testing.T) (lines []string) {
	for _, task := range append(allTasks(t), formats...) {
		if len(task.files) == 1 {
			lines = append(lines, task.args)
		}
	}
	for _, flag := range []string{"--picture x.png", "--profile cpu=x.cpu", "--profile heap=x.mem", "--profile trace=x.trace", "--trajectories x.csv"} {
		lines = append(lines, quickRun+flag)
	}
	return append(lines, oneBench+"--out x.json", oneBench+"--go x.lines")
}

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
			file = file[strings.Index(file, "=")+1:] // file of --profile KIND=FILE
			writeOlder(t, disk, []string{file})
			fill(t, filepath.Join(disk, "filler"), room)
			code, _, errs := sameFolder(t, t.Context(), append(args, "--quiet")...)
			testkit.Must(t, os.Remove(filepath.Join(disk, "filler")))
			what := fmt.Sprintf("%s, room for %d bytes", line, room)
			fresh := checkFolder(t, disk, []string{file}, true)
			switch {
			case code == exitOK && room > 0 && fresh == 1: // a small file
			case code != exitFailure || fresh > 0:
				t.Errorf("%s: exit code %d and %d new files, want 1 and the older one: %s", what, code, fresh, errs)
			case !strings.Contains(errs, file) || !strings.Contains(errs, "o space left on device") || strings.Count(errs, "\n") != 1:
				t.Errorf("%s: got=%s, want one line with %s and \"no space left on device\"", what, errs, file)
			}
			testkit.Must(t, os.Remove(filepath.Join(disk, file)))
		}
	}
}

func fill(t *testing.T, name string, room int) {
	t.Helper()
	f, err := os.Create(name)
	testkit.Must(t, err)
	defer f.Close()
	size := 0
	for page := make([]byte, os.Getpagesize()); ; {
		n, err := f.Write(page)
		size += n
		if errors.Is(err, syscall.ENOSPC) {
			break
		}
		testkit.Must(t, err)
	}
	testkit.Must(t, f.Truncate(int64(size-room)))
}

// Runs killed at random moments and resumed must end like other runs. CROWD_KILLS sets the number of kills.
func TestKilled(t *testing.T) {
	kills, random := number(t, "CROWD_KILLS", 10), draws(t)
	killed, ended := 0, 0
	for killed < kills {
		run := savedRuns[ended%len(savedRuns)]
		want := wholeRun(t, run.args, run.trajectories)
		folder := t.TempDir()
		args := append(strings.Fields(run.args), "--json", "--save", "x.save", "--save-every", strconv.Itoa(1+random.IntN(40)), "--trajectories", run.trajectories)
		for {
			if _, err := os.Stat(filepath.Join(folder, "x.save")); err == nil {
				args = []string{"run", "--resume", "x.save", "--json", "--workers", strconv.Itoa(1 + random.IntN(4))}
			}
			moment := -1 // not killed: the run continues to its end
			if killed < kills {
				moment = 1 + random.IntN(200) // a run has dozens to hundreds of moments
			}
			started := make(chan *process, 1)
			stop := atMoment(t, folder, moment, func() { _ = (<-started).Process.Kill() })
			p := start(t, folder, args...)
			started <- p
			code := p.end(t)
			stop()
			if p.ProcessState.Exited() {
				if code != exitOK {
					t.Fatalf("%s, killed %d times: exit code: got=%d, want=0: %s", run.args, killed, code, p.errs.String())
				}
				want.check(t, folder, run.trajectories, p.out.Bytes())
				lacks(t, "hidden files", " "+strings.Join(leftovers(t, folder, nil), " "), " .")
				ended++
				break
			}
			killed++
		}
		if t.Failed() {
			t.Fatalf("%s, killed %d times", run.args, killed)
		}
	}
	t.Logf("killed %d times, %d runs ended", killed, ended)
}

func TestTrajectoriesFullDisk(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("skipped: no /dev/full on this system")
	}
	for _, file := range []string{"a.csv", "a.csv.gz", "a.parquet", "a.txt", "a.sql"} {
		for _, agents := range []string{"2", "1000"} { // the first fails at the end, the second earlier
			path := filepath.Join(t.TempDir(), file)
			testkit.Must(t, os.Symlink("/dev/full", path))
			picture := filepath.Join(filepath.Dir(path), "x.png")
			code, out, errs := sameFolder(t, t.Context(), "run", "flee", "--agents", agents, "--steps", "5", "--json", "--trajectories", path, "--picture", picture)
			contains(t, "report", out, `"steps": 5`)
			testkit.Equal(t, len(readFile(t, picture)) > 0, true, "%s, %s agents: picture", file, agents)
			if code != exitFailure || !strings.Contains(errs, "no space left on device") || strings.Count(errs, "\n") != 1 {
				t.Errorf("%s, %s agents: exit code %d, want 1 and one line about space, got:\n%s", file, agents, code, errs)
			}
		}
	}
}
