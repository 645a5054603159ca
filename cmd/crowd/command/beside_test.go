package command

import (
	"bytes"
	"context"
	"fmt"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// standing is a scene of one agent that stands at (2, 5), in a box of 10 × 10 m.
const standing = `
name = "standing"
box = [[0, 0], [10, 10]]
dt = 0.1
steps = 100

[[groups]]
count = 1
at = {points = [[2, 5]]}
radius = 0.5
max-speed = 1
max-force = 1
target = [2, 5]
arrival = {slowing-radius = 3}
`

// besideFiles returns that scene, and a recording of a person who walks to the right at 1 m/s
// from (3, 5) on, and turns up after 10 frames; in centimeters, 10 frames a second.
func besideFiles(t *testing.T) (sceneFile, recording string) {
	t.Helper()
	dir := t.TempDir()
	sceneFile, recording = filepath.Join(dir, "standing.toml"), filepath.Join(dir, "walk.txt")
	var text strings.Builder
	for frame := range 50 {
		fmt.Fprintf(&text, "1 %d %d 500 170\n", 10+frame, 300+10*frame)
	}
	for name, text := range map[string]string{sceneFile: standing, recording: text.String()} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return sceneFile, recording
}

// TestRenderBeside verifies where people are drawn: the recorded on the left and the simulated on the
// right, or both in one picture, at the time and the place that are asked for.
func TestRenderBeside(t *testing.T) {
	scene, recording := besideFiles(t)
	common := scene + " --hide legend --beside " + recording + " --recording frame-rate=10,unit=cm --crop 0,0,10,10 "
	const simulated, recorded = 1, 2
	for _, test := range []struct {
		args  string
		width int
		seen  map[int]int // who is seen, by x in the picture, in the middle of its height
	}{
		// Panels of 100 pixels, 10 to a meter, with 12 pixels between them.
		{"--hide targets --size 212 --at 0", 212, map[int]int{30: recorded, 20: 0, 132: simulated, 142: 0}},
		{"--hide targets --size 212 --at 2s", 212, map[int]int{50: recorded, 30: 0, 132: simulated, 162: 0}},
		{"--hide targets --size 212 --at 2s --recording from=3.5", 212, map[int]int{75: recorded, 50: 0, 132: simulated}},
		{"--hide targets --size 212 --at 2s --recording from=-4", 212, map[int]int{30: 0, 50: 0, 132: simulated}},
		{"--hide targets --size 212 --at 0 --recording at=4,0", 212, map[int]int{70: recorded, 30: 0, 132: simulated}},
		{"--hide targets --size 212 --at 0 --recording turn=90,at=10,2", 212, map[int]int{50: recorded, 30: 0}},
		{"--hide targets --size 100 --at 2s --overlay", 100, map[int]int{50: recorded, 20: simulated, 80: 0}},
	} {
		img, err := png.Decode(bytes.NewReader(rendered(t, "x.png", common+test.args)))
		if err != nil {
			t.Fatal(err)
		}
		if img.Bounds().Dx() != test.width {
			t.Errorf("%s: got=%v, want %d wide", test.args, img.Bounds(), test.width)
		}
		floor := img.At(5, 5)
		colors := map[int]any{}
		for x, want := range test.seen {
			got := img.At(x, 50)
			if (got == floor) != (want == 0) {
				t.Errorf("%s: at %d got=%v on a floor of %v, want an agent: %v", test.args, x, got, floor, want != 0)
			}
			colors[want] = got
		}
		if colors[simulated] != nil && colors[simulated] == colors[recorded] {
			t.Errorf("%s: both are %v", test.args, colors[recorded])
		}
	}
	anim, err := gif.DecodeAll(bytes.NewReader(rendered(t, "x.gif", common+"--seconds 1 --fps 10 --trails 1s")))
	if err != nil || len(anim.Image) != 10 || anim.Config.Width != 960 {
		t.Errorf("GIF: %v, %d frames of %d pixels, want 10 of 960", err, len(anim.Image), anim.Config.Width)
	}
	if b := rendered(t, "x.svg", scene+" --overlay --at 1s --beside "+recording+" --recording frame-rate=10,unit=cm"); !bytes.Contains(b, []byte(">recorded<")) || !bytes.Contains(b, []byte("1 of 1 recorded people")) {
		t.Error("SVG: it does not tell who was recorded")
	}
	// Without --crop, all of the scene and all that was recorded is seen.
	if img, err := png.Decode(bytes.NewReader(rendered(t, "x.png", scene+" --hide legend --overlay --size 300 --at 0 --recording frame-rate=10,unit=cm,at=20,0 --beside "+recording))); err != nil || img.Bounds().Dy() > 130 {
		t.Errorf("got=%v, %v, want a picture that is wide", img.Bounds(), err)
	}
}

// TestBesideRefused verifies what is said of flags that do not fit.
func TestBesideRefused(t *testing.T) {
	scene, recording := besideFiles(t)
	for _, test := range []struct{ args, want string }{
		{"--out x.png --overlay", "--overlay is for --beside, which is missing"},
		{"--out x.png --recording at=1,2", "--recording at, turn and from are for --beside, which is missing"},
		{"--out x.png --recording from=1", "--recording at, turn and from are for --beside, which is missing"},
		{"--out x.png --recording frame-rate=10", "--recording is for recordings, and standing is none"},
		{"--out x.png --beside REC --recording unit=cm", "walk.txt does not say its frames a second, want --recording frame-rate"},
		{"--out x.png --beside REC --recording frame-rate=10", "walk.txt does not say the unit of its lengths, want --recording unit=m or cm"},
		{"--out x.png --beside REC --recording frame-rate=10,unit=m", "people move at 100 m/s (median), want at most 15"},
		{"--out x.png --beside REC --recording frame-rate=10,unit=mile", `--recording unit is "mile", want m or cm`},
		{"--out x.png --beside nosuch.txt --recording frame-rate=10,unit=cm", "nosuch.txt"},
		{"--out x.png --beside REC --recording frame-rate=10,unit=cm,at=1", "--recording at is [1], want X,Y"},
		{"--out x.png --beside REC --recording frame-rate=10,unit=cm,at=1,NaN", "--recording at is [1 NaN], want X,Y"},
		{"--out x.png --beside REC --recording frame-rate=10,unit=cm,turn=400", "--recording turn is 400, want -360 to 360"},
		{"--out x.png --beside REC --recording frame-rate=10,unit=cm,from=Inf", "--recording from is +Inf, want seconds up to 1e+06"},
		{"--out x.svg --beside REC --recording frame-rate=10,unit=cm", "--beside draws two pictures, and .svg holds one: want --overlay"},
		{"--out x.png --beside REC --recording frame-rate=10,unit=cm --heat", "--heat with --beside needs --heat=,MAX"},
		{"--out x.png --beside REC --recording frame-rate=10,unit=cm --heat=,1 --overlay", "--heat draws no agents, so it takes no --overlay"},
		{"--out x.png --beside REC --recording frame-rate=10,unit=cm --overlay --color speed", "--color is not for --overlay"},
	} {
		code, _, errs := command(t, context.Background(), append([]string{"render", scene}, strings.Fields(strings.ReplaceAll(test.args, "REC", recording))...)...)
		if code != exitBadInput || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit code %d, got=%q, want=%q", test.args, code, errs, test.want)
		}
	}
}

// TestRunRecording verifies that a recording runs as a scene, and that what to try next names the
// same flags.
func TestRunRecording(t *testing.T) {
	_, recording := besideFiles(t)
	code, out, errs := command(t, context.Background(), "run", recording, "--recording", "frame-rate=10,unit=cm", "--picture", "none")
	if code != exitOK || !strings.Contains(out, "1 agent in walk.txt") || !strings.Contains(out, "all agents after ") || !strings.Contains(out, "walk.txt --recording frame-rate=10,unit=cm") {
		t.Errorf("exit code %d, got:\n%s%s", code, out, errs)
	}
	if code, _, errs := command(t, context.Background(), "run", recording, "--recording", "unit=cm", "--picture", "none"); code != exitBadInput || !strings.Contains(errs, "want --recording frame-rate") {
		t.Errorf("exit code %d, got=%q, want one that names the flag", code, errs)
	}
}
