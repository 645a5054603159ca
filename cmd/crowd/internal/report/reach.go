package report

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	maxChecked = 1000            // agents to check
	patience   = 5 * time.Second // for checking
)

// Stuck is an agent that cannot arrive.
type Stuck struct {
	ID     uint64
	Group  int    // index in the scene
	Name   string // of the group
	Reason string
}

// Reachability says which agents cannot arrive.
type Reachability struct {
	Late  []int   // for each group: number of agents that have not arrived, excluding those that Reach skips
	Asked []int   // for each group: how many of these were checked
	Stuck []Stuck // checked agents that cannot arrive, ordered by ID
}

// Reach finds agents that cannot arrive. It checks at most 1,000 of those that have not arrived, spread
// evenly over their IDs, for at most 5 s. While Reach runs, the doors of w that will open later are open. It
// skips groups for which scene.Group.GoesToPlaces is false, agents inside an obstacle or with a shared
// crowded goal, and worlds with periodic edges, or with neither obstacles nor bounds. If ctx is done, Reach
// returns what it has found so far.
func Reach(ctx context.Context, s *scene.Scene, w *world.World) Reachability {
	a := Reachability{Late: make([]int, len(s.Groups)), Asked: make([]int, len(s.Groups))}
	if w.Obstacles.Len() == 0 && w.Obstacles.Bounds == (r2.Box{}) || s.Bounds == systems.BoundsWrap {
		return a
	}
	defer OpenDoors(w)()
	late := lateOf(s, w)
	for _, x := range late {
		a.Late[x.group]++
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	n, fields := min(len(late), maxChecked), fieldsOf(w)
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		x := late[i*len(late)/n]
		a.Asked[x.group]++
		if fields.lead(x.entity) {
			continue
		}
		if reason := w.Inspect().CannotArrive(x.entity); reason != "" {
			a.Stuck = append(a.Stuck, Stuck{x.id, x.group, s.Groups[x.group].Name, reason})
		}
	}
	return a
}

type lateAgent struct {
	entity ecs.Entity
	id     uint64
	group  int
}

// lateOf returns the agents that have not arrived and that Reach does not skip, ordered by ID.
func lateOf(s *scene.Scene, w *world.World) (late []lateAgent) {
	goes := make([]bool, len(s.Groups))
	for i := range s.Groups {
		goes[i] = s.Groups[i].GoesToPlaces()
	}
	if !slices.Contains(goes, true) {
		return nil
	}
	firsts := s.FirstIDs()
	crowds := crowdsOf(w)
	goal, pos := ecs.ComponentID[c.Goal](w.ECS), ecs.ComponentID[c.Position](w.ECS)
	f := ecs.All(goal, pos)
	for q := w.ECS.Query(&f); q.Next(); {
		id := w.ID(q.Entity())
		group := sort.Search(len(firsts), func(i int) bool { return firsts[i] > id }) - 1
		if group < 0 || !goes[group] || (*c.Goal)(q.Get(goal)).Visits > 0 {
			continue
		}
		if crowds[q.Entity()] {
			continue
		}
		if _, inside := w.Obstacles.Inside((*c.Position)(q.Get(pos)).Vec); !inside {
			late = append(late, lateAgent{q.Entity(), id, group})
		}
	}
	slices.SortFunc(late, func(a, b lateAgent) int { return cmp.Compare(a.id, b.id) })
	return late
}

// crowdsOf returns the agents that share a crowded goal. Such agents may arrive where they are.
func crowdsOf(w *world.World) map[ecs.Entity]bool {
	crowded, target, dest := ecs.ComponentID[c.CrowdedGoal](w.ECS), ecs.ComponentID[c.Target](w.ECS), ecs.ComponentID[c.Destination](w.ECS)
	shared := map[r2.Vec][]ecs.Entity{}
	f := ecs.All(crowded, target).Without(ecs.ComponentID[c.Itinerary](w.ECS), ecs.ComponentID[c.FlowField](w.ECS))
	for q := w.ECS.Query(&f); q.Next(); {
		to := (*c.Target)(q.Get(target)).Vec
		if q.Has(dest) {
			to = (*c.Destination)(q.Get(dest)).Vec
		}
		if x := (*c.CrowdedGoal)(q.Get(crowded)); x.Nearest > 0 { // the goal is known; the target may have moved
			to = x.Goal
		}
		shared[to] = append(shared[to], q.Entity())
	}
	crowds := map[ecs.Entity]bool{}
	for _, all := range shared {
		if len(all) > 1 {
			for _, e := range all {
				crowds[e] = true
			}
		}
	}
	return crowds
}

