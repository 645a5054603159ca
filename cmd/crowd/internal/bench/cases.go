package bench

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
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

type benchCase struct {
	name   string
	sizes  []int
	others []string // contenders other than crowd
	files  []string // of the scene
	open   func(by string, agents, workers int) (*subject, error)
	memory func(agents int) uint64 // of a crowd, in bytes, roughly
}

// findCase returns the case with the given name, and logs a scene's warnings. The case has the sizes in
// asked. If asked is empty, files, and scenes whose agents have fixed places, have their own size, and other
// cases have the default sizes.
func findCase(ctx context.Context, name string, asked, sizes []int, e *cli.Console) (benchCase, error) {
	if len(asked) > 0 {
		sizes = asked
	}
	isScene := slices.Contains(scene.Names(), name)
	if w, err := benchmarks.ByName(name); err == nil && !isScene {
		return benchCase{name: name, sizes: sizes, others: benchmarks.Contenders()[1:], open: openWorkload(w), memory: workloadMemory}, nil
	}
	if _, err := os.Stat(name); err != nil && !isScene && !strings.ContainsAny(name, `.\`) {
		names := scene.Names()
		for _, w := range benchmarks.Workloads() {
			names = append(names, w.Name)
		}
		hint := suggest.DidYouMean(name, names)
		if hint != "" {
			hint = ", " + hint
		}
		return benchCase{}, fmt.Errorf("unknown scene, workload or file %q%s (crowd scene lists scenes, crowd bench --help lists workloads)", name, hint)
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

// fixedPlaces reports whether agents start in rows, on a ring or in a grid, where more agents would overlap.
func fixedPlaces(s *scene.Scene) bool {
	return slices.ContainsFunc(s.Groups, func(g scene.Group) bool {
		return g.At.Ring != nil || g.At.Grid != nil || g.At.Rows != r2.Box{}
	})
}

// WorkloadNames returns the names of the workloads that are not scenes, wrapped for help texts.
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

type subject struct {
	cycle int          // steps between resets
	reset func() error // resets the crowd to its start; the first call builds it
	step  func() error
	input func() string // hash of the crowd at the start, or ""; call it after reset
	close func()        // frees the crowd if it was built
}

func hex(sum hash.Hash64) string { return fmt.Sprintf("%016x", sum.Sum64()) }

var errStopped = errors.New("interrupted") // the session stopped during a sample

func parseSizes(texts []string) ([]int, error) {
	var sizes []int
	for _, text := range texts {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || x != float64(int(x)) || x < 1 || x > world.MaxAgents {
			return nil, fmt.Errorf("--agents contains %q, want whole numbers from 1 to %d, such as 1000,1e6", text, world.MaxAgents)
		}
		if !slices.Contains(sizes, int(x)) {
			sizes = append(sizes, int(x))
		}
	}
	return sizes, nil
}

// maxWorkers catches typos.
const maxWorkers = 1024

// workerCounts returns the sorted, distinct numbers of workers, by default 1 and the number of processors.
func workerCounts(asked []int) ([]int, error) {
	for _, n := range asked {
		if n < 1 || n > maxWorkers {
			return nil, fmt.Errorf("--workers contains %d, want 1 to %d", n, maxWorkers)
		}
	}
	counts := slices.Clone(asked)
	if len(counts) == 0 {
		counts = []int{1, runtime.GOMAXPROCS(0)}
	}
	slices.Sort(counts)
	return slices.Compact(counts), nil
}

func workloadMemory(agents int) uint64 { return 500 * uint64(agents) }

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

func runnerSum(r benchmarks.Runner) string {
	sum := fnv.New64a()
	positions, velocities := r.State()
	for i, p := range positions {
		_ = binary.Write(sum, binary.LittleEndian, []float64{p.X, p.Y, velocities[i].X, velocities[i].Y})
	}
	return hex(sum)
}

// sceneMemory returns a function that resizes s and returns the memory of s in bytes.
func sceneMemory(s *scene.Scene) func(int) uint64 {
	return func(agents int) uint64 {
		if agents != s.Agents() {
			s.Resize(agents)
		}
		return s.Memory(scene.Options{})
	}
}

// openScene returns a function that opens a crowd. A reset rebuilds the world, because agents may have left.
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
			runtime.GC() // makes a collection during the timed steps unlikely
			return nil
		}
		return sub, nil
	}
}

func stopped(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errStopped
	}
	return err
}

// sceneSum returns the hash of a scene, or "" if the scene cannot be written as TOML.
func sceneSum(s *scene.Scene) string {
	sum := fnv.New64a()
	if err := s.WriteTOML(sum); err != nil {
		return ""
	}
	return hex(sum)
}
