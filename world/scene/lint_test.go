package scene

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestLint(t *testing.T) {
	const (
		group   = "box = [[0, 0], [40, 30]]\n[[groups]]\nmax-speed = 2\ntarget = [20, 15]\n"
		vehicle = group + "drive = {speed = 4, top-speed = 4}\nturn-towards = {rate = 1}\n"
	)
	for _, tc := range []struct{ text, want string }{
		{group + "seek = {}", ""},
		{group, "groups[0]: nothing moves the agents: give them a behavior such as seek, or a start-speed"},
		{group + "count = 0\n[[groups]]\nmax-speed = 1\nstart-speed = 1", ""},
		{strings.Replace(group, "= 2\n", "= 0\n", 1) + "seek = {}", "groups[0]: max-speed is 0, so agents never move"},
		{group + "seek = {}\nmax-force = 0", "groups[0]: max-force is 0, so no behavior can steer the agents; leave max-force out for no limit"},
		{group + "damped-arrival = {slowing-radius = 2}", "groups[0]: opposing-arrival and damped-arrival turn a velocity but never create one: an agent at rest stays at rest; add a start-speed"},
		{group + "opposing-arrival = {slowing-radius = 5}\nstart-speed = 1",
			"groups[0]: opposing-arrival stops short of the target and stays there: max-speed is 2 m/s, but crossing the slowing-radius of 5 m requires 2.5 m/s; lower slowing-radius"},
		{group + "opposing-arrival = {slowing-radius = 3}\nstart-speed = 1", ""},
		{group + "arrival = {slowing-radius = 4}", ""},
		{group + "arrival = {slowing-radius = 1}",
			"groups[0]: arrival overshoots its target: slowing-radius is 1 m, gain 2 kg/s, mass 1 kg, max-speed 2 m/s and dt 0.01667 s; raise slowing-radius to 3.933 m, or raise gain"},
		{"dt = 1\n" + group + "arrival = {gain = 1, slowing-radius = 1}",
			"groups[0]: arrival never comes to rest: slowing-radius is 1 m, gain 1 kg/s, mass 1 kg, max-speed 2 m/s and dt 1 s; raise slowing-radius to 2 m"},
		{group + "arrival = {gain = 0, slowing-radius = 1}", ""},
		{group + "arrival = {slowing-radius = 4}\nmax-force = 0.5", "groups[0]: arrival needs 1 N to slow down within the slowing-radius of 4 m, but max-force is 0.5 N; raise slowing-radius or max-force"},
		{group + "seek = {}\ngoal = {radius = 0.5}", `groups[0]: agents do not stop at their goal, but pass it and come back again and again; use arrival, or goal.then = "leave"`},
		{group + "seek = {}\ngoal = {radius = 0.5, then = \"leave\"}", ""},
		{group + "seek = {}\ngoal = {radius = 0.01, then = \"leave\"}", "groups[0]: goal.radius is 0.01 m, and a step of 0.03333 m can cross it; raise it to 0.01667 m, or lower dt"},
		{group + "smooth-arrival = {min = 1, max = 3}\ngoal = {radius = 1}", "groups[0]: smooth-arrival stops 1 m from the target, so agents never get within goal.radius, 1 m; raise goal.radius above 1 m"},
		{group + "smooth-arrival = {min = 1, max = 3}\ngoal = {radius = 1.5}", ""},
		{"paths = [[[1, 1], [2, 2]]]\n" + group + "seek = {}\npath = {reached = 0}",
			"groups[0]: path.reached is 0 m, so agents never go on to the next waypoint; raise it above half the length of a step, 0.01667 m\n" +
				"groups[0]: target is not used, because path sets it in every step; leave one of them out"},
		{group + "seek = {}\nway = \"field\"\nfield-cell = 0.5", ""},
		{group + "seek = {}\nway = \"route\"\nfield-cell = 0.5", `groups[0]: field-cell is not used, because way is neither "field" nor "quickest"; leave it out`},
		{vehicle + "goal = {radius = 4.5}", ""},
		{vehicle + "goal = {radius = 3}",
			"groups[0]: agents can circle their target forever: at 4 m/s and turn-towards.rate 1 rad/s, the turning radius is 4 m, but goal.radius is 3 m; raise the rate or goal.radius, or lower drive.speed"},
		{vehicle + "goal = {radius = 2.5}\nsmooth-arrival = {min = 2, max = 5}", ""},
		{vehicle + "goal = {radius = 2.5}\nsmooth-arrival = {min = 2, max = 3}",
			"groups[0]: agents can circle their target forever: at 2.646 m/s and turn-towards.rate 1 rad/s, the turning radius is 2.646 m, but goal.radius is 2.5 m; raise the rate or goal.radius, or lower drive.speed"},
		{group + "seek = {}\nthreat-scan = {look-ahead = 0}\navoidance = {max-force = 1}",
			"groups[0]: threat-scan.look-ahead is 0 m, less than a step of 0.03333 m, so obstacles are seen too late; raise it"},
		{group + "seek = {}\nthreat-scan = {look-ahead = 3}", "groups[0]: threat-scan finds obstacles, but nothing avoids them; add avoidance"},
		{"scan = \"probes\"\nobstacles.circles = [{at = [9, 9], radius = 20}]\n" + group + "seek = {}\nthreat-scan = {look-ahead = 100}\navoidance = {max-force = 1}",
			`groups[0]: probes 50 m apart can miss a circle of radius 20 m between them; lower look-ahead to 80 m, or use scan = "exact"`},
		{"scan = \"probes\"\nobstacles.circles = [{at = [9, 9], radius = 25}]\n" + group + "seek = {}\nthreat-scan = {look-ahead = 100}\navoidance = {max-force = 1}", ""},
		{"bounds = \"faithful-bounce\"\n" + group + "seek = {}\nat = [-5, 1]",
			"groups[0]: an agent starts at [-5, 1], outside the box, where faithful-bounce turns it around in every step; start inside, or use bounce"},
		{"bounds = \"clamp\"\n" + strings.Replace(group, "[20, 15]", "[50, 15]", 1) + "seek = {}",
			"groups[0]: the target [50, 15] is outside the box, where agents cannot go; enlarge the box, or leave out bounds"},
		{"bounds = \"clamp\"\n" + strings.Replace(group, "[20, 15]", "{rectangle = [[50, 15], [51, 16]]}", 1) + "seek = {}",
			"groups[0]: the target [[50, 15], [51, 16]] is outside the box, where agents cannot go; enlarge the box, or leave out bounds"},
		{group + "seek = {}\nsolid = {}", "groups[0]: solid agents have no radius, so solid acts only on their centers; add radius"},
		{group + "seek = {}\nradius = 0.2\nsolid = {push = 0}", ""},
		{group + "wander = {distance = 2, radius = 1, rate = 1}", ""},
		{group + "separation = {neighbor-dist = 0}", "groups[0]: separation.neighbor-dist is 0 m, so agents see no other agent; raise it"},
		{group + "cohesion = {neighbor-dist = 2}\nlayers = {on = [1], sees = [0]}", "groups[0]: no agent is on any layer of layers.sees, so agents see no other agents; correct layers.sees or layers.on"},
		{group + "unaligned-collision-avoidance = {horizon = 10, neighbor-dist = 1}", "groups[0]: unaligned-collision-avoidance.neighbor-dist is 1 m, but two agents that approach each other at max-speed are still 40 m apart 10 s (the horizon) before they meet; raise neighbor-dist, or lower horizon"},
		{group + "wander = {distance = 2, radius = 0, rate = 1}", "groups[0]: wander.radius is 0 m, so agents go straight ahead; raise it to about wander.distance"},
		{group + "wander = {distance = 0, radius = 2, rate = 1}", "groups[0]: wander.distance is 0 m, so agents aim backward half of the time; raise it to about wander.radius"},
		{group + "wander = {distance = 2, radius = 2, rate = 80}", "groups[0]: wander.rate is 80/s, more than one new point in a step of 0.01667 s; lower it"},
		{group + "name = \"a\"\nquarry = \"a\"\npursuit = {horizon = 2}", ""},
		{group + "name = \"a\"\nquarry = \"a\"\nseek = {}", "groups[0] (a): quarry is not used; add pursuit or offset-pursuit"},
		{group + "name = \"a\"\npursuer = \"a\"\nseek = {}", "groups[0] (a): pursuer is not used; add evasion"},
		{group + "seek = {}\ncontainment = {gain = 4, horizon = 0.5}",
			"groups[0]: containment reacts too late and swings beyond the edge: horizon is 0.5 s, gain 4 kg/s, mass 1 kg and dt 0.01667 s; raise horizon to 0.9664 s, or raise gain"},
		{"faithful-walls = true\n" + group + "seek = {}\ncontainment = {gain = 4, horizon = 0.5}", ""},
		{group + "seek = {}\nmax-force = 1\ncontainment = {gain = 4, horizon = 1}", "groups[0]: containment needs 2 N to stop within the horizon of 1 s, but max-force is 1 N; raise horizon or max-force"},
		{"[[groups]]\nat = [0, 0]\nmax-speed = 2\ntarget = [20, 15]\nseek = {}\ncontainment = {gain = 4, horizon = 1}", "groups[0]: containment has nothing to keep agents in: there is neither a box nor an obstacle; add one, or leave out containment"},
		{"dt = 0.02\n" + group + "social-force-2000 = {}\n[[groups]]\nmax-speed = 2\ntarget = [1, 1]\nsocial-force-2000 = {}",
			"dt is 0.02 s, longer than 0.01 s, the longest step for which social-force-2000 follows its source; lower dt"},
		{"dt = 0.01\n" + group + "social-force-2000 = {}", ""},
		{"dt = 0.02\n" + group + "seek = {}\n[[groups]]\ncount = 0\nmax-speed = 2\ntarget = [1, 1]\nsocial-force-2000 = {}", ""},
		{group + "wall-following = {horizon = 1, offset = 1, range = 5}", "groups[0]: wall-following has no obstacle to follow; add one, or leave out wall-following"},
		{"obstacles.circles = [{at = [9, 9], radius = 20}]\n" + group + "wall-following = {horizon = 1, offset = 1, range = 5}", ""},
		{"obstacles.doors = [{from = [9, 9], to = [9, 9]}, {from = [9, 9], to = [9, 9], radius = 1}]\n" + group + "seek = {}", "obstacles.doors[0]: from and to are both [9, 9], so the door closes no gap; move one of them"},
		{"obstacles.doors = [{from = [41, 9], to = [41, 11]}, {from = [40, 9], to = [41, 9]}]\n" + group + "seek = {}", "obstacles.doors[0]: the door from [41, 9] to [41, 11] is outside the box; move it, or enlarge the box"},
		{"obstacles.doors = [{from = [9, 9], to = [9, 11]}]\n" + group + "wall-following = {horizon = 1, offset = 1, range = 5}", ""},
		{"obstacles.circles = [{at = [9, 9], radius = 20}]\n" + group + "wall-following = {horizon = 1, offset = 5, range = 1}",
			"groups[0]: wall-following.range is 1 m, less than the offset of 5 m, so agents lose the wall; raise range"},
	} {
		testkit.Equal(t, strings.Join(mustRead(t, tc.text).Lint(), "\n"), tc.want, "%s", tc.text)
	}
}

