package scene

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// recordingText has two frames per second: 7 walks to the right, 8 comes a second later and stands, and
// 9 comes with 8.
const recordingText = "# framerate: 2\n# id frame x/m y/m\n7 10 0 0\n7 11 1 0\n7 12 2 0\n7 13 4 0\n8 12 5 5\n8 14 5 5\n9 12 -3 1\n9 13 -3 2\n"

func TestRecording(t *testing.T) {
	s := opened(t, mapFile(t, "walk.txt", recordingText), OpenOptions{})
	g := &s.Groups[0]
	testkit.Equal(t, fmt.Sprint(s.Recorded, g.Count, g.At.Points), fmt.Sprint(true, 3, []r2.Vec{{}, {X: 5, Y: 5}, {X: -3, Y: 1}}), "recorded, agents, starts")
	testkit.Equal(t, fmt.Sprint(g.Target.Points, g.Goal.Then), fmt.Sprint([]r2.Vec{{X: 4}, {X: 5, Y: 5}, {X: -3, Y: 2}}, Leave), "goals, then")
	testkit.Equal(t, fmt.Sprint(g.MaxSpeed.Each), "[2 0.1 2]", "speeds")
	testkit.Equal(t, fmt.Sprint(g.Source.Schedule), fmt.Sprint([]world.Batch{{Time: 0, N: 1}, {Time: 1, N: 2}}), "times")
	testkit.Equal(t, s.Box, box(-4, -1, 6, 6), "box")
	sameAgain(t, s, 40)
}

func TestRecordingErrors(t *testing.T) {
	const head, point = "# framerate: 25\n# id frame x/m y/m\n", ", want a number with a decimal point"
	plain, given := strings.Join(strings.Split(recordingText, "\n")[2:], "\n"), OpenOptions{FrameRate: 25, Unit: "m"}
	for _, test := range []struct {
		text    string
		options OpenOptions
		want    string // after the path
	}{
		{plain, OpenOptions{FrameRate: 2}, " does not state the unit of its lengths, want --recording unit=m or cm"},
		{plain, OpenOptions{FrameRate: 2, Unit: "m"}, "<nil>"},
		{"1 2\n", given, ":1:3: expected '=' after key: " + wanted()}, // an invalid scene
		{"name = \"x\"\n", OpenOptions{}, ":1:1: groups is missing: agents that behave alike"},
		{"# only words\n", OpenOptions{}, ": only blanks and comments, " + wanted()},
		{head + "1 0 1.5 2.3\n1 1 1,6 2.3\n", given, `:4: x is "1,6"` + point},
		{head + "1\t0\t1.5\t-2,3\r\n", given, `:3: y is "-2,3"` + point},
		{"1 0 1,5 2,3\n1 1 1,6 2,3\n", given, `:1: column 3 is "1,5"` + point},
		{"# framerate: 25\n1 0 1 2,3\n", given, `:2: column 4 is "2,3"` + point},
		{"id;frame;x/m;y/m\n1;0;1.5;2,3\n", given, `:2: y is "2,3"` + point},
		{"id;time;x/m;y/m\n1;0,04;1.5;2\n", given, `:2: time is "0,04"` + point},
		{head + "1 0,5 1 2\n", given, `:3: frame is "0,5"` + point},
		{head + "1, 0, 1.5, 2.3\n1,1,1.5 ,2.3\n", given, "<nil>"},
		{head + "1; 0; 1.5; 2.3\n1 ;1;1.6\t;2.3\n", given, "<nil>"},
		{"\xff\xfe1\x00 \x000\x00", given, ": UTF-16 or not text, want text in UTF-8"},
		{"1\x00 \x000\x00 \x001\x00", given, ": UTF-16 or not text, want text in UTF-8"},
	} {
		path := mapFile(t, "x.txt", test.text)
		testkit.Equal(t, strings.TrimPrefix(fmt.Sprint(failure(Open(path, test.options))), path), test.want, "%.12q", test.text)
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
		if left := w.Departed(); left != s.Agents() {
			t.Errorf("%s: arrived: got=%d of %d, want=all", file, left, s.Agents())
		}
	}
}
