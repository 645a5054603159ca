package picture

import (
	"fmt"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// NewCamera returns a camera for the crowd of a scene. It looks at all of it, or at
// the part between two corners: x0, y0, x1, y1. Trails are of a number of steps; the error
// says that they are too long.
func NewCamera(s *scene.Scene, w *world.World, view []float64, trails int) (*Camera, error) {
	cam := newPlain(w)
	cam.scene, cam.view, cam.paths = s, s.Box, PathsOf(s)
	if size := s.Box.Size(); size.X > 0 && size.Y > 0 {
		// Bodies at the edge are to be seen whole.
		cam.view = grown(s.Box, 0.01*max(size.X, size.Y))
	} else {
		cam.view = cam.fit()
	}
	if len(view) == 4 {
		cam.view = r2.Box{Min: r2.Vec{X: view[0], Y: view[1]}, Max: r2.Vec{X: view[2], Y: view[3]}}
		cam.part = partOf(s, cam.view)
	}
	cam.firsts = s.FirstIDs()
	for i := range s.Groups {
		g := &s.Groups[i]
		name := g.Name
		if name == "" {
			name = fmt.Sprintf("group %d", i+1)
		}
		cam.groups = append(cam.groups, name)
		if (g.Way == scene.Field || g.Way == scene.Quickest) && g.Target != nil && g.Count > 0 {
			cam.led = append(cam.led, i)
		}
	}
	var err error
	cam.wakes, err = newWakes(w, trails, s.Agents())
	return cam, err
}

// partOf says how much of a scene a view shows; nothing if that is not a part of its box.
func partOf(s *scene.Scene, view r2.Box) string {
	if s.Box.Size() == (r2.Vec{}) || s.Box.Union(view) != s.Box || view == s.Box {
		return ""
	}
	unit, part, all := "m", view.Size(), s.Box.Size()
	if s.InPixels() {
		unit = "px"
	}
	return fmt.Sprintf(" (here %.4g × %.4g of %.4g × %.4g %s)", part.X, part.Y, all.X, all.Y, unit)
}

// FitScene returns the part of the plane that shows the crowd of a scene.
func FitScene(s *scene.Scene, w *world.World) r2.Box {
	cam := newPlain(w)
	cam.scene, cam.paths = s, PathsOf(s)
	return cam.fit()
}

// fit returns a view of where all agents are, and of their targets, waypoints and stops, or
// how far on the way there the steps of the scene take them. It is no narrower than a quarter
// of its length.
func (cam *Camera) fit() r2.Box {
	crowd := &Crowd{}
	cam.takeAgents(crowd)
	cam.takeObstacles(crowd)
	view := Fit(crowd)
	near := grown(view, crowd.MaxSpeed*cam.scene.Dt*float64(cam.scene.Steps))
	places, reached := crowd.Targets, []r2.Vec(nil)
	for i := range cam.paths {
		places = append(places, cam.paths[i].Points...)
	}
	for i := range cam.scene.Groups {
		for _, stops := range cam.scene.Groups[i].Itineraries {
			places = append(places, scenePlaces(stops)...)
		}
	}
	for _, t := range places {
		reached = append(reached, r2.Vec{
			X: min(max(t.X, near.Min.X), near.Max.X), Y: min(max(t.Y, near.Min.Y), near.Max.Y)})
	}
	crowd.Trails = [][]r2.Vec{reached}
	view = Fit(crowd)
	size, middle := view.Size(), view.Center()
	half := r2.Vec{X: max(size.X, size.Y/4) / 2, Y: max(size.Y, size.X/4) / 2}
	return r2.Box{Min: r2.Sub(middle, half), Max: r2.Add(middle, half)}
}

// scenePlaces returns where the stops of an itinerary lead to.
func scenePlaces(stops []systems.Stop) (places []r2.Vec) {
	for i := range stops {
		switch stops[i].Kind {
		case systems.StopPlace:
			places = append(places, stops[i].At)
		case systems.StopBox:
			places = append(places, stops[i].Box.Center())
		}
	}
	return places
}
