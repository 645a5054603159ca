package scene

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
)

var full = flag.Bool("full", false, "also run the tests of large crowds, for .ci/full")

const (
	goldenFile  = "testdata/golden.tsv"
	goldenSteps = 300
	smallCrowd  = 100
)

const goldenHead = `# What the built-in scenes, two flocks, and jams by models of pedestrians do in their first
# 300 steps, or all if they have fewer: the trace hash of reports. It is the same on every
# processor, for every number of workers. A value changes only in a commit that says which
# rule changed, and why:
# go test ./world/scene -run Golden -full -update
`

// jamBy begins the names of scenes with a model.
const jamBy = "jam by "

func TestGolden(t *testing.T) {
	t.Parallel()
	want := readGolden(t)
	var file strings.Builder
	file.WriteString(goldenHead)
	names := append(Names(), "flock", "two-flocks")
	for _, m := range []Model{ModelSocialForce1995, ModelSocialForce2000, ModelCollisionFreeSpeed, ModelAnticipationVelocity} {
		names = append(names, jamBy+string(m))
	}
	for _, name := range names {
		s := goldenScene(t, name)
		sizes := []int{s.Agents()}
		if s.Agents() > smallCrowd {
			sizes = []int{smallCrowd, s.Agents()}
		}
		for _, agents := range sizes {
			key := fmt.Sprintf("%s\t%d", name, agents)
			if agents > smallCrowd && !*full {
				continue
			}
			got := traceOf(t, name, agents)
			fmt.Fprintf(&file, "%s\t%s\n", key, got)
			if !*update && got != want[key] {
				t.Errorf("%s: got=%s, want=%s", key, got, want[key])
			}
		}
	}
	if *update {
		if !*full {
			t.Fatal("some values are missing: want -full")
		}
		noError(t, os.WriteFile(goldenFile, []byte(file.String()), 0o666))
	}
}

// jam returns two crowds face to face between walls, with a pillar in the middle of one.
func jam() *Scene {
	return &Scene{
		Name: "jam", Seed: 1, Dt: 0.01, Steps: 100, Box: box(-5, -2.5, 5, 2.5),
		Groups: []Group{
			people("east", 30, box(-4, -2, -0.2, 2), through(box(4, -2, 5, 2))),
			people("west", 30, box(0.2, -2, 4, 2), through(box(-5, -2, -4, 2))),
		},
		Obstacles: Obstacles{
			Walls: slices.Concat(wall(xy(-5, -2.5), xy(5, -2.5)), wall(xy(-5, 2.5), xy(5, 2.5))),
			Boxes: []Box{{Box: box(-2.2, -0.3, -1.8, 0.3)}},
		},
	}
}

// goldenScene returns a built-in scene, or one for a case that no built-in scene has: sums over all
// neighbors without lists of them, in one flock and in two, and a jam by a model.
func goldenScene(t *testing.T, name string) *Scene {
	if m, ok := strings.CutPrefix(name, jamBy); ok {
		s := jam()
		noError(t, s.SetModel(Model(m)))
		return s
	}
	flock := func(name string, agents int, distance float64) Group {
		return Group{
			Name: name, Count: agents, Speed: 8, MaxSpeed: Same(10), MaxForce: Same(30),
			Behaviors: []any{
				c.Separation{Gain: 3, NeighborDist: distance}, c.Alignment{Gain: 4, NeighborDist: distance}, c.Cohesion{Gain: 2.5, NeighborDist: distance},
			},
		}
	}
	s := &Scene{Name: name, Seed: 1, Dt: 1. / 30, Steps: 900, Box: box(0, 0, 80, 80), Bounds: systems.BoundsWrap}
	switch name {
	case "flock":
		s.Groups = []Group{flock("birds", 2000, 4)}
	case "two-flocks":
		s.Groups = []Group{flock("birds", 1000, 4), flock("finches", 1000, 3)}
	default:
		return loaded(t, name)
	}
	return s
}

