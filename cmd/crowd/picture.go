package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/picture"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// draw writes the picture of the end of a run, if one is asked for.
func (c *runCmd) draw(to *output.File, s *scene.Scene, w *world.World, r *report.Report, ways *trails) error {
	if to == nil {
		return nil
	}
	crowd := pictureOf(w)
	crowd.Title, crowd.Pixels = s.Name, s.Dt == 1
	crowd.Caption = fmt.Sprintf("%s, %.4g s, seed %d", numbers.Plural(r.Agents, "agent"), w.Clock.Time, s.Seed)
	crowd.View, crowd.Trails, crowd.Paths = s.Box, ways.all(), pathsOf(s)
	if len(c.View) == 4 {
		crowd.View = r2.Box{Min: r2.Vec{X: c.View[0], Y: c.View[1]}, Max: r2.Vec{X: c.View[2], Y: c.View[3]}}
	}
	return to.Fill(func(to io.Writer) error { return picture.WritePNG(to, crowd, picture.Options{}) })
}

// pictureOf returns what there is to see of a world.
func pictureOf(w *world.World) *picture.Crowd {
	crowd := &picture.Crowd{}
	cam := newCamera(w)
	cam.takeAgents(crowd)
	cam.takeObstacles(crowd)
	return crowd
}

// pictureName returns the name of the picture of a scene, in the folder where the
// command runs, whatever the scene is called.
func pictureName(s *scene.Scene) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:`, r) || !unicode.IsGraphic(r) {
			return '-'
		}
		return r
	}, s.Name) + ".png"
}

// checkView refuses a view that is no rectangle.
func (c *runCmd) checkView() error {
	if v := c.View; v != nil && (len(v) != 4 || !(v[0] < v[2] && v[1] < v[3])) {
		return fmt.Errorf("--view is %v, want X0,Y0,X1,Y1 with X0 < X1 and Y0 < Y1", v)
	}
	return nil
}
