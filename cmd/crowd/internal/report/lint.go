package report

import (
	"context"
	"fmt"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/world/scene"
)

// mostFindings bounds what Lint finds in a scene.
const mostFindings = 5

// LintReach returns which agents of a scene can't arrive from where they start: one line for each group
// and reason, as those of scene.Lint. The note says why it could not look, if so.
func LintReach(ctx context.Context, s *scene.Scene) (found []string, note string, err error) {
	if !worthLooking(s) {
		return nil, "", nil
	}
	options := scene.Options{Workers: 1, Context: ctx}
	if err := new(cli.MemoryFlag).Admit(s, options, 0); err != nil {
		return nil, "not looked who can't arrive: " + err.Error(), nil
	}
	w, err := s.Build(options)
	if ctx.Err() != nil {
		return nil, "", cli.While(ctx, ctx.Err(), "looking who can't arrive")
	}
	if err != nil {
		return nil, "not looked who can't arrive: " + err.Error(), nil
	}
	defer w.Close()
	a := Reach(ctx, s, w)
	kinds := StuckKinds(a.Stuck, true)
	for i, k := range kinds {
		if i == mostFindings {
			rest := 0
			for _, k := range kinds[i:] {
				rest += k.Count
			}
			found = append(found, fmt.Sprintf("%s more can't arrive, for these reasons or in other groups", cli.Plural(rest, "agent")))
			break
		}
		found = append(found, a.line(s, &k))
	}
	return found, "", cli.While(ctx, ctx.Err(), "looking who can't arrive")
}

// line says which agents of a group can't arrive.
func (a *Reachability) line(s *scene.Scene, k *StuckKind) string {
	label := fmt.Sprintf("groups[%d]", k.Group)
	if name := s.Groups[k.Group].Name; name != "" {
		label += fmt.Sprintf(" (%s)", name)
	}
	late, asked := a.Late[k.Group], a.Asked[k.Group]
	who := fmt.Sprintf("agent %d can't arrive", k.First.ID)
	switch n := cli.Thousands(k.Count); {
	case asked < late:
		who = fmt.Sprintf("%s of %s that were looked at, of %s, can't arrive, such as agent %d", n, cli.Thousands(asked), cli.Plural(late, "agent"), k.First.ID)
	case late > 1:
		who = fmt.Sprintf("%s of %s can't arrive, such as agent %d", n, cli.Plural(late, "agent"), k.First.ID)
	}
	return fmt.Sprintf("%s: %s: %s; make room on the way, or move the start or the target", label, who, k.First.Reason)
}

// worthLooking reports whether obstacles may keep anybody from arriving.
func worthLooking(s *scene.Scene) bool {
	o := &s.Obstacles
	if len(o.Circles)+len(o.Walls)+len(o.Polygons)+len(o.Boxes)+len(o.Doors)+len(o.Random) == 0 && o.Pillars == nil {
		return false
	}
	for i := range s.Groups {
		if s.Groups[i].GoesToPlaces() {
			return true
		}
	}
	return false
}
