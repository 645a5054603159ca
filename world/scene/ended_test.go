package scene

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

// countdown is a context whose Err, but not Done, reports its end after a number of calls.
type countdown struct {
	context.Context
	asked, until int
}

func (c *countdown) Err() error {
	if c.asked++; c.asked > c.until {
		return context.Canceled
	}
	return nil
}

// endsHalfWay checks that work, whose context ends after half of its checks, soon returns the error of
// the context.
func endsHalfWay(t *testing.T, name string, work func(context.Context) error) {
	t.Helper()
	all := &countdown{t.Context(), 0, math.MaxInt}
	if err := work(all); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	half := &countdown{t.Context(), 0, all.asked / 2}
	if err := work(half); !errors.Is(err, context.Canceled) {
		t.Errorf("%s: got=%v after %d of %d checks of the context, want=%v", name, err, half.until, all.asked, context.Canceled)
	}
	if more := half.asked - half.until; all.asked < 8 || more > 8 {
		t.Errorf("%s: got=%d checks of the context, and %d after its end, want=8 or more, and at most 8 after its end", name, all.asked, more)
	}
}

func TestReadingEnds(t *testing.T) {
	t.Parallel()
	var points, groups, umans, bench, random strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&points, "[%d, %d], ", i%997, i%991)
	}
	for i := range 15_000 {
		fmt.Fprintf(&groups, "[[obstacles.circles]]\nat = [%d, 1]\nradius = 1\n", i)
	}
	for i := range 10_000 {
		fmt.Fprintf(&umans, `<Agent id="%d"><pos x="1" y="1"/><goal x="5" y="7"/></Agent>`, i)
	}
	const begin = `<?xml version="1.0"?><SteerBenchTestCase xmlns="x" xmlns:xsi="y"><header><version>1.0</version><name>n</name>` +
		`<worldBounds><xmin>-500</xmin><xmax>500</xmax><ymin>0</ymin><ymax>0</ymax><zmin>-500</zmin><zmax>500</zmax></worldBounds></header>`
	const end = `</SteerBenchTestCase>`
	for i := range 2000 {
		fmt.Fprintf(&bench, `<agent><initialConditions><position><x>%d</x><y>0</y><z>1</z></position><direction><x>1</x><y>0</y><z>0</z></direction>`+
			`<radius>0.5</radius><speed>%d</speed></initialConditions></agent>`, i, i%100)
	}
	for range 4 { // random agents fill the scene, so finding a place is slow
		random.WriteString(`<agentRegion><numAgents>1500</numAgents><regionBounds><xmin>-40</xmin><xmax>40</xmax><ymin>0</ymin><ymax>0</ymax>` +
			`<zmin>-40</zmin><zmax>40</zmax></regionBounds><initialConditions><direction><random>true</random></direction><radius>0.3</radius><speed>1</speed>` +
			`</initialConditions></agentRegion>`)
	}
	const head = "dt = 0.1\nbox = [[0, 0], [9, 9]]\n[[groups]]\nmax-speed = 1\n"
	list, agents := head+"count = 5\nat.points = ["+points.String()+"]\n", "<Agents>"+umans.String()+"</Agents>"
	for name, text := range map[string]string{
		"list.toml":     list,
		"list.toml.gz":  testkit.Gzip(list),
		"lines.toml":    head + "count = 5\n" + groups.String(),
		"agents.xml":    agents,
		"agents.xml.gz": testkit.Gzip(agents),
		"bench.xml":     begin + bench.String() + end,
		"random.xml":    begin + random.String() + end,
	} {
		path := mapFile(t, name, text)
		endsHalfWay(t, name, func(ctx context.Context) error { return failure(Open(path, OpenOptions{Context: ctx})) })
	}
}

