package explain

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

func placeText(v r2.Vec) string { return fmt.Sprintf("(%.7g, %.7g)", v.X+0, v.Y+0) }

// atMost writes a limit, if there is one.
func atMost(limit float64) string {
	if math.IsInf(limit, 1) {
		return ""
	}
	return fmt.Sprintf(" of at most %.4g", limit)
}

// degreesText writes the direction of a vector, counter-clockwise from +x.
func degreesText(v r2.Vec) string {
	if v == (r2.Vec{}) {
		return "–"
	}
	return fmt.Sprintf("%.1f", math.Atan2(v.Y, v.X)*180/math.Pi)
}

var longNumber = regexp.MustCompile(`-?\d+\.\d{5,}(e[+-]\d+)?`)

// fieldsText writes the fields of a component, with seven digits of each number.
func fieldsText(all []world.Field) string {
	var parts []string
	for _, f := range all {
		value := longNumber.ReplaceAllStringFunc(f.Value, func(s string) string {
			x, _ := strconv.ParseFloat(s, 64)
			return fmt.Sprintf("%.7g", x)
		})
		parts = append(parts, strings.TrimSpace(f.Name+" "+value))
	}
	return strings.Join(parts, ", ")
}