func traceOf(t *testing.T, name string, agents int) string {
	s := goldenScene(t, name)
	if agents != s.Agents() {
		s.Resize(agents)
	}
	w, err := s.Build(Options{})
	noError(t, err)
	defer w.Close()
	var trace hash.Trace
	trace.Add(w.Hash())
	for step := 1; step <= min(goldenSteps, s.Steps); step++ {
		noError(t, w.Step())
		if step%hash.TraceEvery == 0 {
			trace.Add(w.Hash())
		}
	}
	return fmt.Sprintf("%016x", trace.Sum())
}

func readGolden(t *testing.T) map[string]string {
	data, err := os.ReadFile(goldenFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	values := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if row := strings.Split(strings.TrimSpace(line), "\t"); len(row) == 3 && !strings.HasPrefix(line, "#") {
			values[row[0]+"\t"+row[1]] = row[2]
		}
	}
	return values
}

// shrunk is shrink, but with -full, scenes with many fields keep all groups.
func shrunk(s *Scene, agents int) {
	if !*full {
		shrink(s, agents)
	}
	s.Resize(min(s.Agents(), agents))
}

func TestResume(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			for _, steps := range []int{1, 25} {
				resumed(t, name, steps)
			}
		})
	}
}

func resumed(t *testing.T, name string, n int) {
	s := loaded(t, name)
	shrunk(s, 60)
	w := builtWith(t, s, Options{Workers: 1, Safety: true})
	steps(t, w, n)
	file := saved(t, w)
	again, err := s.Resume(Options{Workers: 3, Safety: true}, bytes.NewReader(file))
	noError(t, err)
	defer again.Close()
	if got := saved(t, again); !bytes.Equal(got, file) {
		t.Fatalf("after %d steps: got=another file from the resumed world, want=the same file", n)
	}
	for k := range 30 {
		if got, want := steps(t, again, 1), steps(t, w, 1); got != want {
			t.Fatalf("%d steps after %d: hash: got=%016x, want=%016x", k+1, n, got, want)
		}
	}
	if !bytes.Equal(saved(t, again), saved(t, w)) {
		t.Errorf("30 steps after %d: got=another file from the resumed world, want=the same file", n)
	}
	got, want := again.Stats(), w.Stats()
	got.Frame, got.StepTime = want.Frame, want.StepTime
	if !reflect.DeepEqual(got, want) {
		t.Errorf("after %d steps: stats: got=%+v, want=%+v", n, got, want)
	}
	s.Seed++
	refused(t, failure(s.Resume(Options{}, bytes.NewReader(file))), "Config.Seed was", "another seed")
}

func saved(t *testing.T, w *world.World) []byte {
	t.Helper()
	var file bytes.Buffer
	noError(t, w.Save(&file))
	return file.Bytes()
}

func TestPause(t *testing.T) {
	t.Parallel()
	for _, name := range append(Names(), "two-flocks", jamBy+string(ModelSocialForce2000)) {
		build := func() *world.World {
			s := goldenScene(t, name)
			shrunk(s, 20)
			return built(t, s)
		}
		counted := func(w *world.World) string {
			s := w.Stats()
			return fmt.Sprint(w.Clock.Time, w.Clock.Tick, s.Steps, s.Arrived, s.Trips, s.ObstacleCollisions)
		}
		plain, paused := build(), build()
		for n := range 10 {
			if n%8 == 0 {
				before, count, dt := slices.Collect(paused.Inspect().States()), counted(paused), paused.Clock.Dt
				paused.Clock.Dt = 0
				steps(t, paused, 2)
				if fmt.Sprint(slices.Collect(paused.Inspect().States())) != fmt.Sprint(before) || counted(paused) != count {
					t.Errorf("%s: two steps of length 0 after %d steps: got=a changed state, want=the same state", name, n)
				}
				paused.Clock.Dt = dt
			}
			if got, want := steps(t, paused, 1), steps(t, plain, 1); got != want {
				t.Fatalf("%s: after step %d, with pauses: hash: got=%016x, want=%016x", name, n+1, got, want)
			}
		}
		testkit.Equal(t, counted(paused), counted(plain), "%s: with pauses", name)
	}
}