// One deliberate fault is described by a note.
func TestLintBuiltin(t *testing.T) {
	for _, name := range Names() {
		s := loaded(t, name)
		if got := s.Lint(); len(got) != 0 && !(name == "arrival" && len(got) == 1 && strings.Contains(s.Notes[0], "slowing radius is below")) {
			t.Errorf("%s: got=%q, want=no warnings", name, got)
		}
	}
}

// Arrivals overshoot below the limit of slowing-radius, but not just above it.
func TestArrivalOvershoot(t *testing.T) {
	for _, tc := range []struct{ mass, speed, gain, dt float64 }{
		{20, 3, 1, 1}, {1, 2, 2, 1. / 60}, {1, 2, 30, 1. / 60}, {1, 3, 0.9, 1}, {70, 1.4, 140, 0.05},
	} {
		tau := tc.gain * tc.dt / tc.mass
		root := 1 - math.Sqrt(1-tau)
		limit := tc.speed * tc.dt * tau / (root * root)
		for _, share := range []float64{0.8, 1.001} {
			text := fmt.Sprintf("dt = %v\n[[groups]]\nat = [0, 0]\ntarget = [%v, 0]\nmass = %v\nmax-speed = %v\narrival = {gain = %v, slowing-radius = %v}\n",
				tc.dt, 2*limit, tc.mass, tc.speed, tc.gain, share*limit)
			s := mustRead(t, text)
			w := built(t, s)
			farthest := 0.
			for range int(20 * limit / tc.speed / tc.dt) {
				noError(t, w.Step())
				agents(w, func(_ uint64, p, _, _ r2.Vec) { farthest = max(farthest, p.X) })
			}
			passes := farthest > 2*limit*(1+1e-9)
			if warns := len(s.Lint()) > 0; passes != (share < 1) || warns != (share < 1) {
				t.Errorf("%+v, slowing-radius %v·%v m: got=farthest at %v of the distance, warnings %q, want=overshoot and a warning only below the limit", tc, share, limit, farthest/(2*limit), s.Lint())
			}
		}
	}
}

