package plot

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/quantile"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"gonum.org/v1/plot/plotter"
)

// pairedSpeedUp returns half the interquartile range of a speed-up, and how many
// times less the median cost is than that of one worker. A speed-up is the median of
// the ratios round by round; where it is not that of the samples, as in Go benchmark
// lines, the spreads of both costs add up as those of independent figures do. It
// returns false if there is no result of one worker to compare with.
func pairedSpeedUp(f *bench.File, r *bench.Result) (half, ofMedians float64, ok bool) {
	for i := range f.Results {
		one := &f.Results[i]
		if one.Workers != 1 || one.Name != r.Name || one.By != r.By || one.Agents != r.Agents {
			continue
		}
		ofMedians = one.NsPerAgentStep / r.NsPerAgentStep
		if r.Workers == 1 {
			return 0, ofMedians, true
		}
		ratios := make([]float64, min(len(one.Samples), len(r.Samples)))
		for k := range ratios {
			ratios[k] = one.Samples[k] / r.Samples[k]
		}
		if math.Abs(quantile.Of(ratios, 0.5)-*r.SpeedUp) <= 1e-9**r.SpeedUp {
			return *r.SpeedUp * quantile.Spread(ratios), ofMedians, true
		}
		return *r.SpeedUp * math.Hypot(one.Spread, r.Spread), ofMedians, true
	}
	return 0, 0, false
}

// speedUpLines are speed-up against workers, a line for each case and size, with half
// the interquartile range up and down.
func speedUpLines(files []*bench.File, labels []string) []sheet.Series {
	var points []sheet.Point
	numbered := make([]*bench.File, len(files)) // with the places of points as speed-ups
	for k, f := range files {
		c := *f
		c.Results = slices.Clone(f.Results)
		for i := range c.Results {
			r := &c.Results[i]
			if r.SpeedUp == nil {
				continue
			}
			half, _, _ := pairedSpeedUp(f, &f.Results[i])
			up, place := *r.SpeedUp, float64(len(points))
			points = append(points, sheet.Point{XY: plotter.XY{X: float64(r.Workers), Y: up}, Low: max(up-half, 0), High: up + half})
			r.SpeedUp = &place
		}
		numbered[k] = &c
	}
	all := speedLines(numbered, labels).all
	for i := range all {
		for k := range all[i].Points {
			at := &all[i].Points[k]
			*at = points[int(at.Y)]
		}
	}
	return all
}

// speedUpNotes say which speed-ups may be none, for their spread reaches 1, and which
// differ from that of the costs drawn beside them, and why.
func speedUpNotes(files []*bench.File, labels []string) (notes []string) {
	const (
		much = 0.1 // by which part the other one differs
		most = 3   // named one by one
	)
	var doubtful, other []string
	for k, f := range files {
		for i := range f.Results {
			r := &f.Results[i]
			if r.SpeedUp == nil || r.Workers == 1 {
				continue
			}
			half, ofMedians, ok := pairedSpeedUp(f, r)
			if !ok {
				continue
			}
			up := *r.SpeedUp
			name := fmt.Sprintf("%s, %s, %s", terminal.Shorten(r.Name, 40), numbers.Plural(r.Agents, "agent"), numbers.Plural(r.Workers, "worker"))
			if len(files) > 1 {
				name = labels[k] + ": " + name
			}
			if half > 0 && math.Abs(up-1) <= half {
				doubtful = append(doubtful, fmt.Sprintf("%s (%s ± %s)", name, twoDigits(up), twoDigits(half)))
			}
			if (up-1)*(ofMedians-1) < 0 && math.Abs(up-ofMedians) > much/2 || math.Abs(up-ofMedians) > much*ofMedians {
				other = append(other, fmt.Sprintf("%s (%s, of the costs %s)", name, twoDigits(up), twoDigits(ofMedians)))
			}
		}
	}
	add := func(all []string, text string) {
		if len(all) == 0 {
			return
		}
		if n := len(all); n > most {
			all = append(all[:most:most], fmt.Sprintf("and %d more", n-most))
		}
		notes = append(notes, text+": "+strings.Join(all, "; "))
	}
	add(doubtful, "speed-up that differs from 1 by less than its spread")
	add(other, "speed-up is the median of the ratios of each round, which is not the ratio of the median costs")
	return notes
}

// twoDigits writes a ratio.
func twoDigits(x float64) string { return fmt.Sprintf("%.2f", x) }
