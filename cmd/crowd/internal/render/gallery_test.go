package render

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"image/gif"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

var update = flag.Bool("update", false, "write docs/gallery.md and docs/gallery/draw.sh anew")

func TestGallery(t *testing.T) {
	const gallery, commands = "../../../../docs/gallery.md", "../../../../docs/gallery/draw.sh"
	page := testkit.Read(t, gallery)
	var want strings.Builder
	want.WriteString(pageTop + films())
	var files []string
	for i := range comparisons {
		files = append(files, comparisons[i].file)
	}
	for i := range exhibits {
		x := &exhibits[i]
		want.WriteString(x.entry())
		files = append(files, x.file())
	}
	want.WriteString(answers())
	for _, file := range files {
		if err := small(filepath.Join("../../../../docs", file)); err != nil {
			t.Error(err)
		}
	}
	if *update {
		testkit.Must(t, os.WriteFile(gallery, []byte(want.String()), 0o644))
		testkit.Must(t, os.WriteFile(commands, []byte(script()), 0o755))
	} else if string(page) != want.String() {
		t.Error("docs/gallery.md differs from the page of crowd gallery; run this test with -update")
	} else if drawn, err := os.ReadFile(commands); err != nil || string(drawn) != script() {
		t.Errorf("docs/gallery/draw.sh differs from the commands of crowd gallery (%v); run this test with -update", err)
	}
	for _, name := range scene.Names() {
		if !slices.ContainsFunc(exhibits, func(x exhibit) bool { return x.scene == name }) {
			t.Errorf("scene %s: got no exhibit, want one in exhibits", name)
		}
	}
}

// walkers returns trajectories of people that walk down from y = 8 m at 1 m/s. One starts every half second.
func walkers(people int) string {
	var text strings.Builder
	for person := range people {
		for frame := range 14*filmFPS + 1 {
			fmt.Fprintf(&text, "%d %d %d %v\n", person, person*filmFPS/2+frame, 60+60*(person%2), 800-100*float64(frame)/filmFPS)
		}
	}
	return text.String()
}

func recordedWalkers(t *testing.T, people int) *experiment.Recording {
	t.Helper()
	r, err := experiment.RecordedGate(strings.NewReader(walkers(people)), "made up")
	testkit.Must(t, err)
	return r
}

func TestTake(t *testing.T) {
	s := strip{people: recordedWalkers(t, 40), view: r2.NewBox(-7.4, -1.7, -4, 1.7)}
	var crowd picture.Crowd
	s.take(&crowd, 20*filmFPS) // the people are at whole and half meters from -8
	testkit.Equal(t, len(crowd.Agents), 8, "people, at -7.5, -7 … -4")
	for _, a := range crowd.Agents {
		if a.Radius != 0.2 || math.Abs(math.Abs(a.Position.Y)-0.3) > 1e-9 || math.Abs(a.Heading.X-1) > 1e-9 || math.Abs(a.Heading.Y) > 1e-9 {
			t.Errorf("got=%+v, want a body of 0.2 m at y = ±0.3 m that goes to the right", a)
		}
	}
	s.take(&crowd, 0)
	testkit.Equal(t, len(crowd.Agents), 0, "people in the first frame")
}

func TestFilm(t *testing.T) {
	people := recordedWalkers(t, 40)
	for _, test := range []struct {
		view          r2.Box
		width, height int
	}{
		{r2.NewBox(-6, -1.5, 2, 1.5), 160, 60 + 12 + 60},
		{r2.NewBox(-7, -1.5, -4, 1.5), 160, 74},
	} {
		s := strip{name: "made up", people: people, view: test.view}
		var out bytes.Buffer
		testkit.Must(t, writeFilm(&out, []strip{s, s}, 160, 2))
		film, err := gif.DecodeAll(&out)
		testkit.Must(t, err)
		time := 0
		for _, d := range film.Delay {
			time += d
		}
		if len(film.Image) != 2*filmFPS || time != 200 || film.Config.Width != test.width || film.Config.Height != test.height {
			t.Errorf("got=%d frames in %d/100 s, %d×%d, want=%d in 200, %d×%d", len(film.Image), time, film.Config.Width, film.Config.Height, 2*filmFPS, test.width, test.height)
		}
	}
}

func TestDraw(t *testing.T) {
	data, folder := t.TempDir(), t.TempDir()
	testkit.Must(t, os.WriteFile(filepath.Join(data, gateFile), []byte(walkers(40)), 0o666))
	var log bytes.Buffer
	draw := func(data string) error {
		o := GalleryOptions{Folder: folder, Data: data, Quick: true}
		e := &cli.Console{Out: io.Discard, Log: cli.NewLogger(&log, false)}
		return o.Draw(t.Context(), e, func(args []string) error {
			return os.WriteFile(args[slices.Index(args, "--out")+1], nil, 0o666)
		})
	}
	testkit.Must(t, draw(""))
	if !strings.Contains(log.String(), "no --data") {
		t.Errorf("log without --data: got=%q, want a line that contains %q", log.String(), "no --data")
	}
	for i := range comparisons {
		if _, err := os.Stat(filepath.Join(folder, comparisons[i].file)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got=%v, want no film", comparisons[i].file, err)
		}
	}
	log.Reset()
	testkit.Must(t, draw(data))
	testkit.Equal(t, log.String(), "", "log with --data")
	for i := range comparisons {
		b := testkit.Read(t, filepath.Join(folder, comparisons[i].file))
		film, err := gif.DecodeAll(bytes.NewReader(b))
		testkit.Must(t, err)
		testkit.Equal(t, len(film.Image), filmFPS, "frames of %s", comparisons[i].file)
	}
	testkit.Fails(t, draw(t.TempDir()), "want a folder that contains "+gateFile, "empty folder")
}

func TestTooLarge(t *testing.T) {
	s, err := scene.Open("seek", scene.OpenOptions{})
	testkit.Must(t, err)
	s.Resize(picture.MaxSVG + 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := Options{Out: filepath.Join(t.TempDir(), "x.svg")}
	e := &cli.Console{Out: io.Discard, Log: cli.NewLogger(io.Discard, true)}
	if err := o.Draw(ctx, e, s, 1, new(cli.MemoryFlag)); !errors.Is(err, picture.ErrTooLarge) {
		t.Errorf("got=%v, want=%v", err, picture.ErrTooLarge)
	}
}

func TestShortFilm(t *testing.T) {
	for _, test := range []struct {
		people  int
		seconds float64
		want    string
	}{
		{12, 1, "made up: 12 people go through the picture, want 20 or more"},
		{25, 60, "made up: ends after "},
	} {
		s := strip{name: "made up", people: recordedWalkers(t, test.people), view: r2.NewBox(-6, -1.5, 2, 1.5)}
		if err := writeFilm(new(bytes.Buffer), []strip{s}, 160, test.seconds); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%d people, %v s: got=%v, want an error that begins with %s", test.people, test.seconds, err, test.want)
		}
	}
}
