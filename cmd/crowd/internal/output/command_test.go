package output_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// crowd is the command, built once.
var crowd string

func TestMain(m *testing.M) {
	os.Exit(withCommand(m.Run))
}

func withCommand(run func() int) int {
	if runtime.GOOS == "js" {
		return run() // there are no processes
	}
	dir, err := os.MkdirTemp("", "crowd-output")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // other users run it as well
		panic(err)
	}
	crowd = filepath.Join(dir, "crowd.exe")
	if out, err := exec.Command("go", "build", "-o", crowd, "../..").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v\n%s", err, out))
	}
	return run()
}

// task is a command line, and the files that it writes.
type task struct {
	args  string
	files []string
	needs string // a program; without it the task is left out
}

const (
	run   = "run plaza --agents 60 --steps 30 --json "
	still = "render plaza --agents 60 --at 20 --width 100 --height 100 "
	film  = "render plaza --agents 60 --seconds 0.3 --width 64 --height 64 "
	bench = "bench plaza --agents 20 --steps 1 --repeats 1 --workers 1 --warmup 0 "
)

// tasks are all kinds of files of all commands.
var tasks = []task{
	{run + "--trajectories x.csv --picture x.png --cpuprofile x.cpu --memprofile x.mem --trace x.trace", []string{"x.csv", "x.png", "x.cpu", "x.mem", "x.trace"}, ""},
	{run + "--trajectories x.csv.gz", []string{"x.csv.gz"}, ""},
	{run + "--trajectories x.parquet", []string{"x.parquet"}, ""},
	{run + "--trajectories x.txt", []string{"x.txt"}, ""},
	{run + "--trajectories x.sql", []string{"x.sql"}, ""},
	{still + "-o x.png", []string{"x.png"}, ""},
	{still + "-o x.svg", []string{"x.svg"}, ""},
	{film + "-o x.gif", []string{"x.gif"}, ""},
	{film + "-o x.apng", []string{"x.apng"}, ""},
	{film + "-o x.mp4", []string{"x.mp4"}, "ffmpeg"},
	{"plot INPUT -o x.png", []string{"x.png"}, ""},
	{"plot INPUT -o x.svg", []string{"x.svg"}, ""},
	{bench + "--out x.json --go x.lines --plot x.png", []string{"x.json", "x.lines", "x.png"}, ""},
}

// input is what plot reads.
const input = `{"scene":"plaza","agents":10,"steps":4,"workers":1,"seed":1,"ns_per_agent_step":20.5,"mean_arrival_time":7,
"systems":[{"name":"Scan","ns_per_agent":12,"share":0.6},{"name":"Go","ns_per_agent":8,"share":0.4}]}`

// eachTask runs a test of each task, in a folder of its own, several at a time.
func eachTask(t *testing.T, test func(t *testing.T, dir string, args []string, files []string)) {
	from := filepath.Join(t.TempDir(), "input.json")
	if err := os.WriteFile(from, []byte(input), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		args := strings.Fields(task.args)
		t.Run(args[0]+"-"+strings.Join(task.files, "-"), func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(task.needs); task.needs != "" && err != nil {
				t.Skipf("skipped: %s is not installed", task.needs)
			}
			for i := range args {
				args[i] = strings.Replace(args[i], "INPUT", from, 1)
			}
			test(t, t.TempDir(), append(args, "--quiet"), task.files)
		})
	}
}

// process is the command while it runs.
type process struct {
	*exec.Cmd
	errs  bytes.Buffer
	alive *os.File // ends when the process has, and all that it started
}

// start starts the command in a folder.
func start(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(crowd, args...)}
	p.Dir, p.Stderr = dir, &p.errs
	p.begin(t)
	return p
}

func (p *process) begin(t *testing.T) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if runtime.GOOS != "windows" {
		p.ExtraFiles = []*os.File{w}
	}
	p.alive = r
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
}

// end waits for the process, and returns its exit code, −1 if a signal ended it.
func (p *process) end(t *testing.T) int {
	t.Helper()
	hang := time.AfterFunc(2*time.Minute, func() { p.Process.Kill() })
	defer hang.Stop()
	if err := p.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	defer p.alive.Close()
	if runtime.GOOS != "windows" {
		_, _ = p.alive.Read(make([]byte, 1))
	}
	return p.ProcessState.ExitCode()
}

// command runs the command in a folder to its end.
func command(t *testing.T, dir string, args ...string) (code int, errs string) {
	t.Helper()
	p := start(t, dir, args...)
	code = p.end(t)
	return code, p.errs.String()
}

// older is what is in a file before the command writes it.
const older = "the older file\n"

func writeOlder(t *testing.T, dir string, files []string) {
	t.Helper()
	for _, file := range files {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(older), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// checkFolder holds that there are the files and nothing else, each whole, or the older
// one where that is allowed. It returns how many are new.
func checkFolder(t *testing.T, dir string, files []string, mayBeOlder bool) (fresh int) {
	t.Helper()
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Error(err)
			continue
		}
		if mayBeOlder && string(text) == older {
			continue
		}
		fresh++
		if err := whole(file, text); err != nil {
			t.Errorf("%s of %d bytes: %v", file, len(text), err)
		}
	}
	for _, name := range leftovers(t, dir, files) {
		t.Errorf("%s is left", name)
	}
	return fresh
}

// leftovers returns what is in a folder beside the files.
func leftovers(t *testing.T, dir string, files []string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range all {
		if !strings.Contains(" "+strings.Join(files, " ")+" ", " "+entry.Name()+" ") {
			names = append(names, entry.Name())
		}
	}
	return names
}

// TestAlone holds that each task writes its files whole, in place of older ones and
// where there are none.
func TestAlone(t *testing.T) {
	eachTask(t, func(t *testing.T, dir string, args, files []string) {
		for range 2 {
			if code, errs := command(t, dir, args...); code != 0 || errs != "" {
				t.Fatalf("exit code %d, %s", code, errs)
			}
			checkFolder(t, dir, files, false)
		}
	})
}

// differently returns the flags with which the k-th of several commands of a kind writes
// more than those before, so that a mixture of two is not whole.
func differently(command string, k int) []string {
	flag, n := "--width", 400+20*k
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

// TestTogether holds that of twenty commands at a time that write different content to
// the same files, one gets its own there whole.
func TestTogether(t *testing.T) {
	most := 20
	if testing.Short() {
		most = 6
	}
	eachTask(t, func(t *testing.T, dir string, args, files []string) {
		writeOlder(t, dir, files)
		var all []*process
		for k := range most {
			all = append(all, start(t, dir, append(slices.Clone(args), differently(args[0], most-k)...)...))
		}
		for _, p := range all {
			if code := p.end(t); code != 0 || p.errs.Len() > 0 {
				t.Errorf("exit code %d, %s", code, &p.errs)
			}
		}
		checkFolder(t, dir, files, false)
	})
}