func TestBuildingEnds(t *testing.T) {
	t.Parallel()
	const n = 33_000
	many := func(add func(o *Obstacles, i float64)) (o Obstacles) {
		for i := range n {
			add(&o, float64(i))
		}
		return o
	}
	for _, test := range []struct {
		name      string
		agents    int
		clear     float64
		obstacles Obstacles
	}{
		{"agents", 20_000, 0, Obstacles{}},
		{"places that are never clear", 1000, 500, Obstacles{Circles: []Circle{{At: r2.Vec{X: 50, Y: 50}, Radius: 1}}}},
		{"circles", 1, 0, many(func(o *Obstacles, i float64) { o.Circles = append(o.Circles, Circle{r2.Vec{X: i}, 0.1}) })},
		{"walls", 1, 0, many(func(o *Obstacles, i float64) { o.Walls = append(o.Walls, Wall{A: r2.Vec{X: i}, B: r2.Vec{X: i, Y: 1}}) })},
		{"polygons", 1, 0, many(func(o *Obstacles, i float64) {
			o.Polygons = append(o.Polygons, []r2.Vec{{X: i}, {X: i + 0.5}, {X: i, Y: 1}})
		})},
		{"boxes", 1, 0, many(func(o *Obstacles, i float64) {
			o.Boxes = append(o.Boxes, Box{Box: r2.Box{Min: r2.Vec{X: i}, Max: r2.Vec{X: i + 0.5, Y: 1}}})
		})},
		{"random circles", 1, 0, Obstacles{Random: []RandomCircles{{Count: 2000, Radius: Same(0.1), Gap: 0.1}}}},
	} {
		s := &Scene{
			Name: test.name, Dt: 0.1, Steps: 1, Box: r2.Box{Max: r2.Vec{X: 100, Y: 100}}, Obstacles: test.obstacles,
			Groups: []Group{{Count: test.agents, MaxSpeed: Same(1), MaxForce: Same(1), Target: &Place{}, Behaviors: []any{c.Seek{Gain: 1}}, At: Place{Clear: test.clear}}},
		}
		endsHalfWay(t, test.name, func(ctx context.Context) error {
			w, err := s.Build(Options{Workers: 1, Context: ctx})
			if err == nil {
				w.Close()
			}
			return err
		})
	}
}

func TestEndedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, err := Open("evacuation", OpenOptions{Context: ctx}) // small scenes are built
	noError(t, err)
	w, err := s.Build(Options{Context: ctx})
	noError(t, err)
	w.Close()
	_, err = parse(ctx, []byte("name = \""+strings.Repeat("a", 4*longFile)+"\""))
	testkit.Equal(t, errors.Is(err, context.Canceled), true, "long line: %v: canceled", err)
	dir := testkit.Files(t, map[string]string{
		"l.wkt": lShape, "file.toml": "obstacles.wkt = \"l.wkt\"\n[[groups]]\nmax-speed = 1\n", "a.map": yard,
	})
	for _, name := range []string{"file.toml", "a.map"} {
		_, err = Open(filepath.Join(dir, name), OpenOptions{Context: ctx})
		testkit.Equal(t, errors.Is(err, context.Canceled), true, "%s: %v: canceled", name, err)
	}
}

func TestPartsOfReadingEnd(t *testing.T) {
	t.Parallel()
	var list, lines strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&list, "[%d, %d], ", i%7, i%9)
		fmt.Fprintf(&lines, "k%d = 1\n", i)
	}
	endsHalfWay(t, "lines", func(ctx context.Context) error { return failure(parseAll(ctx, []byte(lines.String()))) })
	text := []byte("dt = 0.1\nbox = [[0, 0], [9, 9]]\n[[groups]]\nmax-speed = 1\nat.points = [" + list.String() + "]\n")
	endsHalfWay(t, "list", func(ctx context.Context) error { return failure(parseAll(ctx, text)) })
	root, err := parseAll(t.Context(), text)
	noError(t, err)
	endsHalfWay(t, "values", func(ctx context.Context) error {
		r := &reader{ctx: ctx, name: "x.toml", data: text}
		r.scene(root, nil)
		if r.cut {
			return context.Canceled
		}
		return r.err()
	})
}
