package command

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"image"
	"image/gif"
	"image/png"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

func rendered(t *testing.T, name, args string) []byte {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, name)
	out, _ := succeed(t, "render --out "+file+" "+args)
	if !strings.Contains(out, file) || strings.Count(out, "\n") != 1 {
		t.Errorf("%s: got=%q, want one line that names the file", args, out)
	}
	if left := leftovers(t, dir, []string{name}); len(left) > 0 {
		t.Errorf("%s: got=%v, want the file alone", args, left)
	}
	return readFile(t, file)
}

func renderedPNG(t *testing.T, args string) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(rendered(t, "x.png", args)))
	testkit.Must(t, err)
	return img
}

func renderedGIF(t *testing.T, args string) *gif.GIF {
	t.Helper()
	anim, err := gif.DecodeAll(bytes.NewReader(rendered(t, "x.gif", args)))
	testkit.Must(t, err)
	return anim
}

func TestRenderPicture(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]image.Point{
		"arrival --size 300x200 --at 3":                               {X: 300, Y: 200},
		"plaza --agents 300 --steps 5 --size 200x240":                 {X: 200, Y: 240},
		"plaza --agents 300 --at 0 --size 64x64 --hide legend --heat": {X: 64, Y: 64},
		"tank-path --at 2s --trails 1s --size 320x300 --dark":         {X: 320, Y: 300},
		"arrival --at 9 --trails 0 --size 320x300":                    {X: 320, Y: 300},
		"seek --at 9 --size 320x300 --color heading":                  {X: 320, Y: 300},
		"seek --at 9 --size 320x300 --palette gray":                   {X: 320, Y: 300},
	} {
		testkit.Equal(t, renderedPNG(t, args).Bounds().Size(), want, "%s: size", args)
	}
}

func TestRenderSpeed(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, want := range map[string]string{
		"bottleneck --agents 9 --set dt=0.1":           "x.gif plays at 3 × real time: 30 frames a second, each 1 step of 0.1 s",
		"bottleneck --agents 9 --set dt=0.1 --fps 10":  "",
		"bottleneck --agents 9 --set dt=0.1 --every 1": "",
	} {
		_, errs := succeed(t, "render --size 64 --seconds 0.1 --out x.gif "+args)
		if (want == "") != (errs == "") || !strings.Contains(errs, want) {
			t.Errorf("%s: got=%q, want=%q", args, errs, want)
		}
	}
}

func TestRenderSVG(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args, element string
		want          int
	}{
		{"avoidance --at 30 --trails 20", "<circle", 15}, // 12 agents and the legend
		{"tank-path --at 30", "stroke-dasharray", 2},     // the path, and its symbol in the legend
		{"tank-path --at 30 --hide paths", "stroke-dasharray", 0},
		{"arrival --at 3", "stroke-dasharray", 0},
	} {
		b := rendered(t, "x.svg", test.args)
		testkit.Must(t, xml.Unmarshal(b, new(struct{})))
		testkit.Equal(t, bytes.Count(b, []byte(test.element)), test.want, "%s: %s", test.args, test.element)
	}
}

// rooms returns the scene of docs/pictures.md.
func rooms(t *testing.T) string {
	t.Helper()
	_, text, _ := strings.Cut(page(t, "pictures.md"), "```toml\n")
	text, _, _ = strings.Cut(text, "```") // without a scene, the tests fail
	return text
}

func TestRenderField(t *testing.T) {
	t.Parallel()
	file := filepath.Join(testkit.Files(t, map[string]string{"rooms.toml": rooms(t)}), "rooms.toml")
	without := rendered(t, "x.png", file+" --at 0 --size 300")
	for _, args := range []string{"--field " + file, file + " --field", file + " --field 0", file + " --field=0"} {
		if bytes.Equal(rendered(t, "x.png", args+" --at 0 --size 300"), without) {
			t.Errorf("%s: got the picture without the field, want another", args)
		}
	}
	b := rendered(t, "x.svg", file+" --at 2 --field")
	testkit.Equal(t, bytes.Count(b, []byte("<image")), 3, "images in the SVG")
	contains(t, "legend", string(b), "distance to the goal, m")
	testkit.Equal(t, len(renderedGIF(t, file+" --seconds 0.1 --field --size 200").Image), 3, "frames")
}

func TestRenderAnimations(t *testing.T) {
	t.Parallel()
	const args = "arrival --size 160x120 --hide legend --fps 20 --seconds 0.5 --trails 10 --from 5"
	anim := renderedGIF(t, args)
	total := 0
	for _, d := range anim.Delay {
		total += d
	}
	if len(anim.Image) != 10 || total != 50 || anim.Config.Width != 160 || anim.Config.Height != 120 {
		t.Errorf("gif: got=%d frames, %d hundredths, %d×%d, want=10 frames, 50 hundredths, 160×120",
			len(anim.Image), total, anim.Config.Width, anim.Config.Height)
	}
	b := rendered(t, "x.apng", args)
	testkit.Equal(t, bytes.Count(b, []byte("fcTL")), 10, "apng: frames")
	_, err := png.Decode(bytes.NewReader(b))
	testkit.Must(t, err)
}

