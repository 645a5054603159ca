package explain

import (
	"fmt"
	"math"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/angle"
	"github.com/8f878440/crowd/world"
)

// mostNamed is how many neighbors are listed by their ids.
const mostNamed = 12

// writeLooks writes which neighbors the agent sees.
func writeLooks(row cli.Row, x *world.Explanation) {
	for i := range x.Looks {
		l := &x.Looks[i]
		field := ""
		if l.View > 0 && l.View < 2*math.Pi {
			field = fmt.Sprintf(", in %.4g ° about %s °", angle.Degrees(l.View), degreesText(l.Facing))
		}
		row(cli.NameIf(i == 0, "neighbors"), "%s minds %d within %.4g m%s%s", l.Behavior, len(l.Seen), l.Reach, field, idsText(l))
	}
}

// writeChoice writes how ORCA chooses the agent's velocity.
func writeChoice(row cli.Row, x *world.Explanation) {
	r := x.Reciprocal
	if r == nil {
		return
	}
	answer := "which is in all of them"
	if !r.Feasible {
		answer = "which violates those of other agents least: nothing is in all of them"
	}
	row("choice", "prefers %s m/s; %d half-planes of others and walls, chooses %s m/s, %s",
		placeText(r.Preferred), len(r.HalfPlanes), placeText(r.Chosen), answer)
}

// idsText lists who is seen.
func idsText(l *world.Look) string {
	var b strings.Builder
	for i := range l.Seen {
		switch {
		case i == mostNamed:
			return b.String() + ", …"
		case i == 0:
			b.WriteString(": ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, l.Seen[i].ID)
	}
	return b.String()
}
