package bench

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/benchmarks"
	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// benchCase is a scene or a workload, at the sizes at which it is measured.
type benchCase struct {
	name   string
	sizes  []int
	others []string // that do it beside crowd
	files  []string // that it is read from
	open   func(by string, agents, workers int) (*subject, error)
	memory func(agents int) uint64 // bytes that a crowd needs, about
}

// findCase returns the built-in scene, the workload or the file with a name. It is
// measured at the sizes asked for, if any, otherwise at those given, but a file, and
// a scene whose places are made for a number of agents, as they are.
func findCase(ctx context.Context, name string, asked, sizes []int, e *cli.Console) (benchCase, error) {
	if len(asked) > 0 {
		sizes = asked
	}
	isScene := slices.Contains(scene.Names(), name)
	if w, err := benchmarks.ByName(name); err == nil && !isScene {
		return benchCase{name: name, sizes: sizes, others: benchmarks.Contenders()[1:], open: openWorkload(w), memory: workloadMemory}, nil
	}
	if _, err := os.Stat(name); err != nil && !isScene && !strings.ContainsAny(name, `.\`) {
		hint := suggest.DidYouMean(name, caseNames())
		if hint != "" {
			hint = ", " + hint
		}
		return benchCase{}, fmt.Errorf("no scene, workload or file is named %q%s (crowd scene lists the scenes, crowd bench --help the workloads)", name, hint)
	}
	s, err := scene.Open(name, scene.OpenOptions{Context: ctx})
	if err != nil {
		return benchCase{}, cli.While(ctx, err, "reading "+name)
	}
	for _, warning := range s.Warnings {
		e.Log.Warn(warning)
	}
	if len(asked) == 0 && (!isScene || fixedPlaces(s)) {
		sizes = []int{s.Agents()}
	}
	return benchCase{name: filepath.ToSlash(name), sizes: sizes, files: s.Files, open: openScene(ctx, name), memory: sceneMemory(s)}, nil
}

// fixedPlaces reports whether agents of a scene stand in rows, on a ring or in a
// grid, where more of them would stand in one another.
func fixedPlaces(s *scene.Scene) bool {
	return slices.ContainsFunc(s.Groups, func(g scene.Group) bool {
		return g.At.Ring != nil || g.At.Grid != nil || g.At.Rows != r2.Box{}
	})
}

// caseNames returns the names of all scenes and workloads.
func caseNames() []string {
	names := scene.Names()
	for _, w := range benchmarks.Workloads() {
		if !slices.Contains(names, w.Name) {
			names = append(names, w.Name)
		}
	}
	return names
}

// WorkloadNames returns the names of the workloads that are no scenes, in lines of
// a help text.
func WorkloadNames() string {
	var b strings.Builder
	column := 0
	for _, w := range benchmarks.Workloads() {
		if w.Scene != "" {
			continue
		}
		switch {
		case b.Len() == 0:
		case column+len(w.Name) > 66:
			b.WriteString(",\n")
			column = 0
		default:
			b.WriteString(", ")
		}
		b.WriteString(w.Name)
		column += len(w.Name) + 2
	}
	return b.String()
}

// subject is one crowd that is measured.
type subject struct {
	cycle int           // steps after which the state is set back
	reset func() error  // sets the state back to the start; the first time, makes it
	step  func() error  // does one step
	input func() string // a sum over what the crowd is at the start; after reset
	close func()        // ends it, whether or not it was made
}

func hex(sum hash.Hash64) string { return fmt.Sprintf("%016x", sum.Sum64()) }

// errStopped ends a sample that is no longer waited for.
var errStopped = errors.New("interrupted")

// parseSizes reads numbers of agents, each once.
func parseSizes(texts []string) ([]int, error) {
	var sizes []int
	for _, text := range texts {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || x != float64(int(x)) || x < 1 || x > world.MaxAgents {
			return nil, fmt.Errorf("--agents has %q, want whole numbers from 1 to %d, such as 1000,1e6", text, world.MaxAgents)
		}
		if !slices.Contains(sizes, int(x)) {
			sizes = append(sizes, int(x))
		}
	}
	return sizes, nil
}

// maxWorkers bounds what a slip of the finger can ask for.
const maxWorkers = 1024

// workerCounts returns the numbers of workers to measure, in order and each once.
func workerCounts(asked []int) ([]int, error) {
	for _, n := range asked {
		if n < 1 || n > maxWorkers {
			return nil, fmt.Errorf("--workers has %d, want 1 to %d", n, maxWorkers)
		}
	}
	counts := slices.Clone(asked)
	if len(counts) == 0 {
		counts = []int{1, runtime.GOMAXPROCS(0)}
	}
	slices.Sort(counts)
	return slices.Compact(counts), nil
}

// workloadMemory returns about how many bytes a workload needs.
func workloadMemory(agents int) uint64 { return 500 * uint64(agents) }

// openWorkload opens crowds of a workload.
func openWorkload(w benchmarks.Workload) func(string, int, int) (*subject, error) {
	return func(by string, agents, workers int) (*subject, error) {
		var r benchmarks.Runner
		return &subject{
			cycle: benchmarks.Cycle(agents),
			reset: func() (err error) {
				if r != nil {
					r.Reset()
					return nil
				}
				r, err = w.Start(by, agents, workers)
				return err
			},
			step:  func() error { r.Step(); return nil },
			input: func() string { return runnerSum(r) },
			close: func() {
				if r != nil {
					r.Close()
				}
			},
		}, nil
	}
}

// runnerSum returns a sum over where the agents are and go.
func runnerSum(r benchmarks.Runner) string {
	sum := fnv.New64a()
	positions, velocities := r.State()
	var row [32]byte
	for i, p := range positions {
		for k, x := range []float64{p.X, p.Y, velocities[i].X, velocities[i].Y} {
			binary.LittleEndian.PutUint64(row[8*k:], math.Float64bits(x))
		}
		_, _ = sum.Write(row[:])
	}
	return hex(sum)
}

// sceneMemory returns what tells how many bytes a scene needs.
func sceneMemory(s *scene.Scene) func(int) uint64 {
	return func(agents int) uint64 {
		if agents != s.Agents() {
			s.Resize(agents)
		}
		return s.Memory(scene.Options{})
	}
}

// openScene opens crowds of a scene. Its state is set back by making it anew,
// because agents may have left it.
func openScene(ctx context.Context, name string) func(string, int, int) (*subject, error) {
	return func(_ string, agents, workers int) (*subject, error) {
		s, err := scene.Open(name, scene.OpenOptions{Context: ctx})
		if err != nil {
			return nil, stopped(ctx, err)
		}
		if agents != s.Agents() {
			s.Resize(agents)
		}
		var w *world.World
		disarm := func() bool { return true }
		sub := &subject{cycle: max(1, s.Steps), input: func() string { return sceneSum(s) }}
		sub.step = func() error { return stopped(ctx, w.Step()) }
		sub.close = func() {
			if disarm(); w != nil {
				w.Close()
			}
			w = nil
		}
		sub.reset = func() (err error) {
			sub.close()
			if w, err = s.Build(scene.Options{Workers: workers, Context: ctx}); err != nil {
				return stopped(ctx, err)
			}
			disarm = context.AfterFunc(ctx, w.Interrupt)
			runtime.GC() // now, and not while steps are timed
			return nil
		}
		return sub, nil
	}
}

// stopped returns errStopped in place of an error that came with the end of the
// context.
func stopped(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errStopped
	}
	return err
}

// sceneSum returns a sum over all that a scene says.
func sceneSum(s *scene.Scene) string {
	sum := fnv.New64a()
	if err := s.WriteTOML(sum); err != nil {
		return ""
	}
	return hex(sum)
}
