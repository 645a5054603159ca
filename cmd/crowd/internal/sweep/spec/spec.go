// Package spec reads the spec of a sweep. Points are computed from their indexes, so a million points take no
// memory.
package spec

import (
	"context"
	"fmt"
	"io"
	"math/bits"
	"path/filepath"
	"slices"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	maxBytes  = 256 << 10 // of the file
	maxRuns   = 1_000_000_000
	maxScenes = 1000
	maxAreas  = 1000
	maxSeeds  = 1_000_000
	maxAxes   = 32
	maxValues = 10_000 // per axis
	maxTries  = 100
)

// Spec describes the runs of a sweep.
type Spec struct {
	Name   string // file name, for messages
	Text   []byte // content of the file
	Scenes []Scene
	Seeds  []uint64 // nil means 1 to SeedCount()
	Axes   []Axis   // in the order of the file
	Design Design
	Run    Run
	Limits Limits
	Files  []engine.File // of the scenes

	seedCount int
	root      string // folder of the files
}

// Scene is a scene of a sweep.
type Scene struct {
	Name string
	File string // name in Spec.Files; empty for a built-in scene
}

// Design selects the combinations of values in each scene.
type Design struct {
	Kind   Kind
	Points int64  // per scene, except in grids
	Seed   uint64 // not for grids
}

// Kind is a kind of design.
type Kind string

const (
	Grid   Kind = "grid"
	Halton Kind = "halton"          // evenly spread points, also in every prefix
	Latin  Kind = "latin-hypercube" // n points, one in each of n equal parts of every axis
)

// Run sets the length and measurements of runs. If Steps and Time are 0, the scene sets the length.
type Run struct {
	Steps  int
	Time   time.Duration // simulated
	Safety bool          // count collisions
	Lines  []measure.MeasurementLine
	Areas  []r2.Box
}

// Limits are the limits of one run.
type Limits struct {
	Time   time.Duration // wall-clock
	Memory uint64        // bytes; 0 means the memory of the machine
	Tries  int           // failed tries after which a run is given up
}

const (
	defaultTime  = 10 * time.Minute
	defaultTries = 3
)

// Runs returns the number of runs.
func (s *Spec) Runs() int64 { return s.Points() * int64(s.SeedCount()) }

// Points returns the number of points in all scenes. Each point runs with every seed.
func (s *Spec) Points() int64 { return int64(len(s.Scenes)) * s.pointsOfScene() }

// SeedCount returns the number of seeds.
func (s *Spec) SeedCount() int {
	if s.Seeds != nil {
		return len(s.Seeds)
	}
	return s.seedCount
}

func (s *Spec) seed(i int64) uint64 {
	if s.Seeds != nil {
		return s.Seeds[i]
	}
	return uint64(i) + 1
}

func (s *Spec) pointsOfScene() int64 {
	if s.Design.Kind != Grid {
		return s.Design.Points
	}
	n := int64(1)
	for i := range s.Axes {
		n *= int64(s.Axes[i].count())
	}
	return n
}

// AxisNames returns the names of the axis columns, the scene first.
func (s *Spec) AxisNames() []string {
	names := []string{"scene"}
	for i := range s.Axes {
		names = append(names, s.Axes[i].Name)
	}
	return names
}

// Point holds the parameters of one run.
type Point struct {
	Index  int64
	Scene  int // index in Spec.Scenes
	Values []Value
	Seed   uint64
}

// Point returns the parameters of a run, or an error if there is no such run. Seeds change fastest, and
// scenes slowest.
func (s *Spec) Point(index int64) (Point, error) {
	if index < 0 || index >= s.Runs() {
		return Point{}, fmt.Errorf("run %d does not exist, want 0 to %d", index, s.Runs()-1)
	}
	seeds, points := int64(s.SeedCount()), s.pointsOfScene()
	at := index / seeds
	p := Point{Index: index, Scene: int(at / points), Values: make([]Value, len(s.Axes)), Seed: s.seed(index % seeds)}
	s.values(p.Values, at%points)
	return p, nil
}

