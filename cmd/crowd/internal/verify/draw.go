package verify

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
)

// Colors of lines in all pictures, by their number.
const (
	agents   = 0
	others   = 1 // agents too, apart from the first
	expected = 2
	people   = 6
)

// curve is points of a panel that are to be drawn in some way.
type curve struct {
	plot.Series
	look plot.SeriesLook
}

// line returns a curve through values.
func line(name string, color int, look plot.SeriesLook, xs, ys []float64) curve {
	c := curve{plot.Series{Name: name, Color: color, Glyph: color}, look}
	for i := range xs {
		if !math.IsNaN(ys[i]) {
			c.Points = append(c.Points, plot.At(xs[i], ys[i]))
		}
	}
	return c
}

// addCurves draws curves, with axes from 0. Those with the same name have one entry in the legend.
func addCurves(p *plot.Panel, curves ...curve) {
	p.X.Min, p.Y.Min = 0, 0
	for _, c := range curves {
		p.AddSeries(c.look, c.Series)
	}
}

// counts returns 1 to n, the number of those who have passed at each of n times.
func counts(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = float64(i + 1)
	}
	return all
}

// cumulated returns values in order, and the shares of all that are no higher.
func cumulated(values []float64) (sorted, shares []float64) {
	sorted = slices.Sorted(slices.Values(values))
	shares = counts(len(sorted))
	for i := range shares {
		shares[i] /= float64(len(sorted))
	}
	return sorted, shares
}