func TestRenderSame(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	const still = "plaza --agents 1100 --steps 20 --size 300 --crop 100,100,300,300 --trails 10"
	const moving = "plaza --agents 1100 --steps 12 --from 9 --size 160"
	for name, args := range map[string]string{"x.png": still, "x.svg": still, "x.gif": moving + " --trails 5", "x.apng": moving + " --heat"} {
		runtime.GOMAXPROCS(1)
		want := rendered(t, name, args+" --workers 1")
		runtime.GOMAXPROCS(4)
		if got := rendered(t, name, args+" --workers 7"); !bytes.Equal(got, want) {
			t.Errorf("%s %s: got other bytes with 7 workers, want the same", name, args)
		}
	}
}

// countdown is a context that ends after a number of calls of Err.
type countdown struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int64
}

func endsAfter(questions int64) *countdown {
	c := &countdown{}
	c.Context, c.end = context.WithCancel(context.Background())
	c.left.Store(questions)
	return c
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.end()
	}
	return c.Context.Err()
}

func TestRenderInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"x.png", "x.svg", "x.gif", "x.apng"} {
		code, _, errs := sameFolder(t, interrupted(), "render", "plaza", "--agents", "100", "--size", "100", "--out", name)
		if code != exitOK || len(readFile(t, name)) == 0 || !strings.Contains(errs, "stopped after step 0 of") {
			t.Errorf("%s: exit code %d, want 0, a file, and a note after step 0, got:\n%s", name, code, errs)
		}
	}
	code, _, errs := sameFolder(t, endsAfter(200), "render", "arrival", "--seconds", "3000", "--size", "64", "--out", "y.gif")
	anim, err := gif.DecodeAll(bytes.NewReader(readFile(t, "y.gif")))
	if code != exitOK || err != nil || len(anim.Image) < 2 || !strings.Contains(errs, "stopped after step") {
		t.Errorf("exit code %d, %v, want 0, two frames or more, and a note, got:\n%s", code, err, errs)
	}
}

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

// walk returns a recording of one person that appears after 10 frames and walks to the right at 1 m/s from
// (3, 5). It is in centimeters, at 10 frames per second.
func walk() string {
	var text strings.Builder
	for frame := range 50 {
		fmt.Fprintf(&text, "1 %d %d 500 170\n", 10+frame, 300+10*frame)
	}
	return text.String()
}

func besideFiles(t *testing.T) (scene, recording string) {
	t.Helper()
	dir := testkit.Files(t, map[string]string{"standing.toml": standing, "walk.txt": walk()})
	return filepath.Join(dir, "standing.toml"), filepath.Join(dir, "walk.txt")
}

func TestRenderBeside(t *testing.T) {
	t.Parallel()
	scene, recording := besideFiles(t)
	beside := scene + " --beside " + recording + " --recording frame-rate=10,unit=cm "
	common := beside + "--hide legend --crop 0,0,10,10 "
	const simulated, recorded = 1, 2
	for _, test := range []struct {
		args  string
		width int
		seen  map[int]int // what is visible at each x of the picture, at half its height
	}{
		// Panels have 100 pixels, 10 per meter, and 12 pixels between them.
		{"--hide targets --size 212 --at 0", 212, map[int]int{30: recorded, 20: 0, 132: simulated, 142: 0}},
		{"--hide targets --size 212 --at 2s", 212, map[int]int{50: recorded, 30: 0, 132: simulated, 162: 0}},
		{"--hide targets --size 212 --at 2s --recording from=3.5", 212, map[int]int{75: recorded, 50: 0, 132: simulated}},
		{"--hide targets --size 212 --at 2s --recording from=-4", 212, map[int]int{30: 0, 50: 0, 132: simulated}},
		{"--hide targets --size 212 --at 0 --recording at=4,0", 212, map[int]int{70: recorded, 30: 0, 132: simulated}},
		{"--hide targets --size 212 --at 0 --recording turn=90,at=10,2", 212, map[int]int{50: recorded, 30: 0}},
		{"--hide targets --size 100 --at 2s --overlay", 100, map[int]int{50: recorded, 20: simulated, 80: 0}},
	} {
		img := renderedPNG(t, common+test.args)
		testkit.Equal(t, img.Bounds().Dx(), test.width, "%s: width", test.args)
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
			t.Errorf("%s: got=%v for recorded and simulated people, want two colors", test.args, colors[recorded])
		}
	}
	if anim := renderedGIF(t, common+"--seconds 1 --fps 10 --trails 1s"); len(anim.Image) != 10 || anim.Config.Width != 960 {
		t.Errorf("GIF: got=%d frames, %d pixels wide, want=10, 960", len(anim.Image), anim.Config.Width)
	}
	contains(t, "SVG", string(rendered(t, "x.svg", beside+"--overlay --at 1s")), ">recorded<", "1 of 1 recorded people")
	// Without --crop, the picture shows the whole scene and the whole recording.
	if img := renderedPNG(t, beside+"--hide legend --overlay --size 300 --at 0 --recording at=20,0"); img.Bounds().Dy() > 130 {
		t.Errorf("without --crop: got=%v, want a height of at most 130 pixels", img.Bounds())
	}
}

func TestRunRecording(t *testing.T) {
	_, recording := besideFiles(t)
	out, _ := succeed(t, "run "+recording+" --recording frame-rate=10,unit=cm --picture none")
	contains(t, "run", out, "1 agent in walk.txt", "all agents after ", "walk.txt --recording frame-rate=10,unit=cm")
}
