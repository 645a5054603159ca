package steerbench

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// Kind is the kind of a goal.
type Kind int

// The kinds of goals in SteerBench. SteerSuite's own agents know only SeekTarget and SeekRegion.
const (
	SeekTarget Kind = iota // go to Target
	FleeTarget             // get away from Target
	SeekMoving             // follow an agent
	FleeMoving             // get away from an agent
	Flow                   // go in a direction
	FlowMoving             // go the same way as another agent; without Name, in the initial direction
	Idle                   // stay nearby
	Group                  // only in files: SeekMoving, SeekRegion or SeekTarget, depending on its fields
	SeekRegion             // go to any point of Region
)

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

// Goal is one goal of an agent. It ends when the agent arrives, or after Duration. Fields that the kind
// does not need may be set.
type Goal struct {
	Kind      Kind
	Target    r2.Vec  // m; for SeekRegion, the point to head for, perhaps outside Region
	Region    r2.Box  // m, for SeekRegion
	Direction r2.Vec  // for Flow; of any length, including 0
	Name      string  // of the other agent, if any
	Agent     int     // index of that agent in Placement.Agents; -1 means none, or not yet placed
	Random    bool    // the target, direction or agent is random; false after Place
	Duration  float64 // s, above 0; +Inf means no limit
	Speed     float64 // m/s, desired
}

// endless is the minimum duration, in seconds, that counts as no limit: recorded test cases contain
// 3.14e33. A duration of 0 also counts as no limit, because agents of SteerSuite never give up on a goal.
const endless = 1e9

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
			err = r.number(&g.Speed, c, textio.NotNegative("a speed of at least 0"))
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

// region derives a goal region from the point to head for, or that point from the region. It returns the
// name of the element that the goal needs, or "".
func (r *reader) region(g *Goal, seen map[string]bool, randomTarget bool) string {
	switch hasTarget := seen["targetLocation"] && !randomTarget; {
	case !hasTarget:
		g.Target = g.Region.Center()
	case !seen["goalRegionBounds"]:
		g.Region = r2.Box{Min: g.Target, Max: g.Target}
		return ""
	}
	return "goalRegionBounds"
}

func (r *reader) duration(dst *float64, t textio.Tag) error {
	err := r.number(dst, t, textio.NotNegative("a time of at least 0"))
	if *dst == 0 || *dst >= endless {
		*dst = math.Inf(1)
	}
	return err
}
