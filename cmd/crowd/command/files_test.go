package command

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image/gif"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/trajectories"
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/generic"
	"github.com/parquet-go/parquet-go"
)

type task struct {
	args  string
	files []string
}

const (
	quickRun = "run flee --agents 60 --steps 30 --json "
	still    = "render plaza --agents 60 --at 20 --size 100x100 "
	film     = "render plaza --agents 60 --seconds 0.3 --size 64x64 "
	oneBench = "bench plaza --agents 20 --steps 1 --repeats 1 --workers 1 "
)

// tasks write files in all ways, except those that need another program.
var tasks = []task{
	{quickRun + "--trajectories x.csv --picture x.png --profile cpu=x.cpu --profile heap=x.mem --profile trace=x.trace", []string{"x.csv", "x.png", "x.cpu", "x.mem", "x.trace"}},
	{quickRun + "--trajectories x.parquet", []string{"x.parquet"}},
	{still + "-o x.png", []string{"x.png"}},
	{film + "-o x.gif", []string{"x.gif"}},
	{film + "-o x.apng", []string{"x.apng"}},
	{"plot INPUT -o x.svg", []string{"x.svg"}},
	{oneBench + "--out x.json --go x.lines", []string{"x.json", "x.lines"}},
}

// formats write files of the other formats, in the same ways as tasks.
var formats = []task{
	{quickRun + "--trajectories x.csv.gz", []string{"x.csv.gz"}},
	{quickRun + "--trajectories x.txt", []string{"x.txt"}},
	{quickRun + "--trajectories x.sql", []string{"x.sql"}},
	{still + "-o x.svg", []string{"x.svg"}},
	{"plot INPUT -o x.png", []string{"x.png"}},
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

const older = "the older file\n"

func writeOlder(t *testing.T, dir string, files []string) {
	t.Helper()
	for _, file := range files {
		testkit.Must(t, os.WriteFile(filepath.Join(dir, file), []byte(older), 0o666))
	}
}

// checkFolder verifies that a folder has exactly the given files, whole or, if mayBeOlder, older. It returns
// the number of new files.
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

func TestAlone(t *testing.T) {
	eachTask(t, slices.Concat(tasks, formats), func(t *testing.T, args, files []string) {
		t.Chdir(t.TempDir())
		writeOlder(t, ".", files)
		if _, errs := succeed(t, strings.Join(args, " ")); errs != "" {
			t.Fatalf("errors: got=%s, want none", errs)
		}
		checkFolder(t, ".", files, false)
	})
}

// whole returns an error unless the content of a file is complete for its kind.
func whole(name string, text []byte) error {
	switch filepath.Ext(name) {
	case ".png", ".apng":
		if !bytes.HasSuffix(text, []byte("IEND\xaeB`\x82")) {
			return errors.New("does not end with the chunk IEND")
		}
		_, err := png.Decode(bytes.NewReader(text))
		return err
	case ".gif":
		_, err := gif.DecodeAll(bytes.NewReader(text))
		return err
	case ".svg":
		return xml.Unmarshal(text, new(struct{}))
	case ".mp4":
		return wholeMP4(text)
	case ".csv":
		return wholeLines(text, ",", "id,time,x,y,vx,vy\n", 6)
	case ".txt":
		_, text, _ := bytes.Cut(text, []byte("\n"))
		return wholeLines(text, " ", "# id frame x/m y/m z/m\n", 5)
	case ".gz":
		text, err := unzip(text)
		return errors.Join(err, whole(strings.TrimSuffix(name, ".gz"), text))
	case ".parquet":
		return wholeParquet(text)
	case ".sql":
		return wholeSQL(text)
	case ".cpu", ".mem": // these have a checksum at the end
		text, err := unzip(text)
		if err == nil && len(text) == 0 {
			err = errors.New("is empty")
		}
		return err
	case ".trace":
		if !bytes.HasPrefix(text, []byte("go 1.")) || len(text) < 1000 {
			return errors.New("does not begin with go 1., or has fewer than 1000 bytes")
		}
		return nil
	case ".json":
		return json.Unmarshal(text, new(map[string]any))
	case ".lines":
		if !bytes.Contains(text, []byte("\nBenchmark")) || !bytes.HasSuffix(text, []byte("\n")) {
			return errors.New("has no benchmark lines, or does not end with a newline")
		}
		return nil
	}
	return fmt.Errorf("has the unknown extension %q", filepath.Ext(name))
}

func unzip(text []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// wholeLines returns an error unless text is the header and complete steps of 60 agents.
func wholeLines(text []byte, between, header string, fields int) error {
	rows, ok := strings.CutPrefix(string(text), header)
	if !ok || !strings.HasSuffix(rows, "\n") {
		return fmt.Errorf("does not begin with %q, or does not end with a newline", header)
	}
	n := 0
	for row := range strings.Lines(rows) {
		if n++; len(strings.Split(row, between)) != fields {
			return fmt.Errorf("row %d is %q, want %d fields", n, row, fields)
		}
	}
	return steps(n)
}

func steps(rows int) error {
	if rows == 0 || rows%60 != 0 {
		return fmt.Errorf("has %d rows, want 60 per step, and at least one step", rows)
	}
	return nil
}

func wholeParquet(text []byte) error {
	rows, err := parquet.Read[trajectories.Sample](bytes.NewReader(text), int64(len(text)))
	return errors.Join(err, steps(len(rows)))
}

// wholeSQL returns an error unless text is one transaction with complete steps of 60 agents.
func wholeSQL(text []byte) error {
	if !bytes.Contains(text, []byte("\nBEGIN;\n")) || !bytes.HasSuffix(text, []byte("\nCOMMIT;\n")) {
		return errors.New("has no line BEGIN;, or does not end with the line COMMIT;")
	}
	rows := 0
	for statement := range strings.SplitSeq(string(text), ";\n") {
		if inserted, ok := strings.CutPrefix(statement, "INSERT INTO trajectory_data VALUES\n"); ok {
			rows += 1 + strings.Count(inserted, "\n")
		}
	}
	return steps(rows)
}

// wholeMP4 returns an error unless the boxes fill the file, and include the index and the data.
func wholeMP4(text []byte) error {
	kinds := ""
	for len(text) > 0 {
		if len(text) < 8 {
			return errors.New("is cut off")
		}
		size := int(binary.BigEndian.Uint32(text))
		if size < 8 || size > len(text) {
			return fmt.Errorf("has a box of %d bytes, want 8 to %d", size, len(text))
		}
		kinds, text = kinds+" "+string(text[4:8]), text[size:]
	}
	if !strings.Contains(kinds, "moov") || !strings.Contains(kinds, "mdat") {
		return fmt.Errorf("has the boxes %q, want moov and mdat among them", kinds)
	}
	return nil
}

// trajectoriesOf returns the rows that a run of plaza should write, sorted by ID in each step.
func trajectoriesOf(t *testing.T, agents, steps int) (all []trajectories.Sample) {
	t.Helper()
	s, err := scene.Named("plaza")
	testkit.Must(t, err)
	s.Resize(agents)
	w, err := s.Build(scene.Options{Workers: 1})
	testkit.Must(t, err)
	defer w.Close()
	for range steps + 1 {
		now := make([]trajectories.Sample, agents)
		query := generic.NewFilter3[c.Agent, c.Position, c.Velocity]().Query(w.ECS)
		for query.Next() {
			a, p, v := query.Get()
			now[a.ID-1] = trajectories.Sample{ID: a.ID, Time: w.Clock.Time, X: p.X, Y: p.Y, VX: v.X, VY: v.Y}
		}
		all = append(all, now...)
		testkit.Must(t, w.Step())
	}
	return all
}

func readTrajectories(t *testing.T, name string) (all []trajectories.Sample) {
	t.Helper()
	text := readFile(t, name)
	if strings.HasSuffix(name, ".parquet") {
		all, err := parquet.Read[trajectories.Sample](bytes.NewReader(text), int64(len(text)))
		testkit.Must(t, err)
		return all
	}
	if strings.HasSuffix(name, ".gz") {
		var err error
		text, err = unzip(text)
		testkit.Must(t, err)
	}
	rows, ok := strings.CutPrefix(string(text), "id,time,x,y,vx,vy\n")
	if !ok {
		t.Fatalf("columns: got=%.30s, want=id,time,x,y,vx,vy", text)
	}
	for row := range strings.Lines(rows) {
		var s trajectories.Sample
		_, err := fmt.Sscanf(row, "%d,%g,%g,%g,%g,%g\n", &s.ID, &s.Time, &s.X, &s.Y, &s.VX, &s.VY)
		testkit.Must(t, err)
		all = append(all, s)
	}
	return all
}

// The files must have every bit of the numbers, and writing them must not change the run.
func TestTrajectories(t *testing.T) {
	const agents, steps = 30, 25
	line := fmt.Sprintf("run plaza --agents %d --steps %d", agents, steps)
	hash, all := reportOf(t, line).Hash, trajectoriesOf(t, agents, steps)
	t.Chdir(t.TempDir())
	for _, test := range []struct {
		file  string
		every int
	}{
		{"a.csv", 1}, {"a.csv", 10}, {"a.csv.gz", 1}, {"a.csv.gz", 25}, {"a.parquet", 1}, {"a.parquet", 7}, {"a.txt", 1}, {"a.csv", 26},
	} {
		r := reportOf(t, fmt.Sprintf("%s --trajectories %s --every %d", line, test.file, test.every))
		testkit.Equal(t, r.Hash, hash, "%s: hash", test.file)
		if test.file == "a.txt" { // another test reads it
			continue
		}
		var want []trajectories.Sample
		for step := 0; step <= steps; step += test.every {
			want = append(want, all[step*agents:(step+1)*agents]...)
		}
		if got := readTrajectories(t, test.file); !slices.Equal(got, want) {
			t.Errorf("%s, every %d: got=%d rows, want %d rows of other content", test.file, test.every, len(got), len(want))
		}
	}
}

// PedPy's load_trajectory reads this format.
func TestTrajectoriesForPedPy(t *testing.T) {
	t.Chdir(t.TempDir())
	reportOf(t, "run plaza --agents 3 --steps 9 --set dt=0.05 --trajectories a.txt --every 2")
	lines := strings.Split(strings.TrimSpace(string(readFile(t, "a.txt"))), "\n")
	testkit.Equal(t, strings.Join(lines[:2], "|"), "# framerate: 10|# id frame x/m y/m z/m", "header")
	testkit.Equal(t, len(lines)-2, 3*5, "rows")
	for i, line := range lines[2:] {
		var id, frame int
		var x, y, z float64
		if n, err := fmt.Sscan(line, &id, &frame, &x, &y, &z); n != 5 || err != nil || id != i%3+1 || frame != i/3 || z != 0 {
			t.Errorf("row %d: got=%q, want=id %d, frame %d, x, y and 0", i, line, i%3+1, i/3)
		}
	}
}
