package render

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"
)

// A shade is a color of the pictures that a palette is made for.
type shade struct {
	color.RGBA
	weight float64
}

// Palette returns up to n colors that suit pictures like the samples: those
// that cover a share of a sample as they are, and means of the others, as many as
// it takes until they are near enough. The same samples give the same colors.
func Palette(n int, samples ...*image.RGBA) []color.RGBA {
	const flat = 0.002 // the share from which on a color is kept as it is
	var kept []color.RGBA
	var shades []shade
	counts, most := map[uint32]int{}, map[uint32]float64{}
	for _, img := range samples {
		own := map[uint32]int{}
		for i := 0; i < len(img.Pix); i += 4 {
			own[uint32(img.Pix[i])<<16|uint32(img.Pix[i+1])<<8|uint32(img.Pix[i+2])]++
		}
		for c, k := range own {
			counts[c] += k
			most[c] = max(most[c], 4*float64(k)/float64(len(img.Pix)))
		}
	}
	for c, k := range counts {
		rgb := color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xff}
		if most[c] >= flat {
			kept = append(kept, rgb)
		} else {
			shades = append(shades, shade{rgb, math.Sqrt(float64(k))})
		}
	}
	slices.SortFunc(kept, func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(most[key(b)], most[key(a)]), cmp.Compare(key(a), key(b)))
	})
	kept = kept[:min(len(kept), n/2)]
	slices.SortFunc(shades, func(a, b shade) int { return cmp.Compare(key(a.RGBA), key(b.RGBA)) })
	return append(kept, medianCut(shades, n-len(kept))...)
}

func key(c color.RGBA) uint32 { return uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B) }

// medianCut divides shades into n boxes and returns their means: the box with
// the widest spread is halved each time, by weight along its longest side.
//
// Source: P. Heckbert 1982.
func medianCut(shades []shade, n int) (colors []color.RGBA) {
	if len(shades) == 0 {
		return nil
	}
	boxes := [][]shade{shades}
	spreads := []float64{spread(shades)}
	for len(boxes) < n {
		i := 0
		for k := range spreads {
			if spreads[k] > spreads[i] {
				i = k
			}
		}
		if spreads[i] <= near*weightOf(boxes[i]) {
			break
		}
		low, high := halve(boxes[i])
		boxes[i], spreads[i] = low, spread(low)
		boxes, spreads = append(boxes, high), append(spreads, spread(high))
	}
	for _, box := range boxes {
		colors = append(colors, mean(box))
	}
	return colors
}

// near is the mean square of distances in a box from which on it is one color.
const near = 35

func weightOf(box []shade) (sum float64) {
	for i := range box {
		sum += box[i].weight
	}
	return sum
}

// axes are the channels of a color, and how much they count to the eye.
var axes = [3]struct {
	of     func(color.RGBA) float64
	weight float64
}{
	{func(c color.RGBA) float64 { return float64(c.R) }, 0.30},
	{func(c color.RGBA) float64 { return float64(c.G) }, 0.52},
	{func(c color.RGBA) float64 { return float64(c.B) }, 0.18},
}

// distance returns the square of how far colors are apart, in levels.
func distance(a, b color.RGBA) float64 {
	dr, dg, db := float64(a.R)-float64(b.R), float64(a.G)-float64(b.G), float64(a.B)-float64(b.B)
	return 0.30*dr*dr + 0.52*dg*dg + 0.18*db*db
}

// spread returns the sum of the weighted squares of distances from the mean.
func spread(box []shade) (sum float64) {
	m := mean(box)
	for i := range box {
		if key(box[i].RGBA) != key(box[0].RGBA) {
			for k := range box {
				sum += box[k].weight * distance(box[k].RGBA, m)
			}
			return sum
		}
	}
	return 0 // one color, however often
}

// halve divides a box along the axis on which it is spread widest.
func halve(box []shade) (low, high []shade) {
	widest, axis := -1.0, 0
	for i, a := range axes {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, s := range box {
			lo, hi = min(lo, a.of(s.RGBA)), max(hi, a.of(s.RGBA))
		}
		if w := (hi - lo) * (hi - lo) * a.weight; w > widest {
			widest, axis = w, i
		}
	}
	of := axes[axis].of
	slices.SortStableFunc(box, func(a, b shade) int { return cmp.Compare(of(a.RGBA), of(b.RGBA)) })
	total, half := weightOf(box), box[0].weight
	cut := 1
	for ; cut < len(box)-1 && half+box[cut].weight <= total/2; cut++ {
		half += box[cut].weight
	}
	return box[:cut], box[cut:]
}

func mean(box []shade) color.RGBA {
	var r, g, b, total float64
	for _, s := range box {
		r, g, b = r+s.weight*float64(s.R), g+s.weight*float64(s.G), b+s.weight*float64(s.B)
		total += s.weight
	}
	part := func(sum float64) uint8 { return uint8(sum/total + 0.5) }
	return color.RGBA{part(r), part(g), part(b), 0xff}
}

// nearest returns the index of the color that is nearest to c.
func nearest(palette []color.RGBA, c color.RGBA) int {
	best, least := 0, math.Inf(1)
	for i, p := range palette {
		if d := distance(p, c); d < least {
			best, least = i, d
		}
	}
	return best
}
