package explain

import (
	"cmp"
	"fmt"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// writeThreat writes what the agent sees ahead, if it looks.
func writeThreat(row cli.Row, x *world.Explanation) {
	t := x.Threat
	if t == nil {
		if x.LookAhead > 0 {
			row("threat", "none within %.4g m ahead", x.LookAhead)
		}
		return
	}
	thick := ""
	if t.Radius > 0 {
		thick = fmt.Sprintf(" of radius %.4g m", t.Radius)
	}
	row("threat", "%s%s at %s m, entity %d", cmp.Or(t.Kind, "something"), thick, placeText(t.At), t.Obstacle.ID())
	row("", "%.4g m ahead, of %.4g m that the agent looks; contact at %s m, normal to %s °",
		t.Distance, x.LookAhead, placeText(t.Contact), degreesText(t.Normal))
}

// cutting says what is left of the forces.
func cutting(x *world.Explanation) string {
	size := r2.Norm(x.Force)
	switch {
	case x.MovedBy != "Integration" && x.Force != (r2.Vec{}):
		return fmt.Sprintf("the %.4g N are not applied, because Integration does not move the agent", size)
	case x.MovedBy != "Integration":
		return "none, because there is no force"
	case math.IsInf(x.MaxForce, 1):
		return fmt.Sprintf("none: %.4g N, and no limit", size)
	case size <= x.MaxForce:
		return fmt.Sprintf("none: %.4g N of at most %.4g N", size, x.MaxForce)
	}
	return fmt.Sprintf("%.4g N are more than %.4g N: %.4g %% of each force is left", size, x.MaxForce, 100*r2.Norm(x.Truncated)/size)
}
