package scene

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

// mapText returns a map of random cells, of which the given share is blocked.
func mapText(seed uint64, width, height int, share float64) string {
	r := rand.New(rand.NewPCG(seed, 3))
	var b strings.Builder
	fmt.Fprintf(&b, "type octile\nheight %d\nwidth %d\nmap\n", height, width)
	for range height {
		for range width {
			b.WriteByte("@."[min(1, int(r.Float64()/share))])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// yard has a path around a block, and a cell that agents cannot reach.
const yard = "type octile\nheight 4\nwidth 7\nmap\n.......\n.@@@@@.\n.@.@T@G\n.....@.\n"

func mapFile(t testing.TB, name, text string) string {
	t.Helper()
	return filepath.Join(testkit.Files(t, map[string]string{name: text}), name)
}

func opened(t testing.TB, path string, o OpenOptions) *Scene {
	t.Helper()
	s, err := Open(path, o)
	noError(t, err)
	return s
}

// The first row of a map is at the top. Package movingai tests the shapes.
func TestMap(t *testing.T) {
	path := mapFile(t, "yard.map", yard)
	s := opened(t, path, OpenOptions{})
	testkit.Equal(t, fmt.Sprint(s.Name, s.Files), fmt.Sprint("yard", []string{path}), "name, files")
	testkit.Equal(t, fmt.Sprint(s.Box, s.Dt, s.Seed, s.ColoredBy()), fmt.Sprint(box(-1, -1, 8, 5), 1./30, 1, ColorByGroup), "box, dt, seed, meaning of colors")
	testkit.Equal(t, [3]int{len(s.Groups), s.FlowFields(), s.Agents()}, [3]int{8, 8, 8}, "groups, fields, agents")
	w := built(t, s)
	for i, row := range strings.Split(yard, "\n")[4:8] {
		for x := range row {
			at := r2.Vec{X: float64(x) + 0.5, Y: 3.5 - float64(i)}
			if _, inside := w.Obstacles.Inside(at); inside == strings.Contains(".G", row[x:x+1]) {
				t.Errorf("%v in a cell %c: inside an obstacle: got=%v, want=%v", at, row[x], inside, !inside)
			}
		}
	}
}

// clearOfWalls is the minimum distance from walls of starting places, in m.
const clearOfWalls = 0.25

func checkMap(t *testing.T, s *Scene) {
	t.Helper()
	testkit.Equal(t, strings.Join(s.Warnings, "\n"), "", "%s: warnings", s.Name)
	w := built(t, s)
	at := map[r2.Vec]bool{}
	n := s.Agents()
	agents(w, func(id uint64, p, _, _ r2.Vec) {
		if hit, near := w.Obstacles.Nearest(p, 1); near && hit.Distance < clearOfWalls {
			t.Errorf("%s: start of agent %d: got=%v m from an obstacle, want=%v or more", s.Name, id, hit.Distance, clearOfWalls)
		}
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				if at[r2.Vec{X: math.Round(4*p.X) + float64(dx), Y: math.Round(4*p.Y) + float64(dy)}] {
					t.Errorf("%s: agent %d: got=next to another agent, at %v, want=apart", s.Name, id, p)
				}
			}
		}
		at[r2.Vec{X: math.Round(4 * p.X), Y: math.Round(4 * p.Y)}] = true
	})
	testkit.Equal(t, len(at), n, "%s: places", s.Name)
	w.Inspect().FieldGrid(0)
	testkit.Equal(t, w.Fields.Cell(0), s.Groups[0].FieldCell, "%s: cell width of the field", s.Name)
	agents(w, func(id uint64, p, _, _ r2.Vec) {
		group := uint32((id - 1) * uint64(len(s.Groups)) / uint64(n))
		if way, _ := w.Fields.Read(group, p); !(way <= math.MaxFloat64) {
			t.Errorf("%s: field of agent %d: got=no path from %v to %v, want=a path", s.Name, id, p, s.Groups[group].Target.Box)
		}
	})
	for i := range s.Groups {
		goal := s.Groups[i].Target.Box
		for _, p := range []r2.Vec{goal.Min, goal.Max, {X: goal.Min.X, Y: goal.Max.Y}, {X: goal.Max.X, Y: goal.Min.Y}} {
			if hit, near := w.Obstacles.Nearest(p, 1); near && hit.Distance < clearOfWalls {
				t.Errorf("%s: goal %d: got=%v m from an obstacle, want=%v or more", s.Name, i, hit.Distance, clearOfWalls)
			}
		}
	}
	for _, u := range w.Inspect().Unreachable(context.Background(), 3) {
		t.Errorf("%s: agent %d: got=%q, want=a path to its goal", s.Name, u.ID, u.Reason)
	}
}

func TestMapWays(t *testing.T) {
	t.Parallel()
	for seed := range uint64(10) {
		share := 0.05 + 0.05*float64(seed)
		path := mapFile(t, fmt.Sprint("random-", seed, ".map"), mapText(seed+1, 20+3*int(seed), 50-3*int(seed), share))
		s := opened(t, path, OpenOptions{Seed: new(seed + 1)})
		places := 0
		for i := range s.Groups {
			places += len(s.Groups[i].At.Points)
		}
		s.Resize(min(places/8*8, 400))
		checkMap(t, s)
	}
}

// snake has a passage one cell wide, so one path between any two places.
var snake = "type octile\nheight 36\nwidth 13\nmap\n" + strings.Repeat(".............\n@@@@@@@@@@@@.\n.............\n.@@@@@@@@@@@@\n", 9)

func TestMapArrive(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"random": mapText(3, 40, 30, 0.2), "snake": snake} {
		s := opened(t, mapFile(t, name+".map", text), OpenOptions{Seed: new(uint64(2))})
		for i := range s.Groups {
			s.Groups[i].FieldCell = 0.48 // as in a large map
		}
		sameAgain(t, s, 200)
		other := opened(t, s.Files[0], OpenOptions{Seed: new(uint64(3))})
		if other.Groups[0].At.Points[0] == s.Groups[0].At.Points[0] && other.Groups[0].Target.Box == s.Groups[0].Target.Box {
			t.Errorf("%s: with another seed: got=the same places, want=others", name)
		}
		w := builtWith(t, s, Options{Measure: true})
		for step := 0; step < s.Steps && w.Stats().Arrived < s.Agents(); step++ {
			noError(t, w.Step())
		}
		if got, want := w.Stats().Arrived, s.Agents(); got != want || w.Stats().ObstacleCollisions.Collisions > 0 {
			t.Errorf("%s: arrived: got=%d, want=%d; collisions with walls: got=%+v, want=none", name, got, want, w.Stats().ObstacleCollisions)
		}
	}
}

// FuzzMap verifies that every map is rejected with the name of its file, or can be built and run.
func FuzzMap(f *testing.F) {
	f.Add(yard, uint64(1))
	f.Add("type octile\nheight 1\nwidth 1\nmap\n.\n", uint64(2))
	f.Add("type octile\nheight 2\nwidth 2\nmap\n.@\n@.\n", uint64(3))
	f.Add(mapText(5, 9, 9, 0.4), uint64(4))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if len(text) > 1<<12 {
			return
		}
		path := mapFile(t, "a.map", text)
		s, err := Open(path, OpenOptions{Seed: &seed})
		if err != nil {
			if !strings.HasPrefix(err.Error(), path) {
				t.Errorf("got=%v, want=an error that begins with %s", err, path)
			}
			return
		}
		w := built(t, s)
		steps(t, w, 3)
	})
}
