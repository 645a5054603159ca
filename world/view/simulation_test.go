package view

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/coder/websocket"
	"gonum.org/v1/gonum/spatial/r2"
)

func byName(_ context.Context, name string) (*scene.Scene, error) { return scene.Named(name) }

func simulationOf(t testing.TB, name string, agents int) *simulation {
	t.Helper()
	sc := named(t, name)
	if agents > 0 {
		sc.Resize(agents)
	}
	return simulationIn(t, sc, Scenes{Open: byName, Options: scene.Options{Workers: 2}}, Options{})
}

func simulationIn(t testing.TB, sc *scene.Scene, scenes Scenes, o Options) *simulation {
	t.Helper()
	live, err := NewScenes(context.Background(), sc.Name, sc, scenes, o)
	must(t, err)
	t.Cleanup(live.Close)
	return live.sim
}

func restart(t testing.TB, s *simulation) {
	t.Helper()
	begin(t, s, &asked{Do: "restart"})
}

func begin(t testing.TB, s *simulation, a *asked) {
	t.Helper()
	next, err := s.carryOut(context.Background(), orderOf(nil, nil, a))
	must(t, err)
	s.show(next)
}

// onlooker adds a viewer without a connection.
func onlooker(s *simulation) *viewer {
	v := newViewer(s, nil)
	v.seeing.Store(true)
	s.join(v)
	return v
}

func TestSeedOfSource(t *testing.T) {
	sc, err := scene.Read(strings.NewReader("box = [[0, 0], [20, 10]]\n[[groups]]\nmax-speed = 1\nsource = {every = {exponential = 0.5}, until = 30}"), "x.toml", scene.OpenOptions{})
	must(t, err)
	s := simulationIn(t, sc, Scenes{Open: byName}, Options{})
	for seed := range uint64(6) {
		begin(t, s, &asked{Do: "seed", seed: seed})
	}
}

func TestPace(t *testing.T) {
	for _, tc := range []struct {
		dt, pace float64
		want     time.Duration
	}{
		{0.05, 1, 50 * time.Millisecond},
		{0.05, 5, 10 * time.Millisecond},
		{1, 1, time.Second / 60}, // a step is a frame
		{0.5, 2, time.Second / 120},
		{0.1, 1, 100 * time.Millisecond},
		{1, 0, 0},
	} {
		now := time.Now()
		s := &simulation{crowd: &crowd{world: &world.World{Clock: &frame.Clock{Dt: tc.dt}}}, pace: tc.pace, due: now}
		s.keepPace(now)
		testkit.Equal(t, s.due.Sub(now), tc.want, "dt %v, pace %v", tc.dt, tc.pace)
		s.due = now.Add(-time.Hour)
		s.keepPace(now)
		testkit.Equal(t, s.due, now, "due, an hour late")
	}
}

// runFor runs the simulation for ms milliseconds of a synctest bubble's time.
func runFor(s *simulation, ms time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), ms*time.Millisecond)
	defer cancel()
	s.run(ctx)
}

func TestRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := simulationOf(t, "seek", 0)
		tick := func() int {
			runFor(s, 150)
			return int(s.world.Clock.Tick)
		}
		testkit.Equal(t, tick(), 0, "steps without a viewer")
		v := onlooker(s)
		before := tick()
		testkit.Equal(t, before > 0, true, "steps with a viewer")
		s.do(ask{v, &asked{Do: "pause", On: true}})
		s.do(ask{v, &asked{Do: "step", N: 2}})
		testkit.Equal(t, tick(), before+2, "steps, paused")
		s.do(ask{v, &asked{Do: "step", N: maxStepsAt}})
		restart(t, s)
		testkit.Equal(t, tick(), 0, "steps after a restart")
	})
}

func TestPointerIsLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := simulationOf(t, "seek", 0)
		v, other, at := onlooker(s), onlooker(s), r2.Vec{X: 5, Y: 7}
		s.do(ask{v, &asked{Do: "pointer", at: &at}})
		pointer := func() r2.Vec {
			runFor(s, 100)
			at, _ := scene.PointerOf(s.world)
			return at
		}
		testkit.Equal(t, pointer(), at, "pointer")
		s.leave(v)
		testkit.Equal(t, pointer() != at, true, "pointer moves on")
		s.leave(other)
	})
}

