package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

// A task is a command line, and the files that it writes.
type task struct {
	args  string
	files []string
}

const (
	quickRun = "run plaza --agents 60 --steps 30 --json "
	still    = "render plaza --agents 60 --at 20 --size 100x100 "
	film     = "render plaza --agents 60 --seconds 0.3 --size 64x64 "
	oneBench = "bench plaza --agents 20 --steps 1 --repeats 1 --workers 1 "
)

// tasks write all kinds of files, except those that need another program.
var tasks = []task{
	{quickRun + "--trajectories x.csv --picture x.png --profile cpu=x.cpu --profile heap=x.mem --profile trace=x.trace", []string{"x.csv", "x.png", "x.cpu", "x.mem", "x.trace"}},
	{quickRun + "--trajectories x.csv.gz", []string{"x.csv.gz"}},
	{quickRun + "--trajectories x.parquet", []string{"x.parquet"}},
	{quickRun + "--trajectories x.txt", []string{"x.txt"}},
	{quickRun + "--trajectories x.sql", []string{"x.sql"}},
	{still + "-o x.png", []string{"x.png"}},
	{still + "-o x.svg", []string{"x.svg"}},
	{film + "-o x.gif", []string{"x.gif"}},
	{film + "-o x.apng", []string{"x.apng"}},
	{"plot INPUT -o x.png", []string{"x.png"}},
	{"plot INPUT -o x.svg", []string{"x.svg"}},
	{oneBench + "--out x.json --go x.lines", []string{"x.json", "x.lines"}},
}

const plotInput = `{"scene":"plaza","agents":10,"steps":4,"workers":1,"seed":1,"ns_per_agent_step":20.5,"mean_arrival_time":7,
"systems":[{"name":"Scan","ns_per_agent":12,"share":0.6},{"name":"Go","ns_per_agent":8,"share":0.4}]}`

const oneAgent = "name = \"in\"\nsteps = 3\n[[groups]]\ncount = 1\nat = {points = [[1, 1]]}\nmax-speed = 1\nstart-speed = 1\n"

func inputFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(testkit.Files(t, map[string]string{"input.json": plotInput}), "input.json")
}

func eachTask(t *testing.T, tasks []task, test func(t *testing.T, args []string, files []string)) {
	from := inputFile(t)
	for _, task := range tasks {
		args := strings.Fields(strings.Replace(task.args, "INPUT", from, 1) + " --quiet")
		t.Run(args[0]+"-"+strings.Join(task.files, "-"), func(t *testing.T) { test(t, args, task.files) })
	}
}

// older is the content of a file before the command writes it.
const older = "the older file\n"

func writeOlder(t *testing.T, dir string, files []string) {
	t.Helper()
	for _, file := range files {
		testkit.Must(t, os.WriteFile(filepath.Join(dir, file), []byte(older), 0o666))
	}
}

// checkFolder verifies that a folder has exactly the given files, each of them whole, or the older
// one if mayBeOlder is true. It returns the number of new files.
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
		t.Errorf("got=%s besides the files, want nothing", name)
	}
	return fresh
}

// leftovers returns the names in a folder, except those of the given files.
func leftovers(t *testing.T, dir string, files []string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	testkit.Must(t, err)
	for _, entry := range all {
		if !slices.Contains(files, entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names
}

// TestAlone verifies that each task replaces older files with complete ones, and leaves no other files.
func TestAlone(t *testing.T) {
	eachTask(t, tasks, func(t *testing.T, args, files []string) {
		t.Chdir(t.TempDir())
		writeOlder(t, ".", files)
		if _, errs := succeed(t, strings.Join(args, " ")); errs != "" {
			t.Fatalf("errors: got=%s, want none", errs)
		}
		checkFolder(t, ".", files, false)
	})
}
