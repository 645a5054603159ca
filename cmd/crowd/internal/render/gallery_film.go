package render

import (
	"fmt"
	"io"

	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
	"gonum.org/v1/gonum/spatial/r2"
)

// strip is one of several films that play in one picture: people, recorded or simulated,
// and what stands where they walk.
type strip struct {
	name      string
	people    *experiment.Recording // with filmFPS frames a second
	obstacles []picture.Obstacle
	view      r2.Box
}

// filmFPS is how many frames a second all films of people have.
const filmFPS = experiment.RecordedFPS

// first returns the frame in which as many have gone through the view as it takes to fill
// it.
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

// take notes into crowd, whose memory is used again, who is there in a frame. Everybody is
// drawn alike, since recordings do not say how wide people are, and is there a little beyond
// both ends of the view, where some recordings begin and end earlier than others.
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
		heading, _ := s.people.VelocityOver(p, frame, smooth)
		crowd.Agents = append(crowd.Agents, picture.Agent{Position: at, Radius: radius, Heading: heading})
	}
}

// writeFilm writes a GIF in which strips play for some seconds, one above the other, or side
// by side if they are as high as wide. Its width is that of all in pixels.
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
	var film Writer
	for frame := range frames {
		for i := range strips {
			strips[i].take(crowds[i], firsts[i]+frame)
		}
		img := panels.Draw(crowds...)
		if film == nil {
			film = NewGIF(to, filmFPS, Palette(colors, img))
		}
		if err := film.Add(img); err != nil {
			return err
		}
	}
	return film.Close()
}
