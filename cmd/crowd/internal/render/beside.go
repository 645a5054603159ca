package render

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
	"github.com/8f878440/crowd/internal/formats/recorded"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// BesideOptions are the flags that select recorded people.
type BesideOptions struct {
	Beside string `placeholder:"RECORDING" help:"Show recorded people beside the simulated ones. Reads trajectories of Petrack, PedPy, UCY, ETH, Vadere and run --trajectories."`
}

// besideRadius is the radius of all recorded people in meters, since recordings do not have it.
const besideRadius = 0.2

// moves returns the speed of a person in m/s, and the heading, which is zero if the person stands.
func moves(p *recorded.Person, t float64) (speed float64, heading r2.Vec) {
	const (
		over     = 0.5 // s
		standing = 0.1 // m/s, the sway of heads
	)
	v := p.Velocity(t, over)
	if speed = vec.Norm(v); speed < standing {
		return speed, r2.Vec{}
	}
	return speed, v
}

// People are recorded people beside a simulation.
type People struct {
	*recorded.Crowd
	from float64 // s, time of the recording when the simulation begins
}

// Time returns the time of the recording at a time t of the simulation, in seconds.
func (p *People) Time(t float64) float64 { return p.from + t }

// comparison is a film of recorded people beside simulated ones.
type comparison struct {
	file    string // file name in the folder of the page
	alt     string
	about   string // without the answer
	answer  string
	width   int // pixels
	seconds float64
	strips  func(places) []strip
}

// places are the people to compare, with their walls.
type places struct{ recorded, gate, bottleneck strip }

// comparisons are in the order of the page.
var comparisons = []comparison{
	{
		"gallery/people-gate.gif", "people behind a gate of 1.0 m and in a corridor of 1.8 m, A above B",
		"**A** is above, **B** below: a corridor of 1.8 m, 0.6 m behind a gate of 1.0 m.",
		"A is simulated, B was recorded.", 400, 16,
		func(p places) []strip {
			view := r2.NewBox(-7.4, -1.65, 5.6, 1.65)
			return []strip{p.gate.within(view), p.recorded.within(view)}
		},
	},
	{
		"gallery/people-door.gif", "people behind a door or a gate, C left, D right",
		"**C** is on the left, **D** on the right: 0.6 m behind a gate of 1.0 m, or a door of 1.2 m.",
		"C was recorded, at the gate; D is the scene `bottleneck`.", 440, 18,
		func(p places) []strip {
			return []strip{p.recorded.within(r2.NewBox(-7.4, -1.7, -4, 1.7)), p.bottleneck.within(r2.NewBox(0.6, -1.7, 4, 1.7))}
		},
	},
}

// The recorded experiment.
const (
	gateFile   = "uo-100-180-180.txt"
	gateWidth  = 1.0 // m
	gatePeople = 121
)

// Text of the page before and after the scenes.
const (
	peopleTop = `
## Recorded and simulated people

In each film, one part was recorded and the other is simulated; the [answers](#answers) are below. Both are drawn alike, in real time, with bodies of 0.2 m radius.
`
	peopleEnd = `
The recording is ` + "`" + gateFile + "`" + ` of the [Forschungszentrum Jülich](verification.md#sources), copyright 2022–2025 Forschungszentrum Jülich GmbH, IAS-7, MIT license. It is no part of this project:
` + "`crowd gallery --data FOLDER`" + ` draws the films from a folder that holds it.
`
	answersTop = "\n## Answers\n"
)

func (s strip) within(view r2.Box) strip {
	s.view = view
	return s
}

// filmPeople draws all comparisons.
func (o *GalleryOptions) filmPeople(ctx context.Context) error {
	seconds := 80. // beyond the end of all films
	if o.Quick {
		seconds = 40
	}
	p, err := gather(ctx, o.Data, seconds)
	if err != nil {
		return err
	}
	for i := range comparisons {
		x := comparisons[i]
		if o.Quick {
			x.width, x.seconds = 160, 1
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := x.draw(o.Folder, p); err != nil {
			return err
		}
	}
	return nil
}

// gather reads the recording and simulates the others.
func gather(ctx context.Context, data string, seconds float64) (p places, err error) {
	f, err := experiment.OpenJuelich(data, gateFile)
	if err != nil {
		return p, cli.BadUsage(err)
	}
	defer f.Close()
	p.recorded.name = f.Name()
	if p.recorded.people, err = experiment.RecordedGate(f, f.Name()); err != nil {
		return p, cli.BadUsage(err)
	}
	s, err := experiment.GateScene(ctx, 1, gateWidth, gatePeople)
	if err != nil {
		return p, err
	}
	if p.gate, err = simulated(ctx, s, seconds); err != nil {
		return p, err
	}
	p.recorded.obstacles = p.gate.obstacles
	if s, err = scene.Named("bottleneck"); err != nil {
		return p, err
	}
	p.bottleneck, err = simulated(ctx, s, seconds)
	return p, err
}

// simulated runs a scene and returns its people and walls.
func simulated(ctx context.Context, s *scene.Scene, seconds float64) (strip, error) {
	r, err := experiment.Record(ctx, scene.DefaultModel, s, seconds)
	if err != nil {
		return strip{}, err
	}
	w, err := s.Build(scene.Options{Workers: 1, Context: ctx})
	if err != nil {
		return strip{}, err
	}
	defer w.Close()
	return strip{name: s.Name, people: r.Resampled(1. / filmFPS), obstacles: picture.PictureOf(w).Obstacles}, nil
}

func (x *comparison) draw(folder string, p places) error {
	name := filepath.Join(folder, filepath.FromSlash(x.file))
	var files output.Files
	file := files.Add("the film", name)
	if err := files.Open(); err != nil {
		return cli.BadUsage(err)
	}
	defer files.Discard()
	if err := file.Fill(func(to io.Writer) error { return writeFilm(to, x.strips(p), x.width, x.seconds) }); err != nil {
		return err
	}
	return small(name)
}

// small returns an error if a file is too large for the gallery.
func small(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if info.Size() > maxExhibit {
		return fmt.Errorf("%s has %d bytes, want %d at most", name, info.Size(), maxExhibit)
	}
	return nil
}

// films returns the part of the page about the films, and answers its end.
func films() string {
	var text strings.Builder
	text.WriteString(peopleTop)
	for _, x := range comparisons {
		fmt.Fprintf(&text, "\n%s\n\n![%s](%s)\n", x.about, x.alt, x.file)
	}
	return text.String() + peopleEnd
}

func answers() string {
	text := answersTop
	for _, x := range comparisons {
		text += "\n" + x.answer + "\n"
	}
	return text
}