// fields holds the flow fields of a world. Looking at a cell is cheaper than searching for a path.
type fields struct {
	world *world.World
	of    generic.Map[c.FlowField]
	at    generic.Map[c.Position]
	body  generic.Map[c.Radius]
	grids map[uint32]sense.FieldGrid
}

func fieldsOf(w *world.World) *fields {
	return &fields{
		w, generic.NewMap[c.FlowField](w.ECS), generic.NewMap[c.Position](w.ECS), generic.NewMap[c.Radius](w.ECS),
		map[uint32]sense.FieldGrid{},
	}
}

// lead reports whether the agent's field has a distance at the agent's cell, or at an adjacent cell whose
// center the agent can reach in a straight line: cells next to a wall have no distance.
func (f *fields) lead(e ecs.Entity) bool {
	if !f.of.Has(e) {
		return false
	}
	index := f.of.Get(e).Index
	g, known := f.grids[index]
	if !known {
		g, _ = f.world.Inspect().FieldGrid(index)
		f.grids[index] = g
	}
	if g.Cell <= 0 {
		return false
	}
	at := f.at.Get(e).Vec
	near := func(at, low float64, n int) int { // clamped, because there are no obstacles outside the grid
		return int(min(max(math.Floor((at-low)/g.Cell), 0), float64(n-1)))
	}
	column, row := near(at.X, g.Min.X, g.Columns), near(at.Y, g.Min.Y, g.Rows)
	has := func(column, row int) bool {
		return column >= 0 && row >= 0 && column < g.Columns && row < g.Rows && g.Distances[row*g.Columns+column] <= math.MaxFloat32
	}
	if has(column, row) {
		return true
	}
	for i := range 9 {
		column, row := column+i%3-1, row+i/3-1
		middle := r2.Vec{X: g.Min.X + (float64(column)+0.5)*g.Cell, Y: g.Min.Y + (float64(row)+0.5)*g.Cell}
		if has(column, row) && f.free(e, at, middle) {
			return true
		}
	}
	return false
}

func (f *fields) free(e ecs.Entity, from, to r2.Vec) bool {
	way, radius := r2.Sub(to, from), 0.
	if f.body.Has(e) {
		radius = f.body.Get(e).Meters
	}
	length := r2.Norm(way)
	if length == 0 {
		return true
	}
	_, hit := f.world.Obstacles.Sweep(from, r2.Scale(1/length, way), length, radius)
	return !hit
}

// OpenDoors opens all closed doors whose schedule opens them now or later. The returned function closes them.
func OpenDoors(w *world.World) (shut func()) {
	var opened []ecs.Entity
	w.Inspect().EachObstacle(func(o world.ObstacleShape) {
		if o.Door != nil && !o.Door.Open && opensLater(o.Door, w.Clock.Time, w.Config().Dt) {
			opened = append(opened, o.Entity)
		}
	})
	set := func(open bool) {
		for _, e := range opened {
			_ = w.SetDoor(e, open) // fails only for entities that are not doors
		}
		w.Obstacles.Sense(w.ECS)
	}
	if len(opened) == 0 {
		return func() {}
	}
	set(true)
	return func() { set(false) }
}

// opensLater reports whether the schedule of a door opens it now or later; see systems.Doors.
func opensLater(d *c.Door, now, dt float64) bool {
	return d.Opens != d.Closes && (d.Period > 0 || d.Opens >= now-float64(dt/2))
}

// stuckKind is a set of agents whose reasons differ at most in numbers.
type stuckKind struct {
	Group int // of the first agent
	Count int
	First Stuck
}

var number = regexp.MustCompile(`-?[0-9][0-9.e+-]*`)

// stuckKinds groups agents by reason and, if byGroup is true, by group, in the order of their first agents.
func stuckKinds(all []Stuck, byGroup bool) (kinds []stuckKind) {
	at := map[string]int{}
	for _, x := range all {
		key := number.ReplaceAllString(x.Reason, "#")
		if byGroup {
			key = fmt.Sprint(x.Group, key)
		}
		i, known := at[key]
		if !known {
			i, at[key] = len(kinds), len(kinds)
			kinds = append(kinds, stuckKind{Group: x.Group, First: x})
		}
		kinds[i].Count++
	}
	return kinds
}

