package scene

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

func TestForeignData(t *testing.T) {
	for pattern, n := range map[string]int{"jupedsim/*.wkt": 6, "menge/*.xml": 9, "vadere/*.scenario": 16} {
		dir := testkit.DataDir(t, strings.Split(pattern, "/")[0])
		all, _ := filepath.Glob(filepath.Join(dir, filepath.Base(pattern)))
		if len(all) < n {
			t.Errorf("%s: got=%d files, want=%d or more", pattern, len(all), n)
		}
		for _, path := range all {
			if s := sameAgain(t, opened(t, path, OpenOptions{}), 20); s.Agents() < 2 || len(s.Files) == 0 {
				t.Errorf("%s: got=%d agents from %q, want=2 or more, and a file", path, s.Agents(), s.Files)
			}
		}
	}
}

// The data lacks projects for the maze, so the test writes them.
func TestMengeMaze(t *testing.T) {
	maze, dir := testkit.DataDir(t, "menge", "maze"), t.TempDir()
	beside, err := filepath.Rel(dir, maze)
	if err != nil {
		t.Skip(err) // the data is on another disk
	}
	for _, behavior := range []string{"mazeFieldB", "mazeMapB", "mazeNMB"} {
		path := filepath.Join(dir, behavior+".xml")
		text := fmt.Sprintf(`<Project scene="%s/mazeS.xml" behavior="%s/%s.xml" model="orca"/>`, filepath.ToSlash(beside), filepath.ToSlash(beside), behavior)
		noError(t, os.WriteFile(path, []byte(text), 0o666))
		if s := sameAgain(t, opened(t, path, OpenOptions{}), 20); s.Agents() != 30 || len(s.Warnings) != 1 || float64(s.Steps)*s.Dt != 400 {
			t.Errorf("%s: got=%d agents, %v s, warnings %q, want=30 agents, 400 s, and one warning", behavior, s.Agents(), float64(s.Steps)*s.Dt, s.Warnings)
		}
	}
}

func TestMapData(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.DataDir(t, "movingai"), "*.map"))
	if err != nil || len(files) == 0 {
		t.Fatalf("got=%d maps, %v, want=1 or more", len(files), err)
	}
	for _, file := range files {
		checkMap(t, opened(t, file, OpenOptions{Seed: new(uint64(1))}))
	}
}

func TestRecordingData(t *testing.T) {
	for file, o := range map[string]OpenOptions{
		"juelich/uo-050-180-180.txt": {FrameRate: 16, Unit: "cm"},
		"ucy/zara01/obsmat.txt":      {FrameRate: 25},
	} {
		s := opened(t, filepath.Join(testkit.DataDir(t), file), o)
		w := built(t, s)
		steps(t, w, s.Steps)
		testkit.Equal(t, w.Departed(), s.Agents(), "%s: arrived", file)
	}
}
