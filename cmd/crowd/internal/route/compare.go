package route

import (
	"context"
	"math"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/formats/movingai"
)

// comparison is how long searches take beside those of gonum's A* over the grid, for the same
// rows.
type comparison struct {
	Rows         int     `json:"rows"`
	RouteSeconds float64 `json:"route_seconds"` // median
	AStarSeconds float64 `json:"astar_seconds"`
	Ratio        float64 `json:"ratio"`
	Differ       int     `json:"differ"` // rows whose length over the grid is not that of the file
}

// compared is how many rows are compared at most.
const compared = 40

// compare looks for some ways with gonum's A* over the grid, and again as before: all links
// that they need are known by then, as in a crowd that has walked for some time.
func (r *run) compare(ctx context.Context, e *cli.Console, machine bool) error {
	n := min(compared, len(r.Rows))
	bar := e.Progress("gonum's A*", n, "row", machine)
	defer bar.Done()
	c := &comparison{Rows: n}
	var own, over []float64
	for i := range n {
		begun := time.Now()
		if _, _, _, err := r.way(ctx, r.Rows[i*len(r.Rows)/n]); err != nil {
			return err
		}
		own = append(own, time.Since(begun).Seconds())
	}
	for i := range n {
		row := r.Rows[i*len(r.Rows)/n]
		begun := time.Now()
		length := movingai.NewGrid(row.in.of).Length(row.Start, row.Goal)
		over = append(over, time.Since(begun).Seconds())
		if !(math.Abs(length-row.OctileLength) <= 1e-4*max(length, 1)) {
			c.Differ++
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		bar.Set(i + 1)
	}
	c.RouteSeconds, c.AStarSeconds = cli.Quantile(own, 0.5), cli.Quantile(over, 0.5)
	c.Ratio = c.AStarSeconds / max(c.RouteSeconds, 1e-9)
	r.Comparison = c
	return nil
}
