package steerbench

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// Kind is the kind of a goal.
type Kind int

// The goals of SteerBench. SteerSuite's own agents know SeekTarget and
// SeekRegion alone.
const (
	SeekTarget Kind = iota // go to Target
	FleeTarget             // get away from Target
	SeekMoving             // go after an agent
	FleeMoving             // get away from an agent
	Flow                   // go in a direction
	FlowMoving             // go the way an agent goes, or without a name the way one began
	Idle                   // stay about where one is
	Group                  // in a file alone: SeekMoving, SeekRegion or SeekTarget, whichever it has what for
	SeekRegion             // go anywhere into Region
)

// kindNames are the elements, by kind.
var kindNames = [...]string{
	SeekTarget: "seekStaticTarget",
	FleeTarget: "fleeStaticTarget",
	SeekMoving: "seekDynamicTarget",
	FleeMoving: "fleeDynamicTarget",
	Flow:       "flowStaticDirection",
	FlowMoving: "flowDynamicDirection",
	Idle:       "idle",
	Group:      "groupTarget",
	SeekRegion: "seekAxisAlignedBoxRegion",
}

// Goal is one goal of an agent: it is left when reached, or after Duration.
// What its kind does not need may be set all the same, as in the file.
type Goal struct {
	Kind      Kind
	Target    r2.Vec  // m; for SeekRegion the point to head for, which may lie outside Region
	Region    r2.Box  // m; of SeekRegion
	Direction r2.Vec  // of Flow; any length, also 0
	Name      string  // of the agent that SeekMoving, FleeMoving and FlowMoving mean
	Agent     int     // its index in Placement.Agents; −1 when there is none, and before Place
	Random    bool    // the target, the direction or the agent is left to chance; false after Place
	Duration  float64 // s, above 0; +Inf means no limit
	Speed     float64 // m/s, desired, at least 0
}

// endless is a duration, in seconds, above which a file means none: recorded
// test cases hold 3.14e33. They also hold 0, and SteerSuite itself never gives
// up a goal, so that means none as well.
const endless = 1e9

// goals reads a sequence of goals.
func (r *reader) goals(t textio.Tag) (goals []Goal, err error) {
	err = r.Element(t, nil, func(c textio.Tag) error {
		g, err := r.goal(c)
		goals = append(goals, g)
		return err
	})
	return goals, err
}

func (r *reader) goal(t textio.Tag) (Goal, error) {
	g := Goal{Kind: Kind(slices.Index(kindNames[:], t.Name)), Agent: -1, Duration: math.Inf(1), Speed: DefaultSpeed}
	randomTarget, randomDirection, random := false, false, false
	seen, err := r.fields(t, func(c textio.Tag) (err error) {
		switch c.Name {
		case "targetLocation":
			g.Target, randomTarget, err = r.point(c)
		case "targetDirection":
			g.Direction, randomDirection, err = r.point(c)
		case "targetName":
			g.Name, err = r.Text(c)
		case "goalRegionBounds":
			g.Region, err = r.box(c)
		case "random":
			random, err = r.boolean(c)
		case "desiredSpeed":
			err = r.number(&g.Speed, c, textio.NotNegative, "a speed of at least 0")
		case "timeDuration":
			err = r.duration(&g.Duration, c)
		}
		return err
	})
	if err != nil {
		return g, err
	}
	needs := ""
	if g.Kind == Group {
		g.Kind, needs = groupKind(seen), "targetName> or <targetLocation> or <goalRegionBounds"
	}
	switch g.Kind {
	case SeekTarget, FleeTarget:
		g.Random = random || randomTarget
		needs = "targetLocation"
	case SeekMoving, FleeMoving, FlowMoving:
		g.Random = random && g.Kind != FlowMoving
		if g.Kind != FlowMoving {
			needs = "targetName"
		}
		if !g.Random && seen["targetName"] {
			r.names = append(r.names, mention{g.Name, t.Line})
		}
	case Flow:
		g.Random = random || randomDirection
		needs = "targetDirection"
	case SeekRegion:
		needs = r.region(&g, seen, randomTarget)
	}
	if needs != "" && !seen[needs] && !g.Random {
		return g, r.Fail(t.Line, "<%s> without <%s>: want one", t.Name, needs)
	}
	return g, nil
}

// groupKind returns what a goal of a group comes to.
func groupKind(seen map[string]bool) Kind {
	switch {
	case seen["targetName"]:
		return SeekMoving
	case seen["goalRegionBounds"]:
		return SeekRegion
	case seen["targetLocation"]:
		return SeekTarget
	}
	return Group
}

// region settles a goal region and the point to head for: each stands in for
// the other where the file gives one alone. It returns what the goal needs.
func (r *reader) region(g *Goal, seen map[string]bool, randomTarget bool) string {
	switch hasTarget := seen["targetLocation"] && !randomTarget; {
	case !hasTarget:
		g.Target = r2.Scale(0.5, r2.Add(g.Region.Min, g.Region.Max))
	case !seen["goalRegionBounds"]:
		g.Region = r2.Box{Min: g.Target, Max: g.Target}
		return ""
	}
	return "goalRegionBounds"
}

// duration reads a time limit; recorded test cases hold what is none.
func (r *reader) duration(dst *float64, t textio.Tag) error {
	err := r.number(dst, t, textio.NotNegative, "a time of at least 0")
	if *dst == 0 || *dst >= endless {
		*dst = math.Inf(1)
	}
	return err
}
