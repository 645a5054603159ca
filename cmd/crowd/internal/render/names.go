package render

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/8f878440/crowd/world/scene"
)

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
