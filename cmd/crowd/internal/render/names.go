package render

import (
	"fmt"
	"math"
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

// CheckView returns an error if a view is no rectangle that can be drawn: it is at least a
// millimeter wide and high, and within a million kilometers.
func CheckView(v []float64) error {
	const least, farthest = 1e-3, 1e9 // m
	drawable := len(v) == 4 && v[2]-v[0] >= least && v[3]-v[1] >= least
	for _, x := range v {
		drawable = drawable && math.Abs(x) <= farthest
	}
	if v != nil && !drawable {
		return fmt.Errorf("--view is %v, want X0,Y0,X1,Y1 with X0 < X1 and Y0 < Y1", v)
	}
	return nil
}
