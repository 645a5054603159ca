package explain

import (
	"fmt"
	"math"
	"strings"

	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// forceTable returns a table of the forces, nil if there are none. Its first two
// rows are names and units.
func forceTable(x *world.Explanation) [][]string {
	var forces []world.Share
	whole := 0.
	for _, s := range x.Shares {
		if s.Force != nil {
			forces = append(forces, s)
			whole += r2.Norm(s.Force.Newtons)
		}
	}
	if len(forces) == 0 {
		return nil
	}
	n := len(forces)
	columns := [8][]float64{} // raw x, raw y, force x, force y, |force|, share, left x, left y
	add := func(values ...float64) {
		for i, v := range values {
			columns[i] = append(columns[i], v)
		}
	}
	for _, s := range forces {
		f := s.Force
		size := r2.Norm(f.Newtons)
		add(f.Raw.X, f.Raw.Y, f.Newtons.X, f.Newtons.Y, size, 100*size/max(whole, math.SmallestNonzeroFloat64), f.Truncated.X, f.Truncated.Y)
	}
	add(math.NaN(), math.NaN(), x.Force.X, x.Force.Y, r2.Norm(x.Force), math.NaN(), x.Truncated.X, x.Truncated.Y)
	raw, force := decimals(columns[0], columns[1]), decimals(columns[2], columns[3], columns[4])
	text := [8][]string{}
	for i, places := range []int{raw, raw, force, force, force, 1, force, force} {
		text[i] = fixedText(columns[i], places)
	}
	rows := [][]string{
		{"", "raw x", "raw y", "", "gain", "force x", "force y", "|force|", "to", "share", "left x", "left y"},
		{"", "", "", "", "", "N", "N", "N", "°", "%", "N", "N"},
	}
	for k, s := range forces {
		f, to := s.Force, degreesText(s.Force.Newtons)
		gain := strings.TrimSpace(fmt.Sprintf("%.4g %s", f.Gain, f.GainUnit))
		rawX, rawY, unit := text[0][k], text[1][k], f.RawUnit
		if f.GainUnit == "" { // no rule made it
			rawX, rawY, gain = "", "", ""
		}
		rows = append(rows, []string{s.Behavior, rawX, rawY, unit, gain, text[2][k], text[3][k], text[4][k], to, text[5][k], text[6][k], text[7][k]})
	}
	rows = append(rows, []string{"sum", "", "", "", "", text[2][n], text[3][n], text[4][n], degreesText(x.Force), "", text[6][n], text[7][n]})
	if x.Reciprocal != nil { // ORCA leaves nothing of them
		for i := range rows {
			rows[i] = rows[i][:10]
		}
	}
	return rows
}