func TestWorldsAreClosed(t *testing.T) {
	s := simulationOf(t, "plaza", 500)
	v := onlooker(s)
	must(t, s.step())
	before := runtime.NumGoroutine()
	for range 20 {
		s.publish(time.Now())
		restart(t, s)
		shot, _ := s.shots.take()
		testkit.Equal(t, shot, nil, "snapshot after a restart")
		must(t, s.step())
	}
	for end := time.Now().Add(patience); runtime.NumGoroutine() > before && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	testkit.Equal(t, max(runtime.NumGoroutine(), before), before, "goroutines after 20 restarts")
	testkit.Equal(t, len(v.errors), 0, "errors")
}

func TestBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := simulationOf(t, "seek", 0)
		v := onlooker(s)
		for range 100 {
			v.next(wish{})
			v.fail(context.Canceled)
		}
		testkit.Equal(t, v.credits, maxInFlight, "frames")
		testkit.Equal(t, len(v.errors), mostErrors, "errors")
		starts := 0
		for range 20 {
			v.errors = nil
			must(t, v.hear([]byte(`{"do":"restart"}`)))
			starts += 1 - len(v.errors)
		}
		testkit.Equal(t, starts, startsAtOnce, "starts at once")
		for range maxViewers {
			one := newViewer(s, nil)
			one.spoke.Store(true)
			s.join(one)
		}
		testkit.Equal(t, s.join(newViewer(s, nil)), false, "one viewer too many is admitted")
	})
}

func TestDescription(t *testing.T) {
	for _, tc := range []struct {
		scene                 string
		length, time, pointer string
	}{
		{"tank-path", "px", "s", ""}, {"seek", "px", "step", "target"}, {"plaza", "m", "s", ""}, {"flee", "px", "step", "threat"},
	} {
		m := simulationOf(t, tc.scene, 1).describe()
		testkit.Equal(t, [3]string{m.Unit, m.Time, m.Pointer}, [3]string{tc.length, tc.time, tc.pointer}, "%s", tc.scene)
		if tc.scene != "tank-path" {
			continue
		}
		if path := m.Paths[0]; len(path) != 6 || path[0] != path[5] || len(m.Archetypes) != 1 {
			t.Errorf("got=%v with archetypes %v, want=a closed path of 6 points, and one archetype", path, m.Archetypes)
		}
	}
}

func TestDescriptionOfAGroup(t *testing.T) {
	s := simulationOf(t, "seek", 1)
	g := &s.scene.Groups[0]
	g.TargetPointer, g.MaxSpeed = false, scene.Value{Spread: &scene.Spread{Min: 1.2, Max: 1.5}}
	testkit.Equal(t, s.describe().MaxSpeed, 1.5, "maximum speed")
	for _, tc := range []struct{ key, other, want string }{
		{"quarry", "pointer", "target"}, {"leader-following.leader", "pointer", "target"}, {"interpose.second", "pointer", "target"},
		{"pursuer", "pointer", "threat"}, {"hiding.from", "pointer", "threat"}, {"flee.from", "pointer", "threat"}, {"quarry", "hares", ""},
	} {
		g.References = map[string]string{tc.key: tc.other}
		testkit.Equal(t, s.describe().Pointer, tc.want, "%s of %s", tc.key, tc.other)
	}
}