func TestLintOpenings(t *testing.T) {
	group := "[[groups]]\nat = [-4, 0]\nmax-speed = 1\nseek = {}\ntarget = [5, 0]\ngoal = {radius = 1, then = \"leave\"}\nradius = {uniform = [0.18, 0.23]}\n"
	for _, tc := range []struct{ name, obstacles, want string }{
		{"walls", "walls = [{from = [0, -5], to = [0, -0.3], radius = 0.1}, {from = [0, 0.3], to = [0, 5], radius = 0.1}]", "at [0, 0] is 0.4 m wide, and bodies are up to 0.46 m"},
		{"boxes", "boxes = [{box = [[0, -5], [0.2, -0.2]]}, {box = [[0, 0.2], [0.2, 5]]}]", "is 0.4 m wide"},
		{"polygons", "polygons = [[[0, -5], [1, -5], [1, -0.2]], [[1, 0.2], [1, 5], [0, 5]]]", "at [1, 0] is 0.4 m wide"},
		{"a wide door", "walls = [{from = [0, -5], to = [0, -0.4], radius = 0.1}, {from = [0, 0.4], to = [0, 5], radius = 0.1}]", ""},
		{"too narrow for all", "walls = [{from = [0, -5], to = [0, -0.2], radius = 0.1}, {from = [0, 0.2], to = [0, 5], radius = 0.1}]", ""},
		{"walls that meet", "walls = [{from = [0, -5], to = [0, 0]}, {from = [0, 0], to = [5, 0]}]", ""},
		{"one behind the other", "walls = [{from = [0, -5], to = [0, -0.2]}, {from = [0, 0.2], to = [0, 5]}, {from = [-1, 0], to = [1, 0]}]", ""},
	} {
		got := strings.Join(mustRead(t, "[obstacles]\n"+tc.obstacles+"\n"+group).Lint(), "\n")
		if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
			t.Errorf("%s: got=%q, want=a warning that contains %q (none if empty)", tc.name, got, tc.want)
		}
	}
}