// StuckReasons returns at most three reasons, each with an example agent and the number of other agents.
func StuckReasons(all []Stuck) (reasons []string) {
	for _, k := range stuckKinds(all, false) {
		if len(reasons) < 3 {
			who := fmt.Sprintf("agent %d", k.First.ID)
			if k.First.Name != "" {
				who += " (" + k.First.Name + ")"
			}
			if k.Count > 1 {
				who += fmt.Sprintf(" and %d more", k.Count-1)
			}
			reasons = append(reasons, who+": "+k.First.Reason)
		}
	}
	return reasons
}

const mostFindings = 5 // the rest share one line

// LintReach finds the agents of a scene that cannot arrive from their start positions. It returns one line
// per group and reason, at most five, and one line for the rest. The note says why a scene could not be
// checked. LintReach returns an error only if ctx is done.
func LintReach(ctx context.Context, s *scene.Scene) (found []string, note string, err error) {
	if !worthLooking(s) {
		return nil, "", nil
	}
	options := scene.Options{Workers: 1, Context: ctx}
	if err := new(cli.MemoryFlag).Admit(s, options, 0); err != nil {
		return nil, "did not check which agents can't arrive: " + err.Error(), nil
	}
	w, err := s.Build(options)
	if ctx.Err() != nil {
		return nil, "", cli.While(ctx, ctx.Err(), "checking which agents can't arrive")
	}
	if err != nil {
		return nil, "did not check which agents can't arrive: " + err.Error(), nil
	}
	defer w.Close()
	a := Reach(ctx, s, w)
	kinds := stuckKinds(a.Stuck, true)
	for i, k := range kinds {
		if i == mostFindings {
			rest := 0
			for _, k := range kinds[i:] {
				rest += k.Count
			}
			found = append(found, fmt.Sprintf("%s can't arrive, for other reasons or in other groups", cli.Plural(rest, "more agent")))
			break
		}
		found = append(found, a.line(s, &k))
	}
	return found, "", cli.While(ctx, ctx.Err(), "checking which agents can't arrive")
}

func (a *Reachability) line(s *scene.Scene, k *stuckKind) string {
	label := fmt.Sprintf("groups[%d]", k.Group)
	if name := s.Groups[k.Group].Name; name != "" {
		label += fmt.Sprintf(" (%s)", name)
	}
	late, asked := a.Late[k.Group], a.Asked[k.Group]
	who := fmt.Sprintf("agent %d can't arrive", k.First.ID)
	switch n := cli.Thousands(k.Count); {
	case asked < late:
		who = fmt.Sprintf("%s of the %s checked (of %s in total) can't arrive, for example agent %d", n, cli.Thousands(asked), cli.Plural(late, "agent"), k.First.ID)
	case late > 1:
		who = fmt.Sprintf("%s of %s can't arrive, for example agent %d", n, cli.Plural(late, "agent"), k.First.ID)
	}
	return fmt.Sprintf("%s: %s: %s; clear the way, or move the start or the target", label, who, k.First.Reason)
}

// worthLooking reports whether a scene has groups to check, and obstacles or bounds that hold agents.
func worthLooking(s *scene.Scene) bool {
	o := &s.Obstacles
	held := s.Bounds == systems.BoundsClamp || s.Bounds == systems.BoundsBounce
	if !held && len(o.Circles)+len(o.Walls)+len(o.Polygons)+len(o.Boxes)+len(o.Doors)+len(o.Random) == 0 && o.Pillars == nil {
		return false
	}
	return slices.ContainsFunc(s.Groups, func(g scene.Group) bool { return g.GoesToPlaces() })
}

// Stuck stores the result of Reach in the report.
func (r *Report) Stuck(a Reachability) {
	n, asked := len(a.Stuck), 0
	for _, k := range a.Asked {
		asked += k
	}
	r.CannotArrive, r.CannotArriveAsked, r.Reasons = &n, &asked, StuckReasons(a.Stuck)
}

func (r *Report) writeStuck(t *cli.Table) {
	if r.CannotArrive == nil || *r.CannotArrive == 0 {
		return
	}
	of := "the " + cli.Thousands(r.TimedOut) + " that have not arrived"
	if *r.CannotArriveAsked < r.TimedOut {
		of = cli.Thousands(*r.CannotArriveAsked) + " checked agents that have not arrived"
	}
	t.RowIn(cli.Warning, "", "%s of %s can't arrive, for example:", cli.Thousands(*r.CannotArrive), of)
	for _, reason := range r.Reasons {
		t.RowIn(cli.Warning, "", "%s", reason)
	}
}
