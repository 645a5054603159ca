package explain

import (
	"fmt"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
)

// writeWalking writes what the agent makes of the speed that it prefers, as people do.
func writeWalking(row cli.Row, x *world.Explanation) {
	if x.Reciprocal == nil || x.Reciprocal.Walking == nil {
		return
	}
	w := x.Reciprocal.Walking
	text := fmt.Sprintf("prefers %.4g m/s alone, %.4g m/s here: %s", w.Free, w.Speed, whyText(w))
	if w.Inertia {
		text += "; it cannot accelerate to that at once"
	}
	row("walking", "%s", text)
}

// whyText says why an agent prefers its speed.
func whyText(w *systems.Walking) string {
	side, overtakes := strings.CutPrefix(w.Why, "overtaking ")
	switch {
	case overtakes:
		return fmt.Sprintf("it overtakes agent %d on the %s, after a gap of %.4g m", w.Other, side, max(w.Gap, 0))
	case w.Why == "gap":
		return fmt.Sprintf("the gap to agent %d ahead is %.4g m", w.Other, max(w.Gap, 0))
	case w.Why == "density":
		return fmt.Sprintf("the density ahead is %.4g people/m²", w.Density)
	case w.Why == "oncoming":
		return fmt.Sprintf("agent %d comes toward it", w.Other)
	}
	return "nobody slows it"
}