func (s *Spec) values(to []Value, i int64) {
	switch s.Design.Kind {
	case Halton:
		for k := range to {
			to[k] = s.Axes[k].part(radicalInverse(s.Design.Seed, k, uint64(i)))
		}
	case Latin:
		for k := range to {
			to[k] = s.Axes[k].part(latin(s.Design.Seed, k, uint64(i), uint64(s.Design.Points)))
		}
	default: // the last axis changes fastest
		for k := len(to) - 1; k >= 0; k-- {
			n := int64(s.Axes[k].count())
			to[k] = s.Axes[k].at(int(i % n))
			i /= n
		}
	}
}

// primes are the bases of the Halton sequence.
var primes = [maxAxes]uint64{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131}

// radicalInverse returns coordinate k, in [0, 1), of point i of the Halton sequence. The seed scrambles each
// digit: d becomes a·d + c modulo the base, with different a and c for each digit place. Unscrambled, the
// first points would lie on lines for axes with large bases.
//
// Source: Halton 1960; Matoušek 1998, "On the L2-discrepancy for anchored boxes".
func radicalInverse(seed uint64, k int, i uint64) float64 {
	base := primes[k]
	place, whole := uint64(1), uint64(0)
	for n := uint64(0); place <= (1<<53)/base; n++ {
		draw := hash.Mix(hash.Mix(seed+uint64(k)<<32) + n)
		digit := ((1+draw>>32%(base-1))*(i%base) + draw&(1<<32-1)%base) % base
		i /= base
		place *= base
		whole = whole*base + digit
	}
	return min(float64(whole)/float64(place), 1-1./(1<<53))
}

// latin returns coordinate k, in [0, 1), of point i of a Latin hypercube of n points: a random place in part
// π(i) of n equal parts, where the permutation π depends on seed and k.
//
// Source: McKay, Beckman, Conover 1979.
func latin(seed uint64, k int, i, n uint64) float64 {
	key := hash.Mix(seed + uint64(k)<<32)
	within := hash.Float(hash.Mix(hash.Mix(key) + i))
	return min((float64(permuted(key, i, n))+within)/float64(n), 1-1./(1<<53))
}

// permuted returns the image of i in a permutation of 0 to n-1, without a table. It repeats a Feistel
// network, which permutes the numbers below a power of 4, until the result is below n.
//
// Source: Black, Rogaway 2002, "Ciphers with arbitrary finite domains".
func permuted(key, i, n uint64) uint64 {
	const rounds = 6
	half := (bits.Len64(n-1) + 1) / 2
	mask := uint64(1)<<half - 1
	for {
		left, right := i>>half, i&mask
		for r := range uint64(rounds) {
			left, right = right, left^hash.Mix(key+right<<8+r)&mask
		}
		if i = left<<half | right; i < n {
			return i
		}
	}
}

// Read reads a spec and checks that its scenes accept the models and numbers of all axes. It does not try
// numbers of agents or values within ranges. Paths are relative to the spec.
//
// The error has a line for each of the first 20 faults, with the file name, line and column.
func Read(ctx context.Context, name string) (*Spec, error) {
	text, err := readText(name)
	if err != nil {
		return nil, err
	}
	s, r, err := parse(text, name)
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(s.Scenes))
	for i := range s.Scenes {
		if name := s.Scenes[i].Name; !slices.Contains(scene.Names(), name) {
			paths[i] = name
			if !filepath.IsAbs(name) {
				paths[i] = filepath.Join(filepath.Dir(s.Name), filepath.FromSlash(name))
			}
		}
	}
	files := s.check(ctx, r, paths)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	if err := s.gather(ctx, paths, files); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

func readText(name string) ([]byte, error) {
	f, err := textio.OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err == nil && len(text) > maxBytes {
		err = fmt.Errorf("%s is too large, want at most %d bytes", name, maxBytes)
	}
	return text, err
}