func TestSolids(t *testing.T) {
	s := simulationOf(t, "seek", 0)
	add := func(at r2.Vec, o c.Obstacle) {
		t.Helper()
		_, err := s.world.AddObstacle(at, o)
		must(t, err)
	}
	add(r2.Vec{X: 10, Y: 20}, c.Obstacle{Span: r2.Vec{X: 5}, Radius: 0.5})
	for _, open := range []bool{true, false} {
		_, err := s.world.AddDoor(r2.Vec{X: 11, Y: 20}, r2.Vec{X: 12, Y: 20}, 0.1, c.Door{Open: open})
		must(t, err)
	}
	_, err := s.world.AddPolygon([]r2.Vec{{X: 11, Y: 20}, {X: 12, Y: 20}, {X: 11, Y: 22}})
	must(t, err)
	s.list()
	type round struct {
		A, B   [2]float32
		Radius float32
		ID     uint32
	}
	data := s.solids.message
	m := take[struct {
		Kind, _, _, _                    uint8
		Version                          uint32
		Origin                           r2.Vec
		Rounds, Polygons, Corners, Doors uint32
		All                              [3]round
		Polygon, First                   uint32
		Outline                          [3][2]float32
		Open                             [2][2]uint32
	}](t, &data, 1)[0]
	testkit.Equal(t, m.Kind, kindObstacles, "kind")
	testkit.Equal(t, [4]uint32{m.Rounds, m.Polygons, m.Corners, m.Doors}, [4]uint32{3, 1, 3, 2}, "walls, polygons, corners, doors")
	testkit.Equal(t, [2]int{s.solids.count, s.solids.doors}, [2]int{4, 2}, "obstacles and doors")
	wall := m.All[0].ID
	testkit.Equal(t, m.All[0], round{B: [2]float32{5, 0}, Radius: 0.5, ID: wall}, "wall")
	testkit.Equal(t, m.First, 0, "first corner")
	testkit.Equal(t, m.Outline, [3][2]float32{{1, 0}, {2, 0}, {1, 2}}, "corners")
	testkit.Equal(t, m.Open, [2][2]uint32{{m.All[2].ID, 1}, {m.All[1].ID, 0}}, "IDs of doors, each with 1 if open")
	testkit.Equal(t, len(data), 0, "bytes after the doors")
	add(r2.Vec{}, c.Obstacle{Radius: 1})
	s.list()
	if _, known := s.solids.byID[wall]; !known || len(s.solids.byID) != 5 {
		t.Errorf("numbers: got=%v, want five, one of them %d for the wall", s.solids.byID, wall)
	}
	old := s.solids.byID
	restart(t, s)
	add(r2.Vec{}, c.Obstacle{Radius: 1})
	s.list()
	for id := range s.solids.byID {
		if _, again := old[id]; again {
			t.Errorf("number in another world: got=%d again, want=a new number", id)
		}
	}
}

func TestDoorsStartAgain(t *testing.T) {
	sc := named(t, "seek")
	door := scene.Door{A: r2.Vec{X: 5.3}, B: r2.Vec{X: 0.1}, Door: c.Door{Opens: 10, Closes: 20}} // A + (B - A) is not B
	sc.Obstacles.Doors = []scene.Door{door}
	s := simulationIn(t, sc, Scenes{Open: byName}, Options{})
	v := onlooker(s)
	walk(t, s, 15)
	for range 2 {
		hearFrom(t, s, v, `{"do":"add","at":[300,300],"radius":20}`)
		s.list()
		testkit.Equal(t, s.scene.Obstacles.Doors[0].Door, door.Door, "door")
	}
	goTo(t, s, v, 12, nil)
	hearFrom(t, s, v, `{"do":"move","id":1,"to":[7,7]}`)
	s.list()
	at := r2.Vec{X: 7, Y: 7}
	want := []scene.Door{{A: at, B: r2.Add(at, r2.Sub(door.B, door.A)), Door: door.Door}}
	if got := s.scene.Obstacles.Doors; !slices.Equal(got, want) {
		t.Errorf("door, moved at step 12: got=%v, want=%v", got, want)
	}
	restart(t, s)
	hearFrom(t, s, v, `{"do":"add","at":[300,300],"radius":20}`)
	s.list()
	testkit.Equal(t, s.scene.Obstacles.Doors[0].Door, door.Door, "door after a restart")
}

// BenchmarkView shows a running plaza to one viewer that requests frames as fast as possible.
func BenchmarkView(b *testing.B) {
	for _, agents := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("agents=%d", agents), func(b *testing.B) {
			s := serve(b, "plaza", agents, nil)
			c, bytes, steps := connect(b, s), 0, 0.
			ask := `{"do":"next","view":[0,0,480,480],"pixels":[1000,1000],"color":"speed","layers":[]}`
			c.say("%s", ask)
			c.say("%s", ask)
			for b.Loop() {
				for framed := false; !framed; {
					kind, data, err := c.read()
					must(b, err)
					if framed = kind == websocket.MessageBinary && data[0] == kindFrame; framed {
						bytes, steps = bytes+len(data), math.Float64frombits(binary.LittleEndian.Uint64(data[8:]))
					}
				}
				c.say("%s", ask)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
			b.ReportMetric(steps/b.Elapsed().Seconds(), "steps/s")
			b.ReportMetric(float64(bytes)/float64(b.N)/1e6, "MB/frame")
		})
	}
}
