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
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

type strip struct {
	name      string
	people    *experiment.Recording // at filmFPS
	obstacles []picture.Obstacle
	view      r2.Box
}

const filmFPS = experiment.RecordedFPS

// first returns the frame in which the 20th person leaves the view on the right, so that the view is full. It
// returns an error if fewer people leave, or if too few frames are left.
func (s *strip) first(frames int) (int, error) {
	const full = 20
	end := s.view.Max
	through := s.people.Crossings(r2.Vec{X: end.X, Y: s.view.Min.Y}, end)
	if len(through) < full {
		return 0, fmt.Errorf("%s: %d people go through the picture, want %d or more", s.name, len(through), full)
	}
	from := int(through[full-1].Time / s.people.Dt)
	if from+frames > s.people.Frames {
		return 0, fmt.Errorf("%s: ends after %d frames, want %d or more", s.name, s.people.Frames, from+frames)
	}
	return from, nil
}

// take writes a frame into crowd, whose memory it reuses. It omits people to the left and right of the view,
// because recordings do not extend equally far.
func (s *strip) take(crowd *picture.Crowd, frame int) {
	const (
		radius = 0.2  // m
		beyond = 0.24 // m
		smooth = 0.5  // s
	)
	crowd.View, crowd.Obstacles, crowd.Agents = s.view, s.obstacles, crowd.Agents[:0]
	for i := range s.people.People {
		p := &s.people.People[i]
		if !p.In(frame) {
			continue
		}
		at := p.Place(frame)
		if at.X < s.view.Min.X-beyond || at.X > s.view.Max.X+beyond {
			continue
		}
		heading, _ := s.people.Velocity(p, frame, smooth)
		crowd.Agents = append(crowd.Agents, picture.Agent{Position: at, Radius: radius, Heading: heading})
	}
}

// writeFilm writes a GIF of strips, one above another if all are wide, or else side by side. The width of the
// GIF is in pixels.
func writeFilm(to io.Writer, strips []strip, width int, seconds float64) error {
	const colors = 9
	frames := int(seconds * filmFPS)
	stacked := true
	var crowds []*picture.Crowd
	var firsts []int
	for i := range strips {
		first, err := strips[i].first(frames)
		if err != nil {
			return err
		}
		crowd := &picture.Crowd{}
		strips[i].take(crowd, first)
		crowds, firsts = append(crowds, crowd), append(firsts, first)
		stacked = stacked && picture.Wide(strips[i].view)
	}
	panels := picture.NewPanels(crowds, picture.Options{Width: width, Bare: true, Color: picture.Group}, stacked)
	var film writer
	for frame := range frames {
		for i := range strips {
			strips[i].take(crowds[i], firsts[i]+frame)
		}
		img := panels.Draw(crowds...)
		if film == nil {
			film = newGIF(to, filmFPS, paletteOf(colors, img))
		}
		if err := film.Add(img); err != nil {
			return err
		}
	}
	return film.Close()
}

type comparison struct {
	file    string // relative to the page
	alt     string
	about   string // without the answer
	answer  string
	width   int // pixels
	seconds float64
	strips  func(places) []strip
}

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

const (
	gateFile   = "uo-100-180-180.txt"
	gateWidth  = 1.0 // m
	gatePeople = 121
)

const (
	peopleTop = `
## Recorded and simulated people

In each film, one part was recorded and the other is simulated; the [answers](#answers) are below. Both are drawn in the same way, in real time, with bodies of 0.2 m radius.
`
	peopleEnd = `
The recording is ` + "`" + gateFile + "`" + ` of the [Forschungszentrum Jülich](verification.md#sources), copyright 2022–2025 Forschungszentrum Jülich GmbH, IAS-7, MIT license. It is not part of this project:
` + "`crowd gallery --data FOLDER`" + ` draws the films from a folder that holds it.
`
	answersTop = "\n## Answers\n"
)

func (s strip) within(view r2.Box) strip {
	s.view = view
	return s
}

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

func small(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if info.Size() > maxExhibit {
		return fmt.Errorf("%s has %d bytes, want at most %d", name, info.Size(), maxExhibit)
	}
	return nil
}

func films() string {
	var text strings.Builder
	text.WriteString(peopleTop)
	for _, x := range comparisons {
		fmt.Fprintf(&text, "\n![%s](%s)\n\n%s\n", x.alt, x.file, x.about)
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
