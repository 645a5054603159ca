package scene

import (
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// hall returns the text of a scene with a hall of 20 m × 10 m and the given group.
func hall(group string) string {
	return "dt = 0.1\nbox = [[0, 0], [20, 10]]\nobstacles.walls = [{from = [0, 0], to = [20, 0]}, {from = [0, 10], to = [20, 10]}]\n[[groups]]\n" + group
}

func built(t testing.TB, s *Scene) *world.World {
	t.Helper()
	return builtWith(t, s, Options{Workers: 1})
}

func builtWith(t testing.TB, s *Scene, o Options) *world.World {
	t.Helper()
	w, err := s.Build(o)
	noError(t, err)
	if o.Workers != 1 { // a world with one worker has nothing to close, and the garbage collector may have it
		t.Cleanup(w.Close)
	}
	return w
}

func init() { debug.SetGCPercent(400) } // saves an eighth of the time of the tests

func loaded(t testing.TB, name string) *Scene {
	t.Helper()
	s, err := Named(name)
	noError(t, err)
	return s
}

func after(t *testing.T, w *world.World, n int) int {
	t.Helper()
	steps(t, w, n)
	all := 0
	agents(w, func(uint64, r2.Vec, r2.Vec, r2.Vec) { all++ })
	return all
}

func TestSource(t *testing.T) {
	for _, test := range []struct {
		name, group string
		agents      int
		there       map[int]int // number of agents, by the number of steps of 0.1 s
	}{
		{"every second", "max-speed = 1\nsource = {every = 1, until = 5}", 6, map[int]int{0: 1, 9: 1, 10: 2, 49: 5, 60: 6}},
		{"five at a time", "max-speed = 1\nsource = {from = 2, every = 2, until = 4.5, at-once = 5}", 10, map[int]int{0: 0, 19: 0, 20: 5, 40: 10, 60: 10}},
		{"as many as there are", "count = 7\nmax-speed = 1\nsource = {every = 1, at-once = 5}", 7, map[int]int{0: 5, 10: 7, 20: 7}},
		{"a schedule", "max-speed = 1\nsource = {schedule = [{at = 0, count = 3}, {at = 1, count = 0}, {at = 1, count = 4}]}", 7, map[int]int{0: 3, 9: 3, 10: 7, 20: 7}},
		{"a list of intervals", "max-speed = 1\nsource = {every = [1, 2], until = 4}", 4, map[int]int{0: 1, 10: 2, 29: 2, 30: 3, 40: 4}},
		{"no room", "count = 5\nradius = 0.3\nmax-speed = 0\nat = [5, 5]\nsource = {every = 0.1}", 5, map[int]int{0: 1, 50: 1}},
		{"room again", "count = 5\nradius = 0.29\nmax-speed = 1\nvelocity = [1, 0]\nat = [5, 5]\nsource = {every = 0.1}", 5, map[int]int{0: 1, 5: 1, 6: 2, 12: 3, 24: 5}},
		{"in a wall", "count = 1\nradius = 0.3\nmax-speed = 1\nat = [5, 0.2]\nsource = {every = 1}", 1, map[int]int{0: 0, 30: 0}},
		{"none", "max-speed = 1\nsource = {schedule = [{at = 3, count = 0}]}\n[[groups]]\nmax-speed = 1", 1, map[int]int{0: 1, 40: 1}},
	} {
		s := mustRead(t, hall(test.group))
		testkit.Equal(t, s.Agents(), test.agents, "%s: agents", test.name)
		w := built(t, s)
		for step := range 70 {
			if want, asked := test.there[step]; asked {
				testkit.Equal(t, after(t, w, 0), want, "%s: after %d steps", test.name, step)
			}
			after(t, w, 1)
		}
	}
	s := mustRead(t, hall("count = 10\nmax-speed = 1\nsource = {every = 1, until = 2}"))
	refused(t, failure(s.Build(Options{Workers: 1})), "groups[0].count is 10, but its source makes only 3", "too few times")
}

func TestSourceAmongOthers(t *testing.T) {
	text := hall("name = \"there\"\ncount = 40\nradius = 0.25\nmax-speed = 1\ntarget = {}\nseek = {}\norca = {time-horizon = 1, time-horizon-obst = 1, neighbor-dist = 3}\n" +
		"[[groups]]\nname = \"coming\"\ncount = 60\nradius = {uniform = [0.2, 0.3]}\nmax-speed = [1, 2, 3]\ndelay = {exponential = 1}\nat = {rectangle = [[0, 0], [5, 10]]}\n" +
		"target = {}\nseek = {}\norca = {time-horizon = 1, time-horizon-obst = 1, neighbor-dist = 3}\nsource = {every = {exponential = 0.05}, at-once = 2}\n" +
		"[[groups]]\ncount = 5\nmax-speed = 1")
	var first uint64
	for _, workers := range []int{1, 3} {
		s := mustRead(t, text)
		w := builtWith(t, s, Options{Workers: workers, Safety: true})
		testkit.Equal(t, after(t, w, 60), 105, "agents")
		seen := map[uint64]bool{}
		agents(w, func(id uint64, _, _, _ r2.Vec) {
			if seen[id] || id < 1 || id > 105 {
				t.Errorf("got=agent %d, want=each of 1 to 105 once", id)
			}
			seen[id] = true
			if id > 40 && id <= 100 {
				testkit.Equal(t, part[c.FreeSpeed](w, id).Speed, float64(1+(id-41)%3), "agent %d", id)
			}
		})
		testkit.Equal(t, w.NextID(), 106, "next ID")
		if hash := w.Hash(); first == 0 {
			first = hash
		} else if hash != first {
			t.Errorf("hash with %d workers: got=%016x, want=%016x", workers, hash, first)
		}
	}
}

func TestSourceOfExponentialTimes(t *testing.T) {
	s := mustRead(t, hall("count = 5000\nmax-speed = 1\nsource = {every = {exponential = 0.5}}"))
	all := slices.Collect(s.Groups[0].Source.batches(s.Seed, 1, 5000))
	testkit.Near(t, all[len(all)-1].Time/4999, 0.5, 0.02, "mean interval")
}

func TestResizeOfSource(t *testing.T) {
	for _, source := range []string{"{every = 1, until = 9}", "{schedule = [{at = 0, count = 4}, {at = 5, count = 6}]}"} {
		for _, n := range []int{3, 10, 37} {
			s := mustRead(t, hall("max-speed = 1\nsource = "+source))
			s.Resize(n)
			w := built(t, s)
			testkit.Equal(t, after(t, w, 100), n, "%s", source)
		}
	}
}

func TestReseed(t *testing.T) {
	const group = "max-speed = 1\nsource = {every = {exponential = 0.5}, from = 2, until = 30}\n"
	text := hall(group + "[[groups]]\n" + group + "[[groups]]\ncount = 5\n" + group)
	for seed := range uint64(10) {
		want := mustRead(t, fmt.Sprint("seed = ", seed, "\n", text))
		s := reread(t, mustRead(t, text))
		s.Reseed(seed)
		testkit.Equal(t, asFile(s), asFile(want), "seed %d: scene", seed)
		testkit.Equal(t, built(t, s).NextID(), uint64(s.Agents()+1), "seed %d: next ID", seed)
		s.Resize(2 * s.Agents())
		s.Reseed(seed + 10)
		testkit.Equal(t, after(t, built(t, s), 0), 0, "seed %d, other number of agents: agents at the start", seed)
		testkit.Equal(t, s.Agents(), 2*want.Agents(), "seed %d, other number of agents: agents", seed)
	}
}

func TestDelay(t *testing.T) {
	s := mustRead(t, hall("at = {points = [[1, 2], [1, 4], [1, 6]]}\nmax-speed = 2\ntarget = {points = [[19, 2], [19, 4], [19, 6]]}\nkinematic-seek = {}\ndelay = [0, 1, 2.5]"))
	w := built(t, s)
	after(t, w, 30)
	for i, want := range []float64{7, 5, 2} {
		testkit.Near(t, part[c.Position](w, uint64(i+1)).X, want, 1e-9, "x of agent %d", i+1)
	}
}

func TestExits(t *testing.T) {
	const weights = "{box = [[0, 4], [2, 6]], weight = 0.2}, {box = [[9, 0], [11, 1]], weight = 0}, {box = [[18, 4], [20, 6]], weight = 0.8}"
	const nearest = "{box = [[0, 4], [2, 6]]}, {box = [[18, 4], [20, 6]]}"
	for _, test := range []struct {
		way, exits  string
		x0, x1      float64 // of starting places
		least, most int     // agents of 500 at the first exit
		fields      int
	}{
		{"straight", weights, 8, 12, 75, 125, 0},
		{"route", weights, 8, 12, 75, 125, 0},
		{"field", weights, 8, 12, 75, 125, 3},
		{"straight", nearest, 5, 9, 175, 325, 0},
		{"field", nearest, 5, 9, 500, 500, 1},
		{"quickest", nearest, 5, 9, 500, 500, 1},
	} {
		s := reread(t, mustRead(t, hall("count = 500\nmax-speed = 2\ngoal = {radius = 1, then = \"stay\"}\nkinematic-seek = {}\n"+
			fmt.Sprintf("at = {rectangle = [[%v, 2], [%v, 8]]}\nway = %q\ntarget = {exits = [%s]}", test.x0, test.x1, test.way, test.exits))))
		w := built(t, s)
		testkit.Equal(t, len(*ecs.GetResource[sense.FlowFields](w.ECS)), test.fields, "%+v: fields", test)
		testkit.Equal(t, s.FlowFields(), test.fields, "%+v: fields of the scene", test)
		after(t, w, 80)
		left := 0
		agents(w, func(_ uint64, at, _, _ r2.Vec) {
			exit := r2.NewBox(18, 4, 20, 6)
			if at.X < 10 {
				left++
				exit = r2.NewBox(0, 4, 2, 6)
			}
			if away := vec.Norm(vec.Sub(at, vec.Clamp(at, exit))); away > 1 {
				t.Errorf("%+v: got=an agent at %v, want=within 1 m of %v", test, at, exit)
			}
		})
		if left < test.least || left > test.most {
			t.Errorf("%+v: got=%d of 500 at the first exit", test, left)
		}
	}
}

func TestTuneRadiusOfExits(t *testing.T) {
	s := mustRead(t, hall("count = 20\nradius = 0.2\nmax-speed = 2\nat = {rectangle = [[8, 2], [12, 8]]}\nway = \"field\"\nkinematic-seek = {}\n"+
		"target = {exits = [{box = [[0, 4], [2, 6]], weight = 1}, {box = [[18, 4], [20, 6]], weight = 1}]}"))
	w := built(t, s)
	noError(t, s.Tune(w, "groups[0].radius", 0.4))
	for i, f := range *ecs.GetResource[sense.FlowFields](w.ECS) {
		if f.Radius < 0.4 {
			t.Errorf("field %d: got=radius %v m, want=0.4 m or more", i, f.Radius)
		}
	}
	one := s.Clone()
	one.Groups[0].Target.Exits = one.Groups[0].Target.Exits[:1]
	if got, want := s.Memory(Options{})-one.Memory(Options{}), uint64(s.cells(&s.Groups[0])); got < want {
		t.Errorf("memory of another exit: got=%d bytes, want=%d or more", got, want)
	}
}

func TestSpeedByAge(t *testing.T) {
	for _, test := range []struct{ age, want float64 }{{0, 1.62}, {20, 1.62}, {25, 1.58}, {30, 1.54}, {60, 1.27}, {65, 1.17}, {70, 1.07}, {99, 1.07}} {
		testkit.Near(t, speedAtAge(test.age), test.want, 1e-12, "%v years", test.age)
	}
	s := mustRead(t, hall("count = 100\nmax-speed = {age = {uniform = [30, 70]}}"))
	if v := s.Groups[0].MaxSpeed; v.least() != 1.07 || v.Most() != 1.54 || math.Abs(v.mean()-1.41) > 1e-9 {
		t.Errorf("got=%v to %v, mean %v, want=1.07 to 1.54, mean 1.41", v.least(), v.Most(), v.mean())
	}
	testkit.Equal(t, reread(t, s).Groups[0].MaxSpeed.ByAge, true, "written and read back: by age")
}
