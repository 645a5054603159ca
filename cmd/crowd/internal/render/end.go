package render

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/8f878440/crowd/cmd/crowd/internal/camera"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/internal/picture"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// DrawEnd writes the picture of the end of a run, if one is asked for: of the whole
// scene, or of the part between two corners.
func DrawEnd(to *output.File, s *scene.Scene, w *world.World, agents int, ways *camera.Trails, view []float64) error {
	if to == nil {
		return nil
	}
	crowd := camera.Picture(w)
	crowd.Title, crowd.Pixels = s.Name, s.Dt == 1
	crowd.Caption = fmt.Sprintf("%s, %.4g s, seed %d", numbers.Plural(agents, "agent"), w.Clock.Time, s.Seed)
	crowd.View, crowd.Trails, crowd.Paths = s.Box, ways.All(), camera.PathsOf(s)
	if len(view) == 4 {
		crowd.View = r2.Box{Min: r2.Vec{X: view[0], Y: view[1]}, Max: r2.Vec{X: view[2], Y: view[3]}}
	}
	return to.Fill(func(to io.Writer) error { return picture.WritePNG(to, crowd, picture.Options{}) })
}

// PictureName returns the name of the picture of a scene, in the folder where the
// command runs, whatever the scene is called.
func PictureName(s *scene.Scene) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:`, r) || !unicode.IsGraphic(r) {
			return '-'
		}
		return r
	}, s.Name) + ".png"
}

// CheckView refuses a view that is no rectangle.
func CheckView(v []float64) error {
	if v != nil && (len(v) != 4 || !(v[0] < v[2] && v[1] < v[3])) {
		return fmt.Errorf("--view is %v, want X0,Y0,X1,Y1 with X0 < X1 and Y0 < Y1", v)
	}
	return nil
}
