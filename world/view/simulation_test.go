package view

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/coder/websocket"
	"gonum.org/v1/gonum/spatial/r2"
)

// byName opens built-in scenes.
func byName(_ context.Context, name string) (*scene.Scene, error) { return scene.Named(name) }

// simulationOf makes a simulation of a built-in scene, without viewers.
func simulationOf(t testing.TB, name string, agents int) *simulation {
	t.Helper()
	sc, err := scene.Named(name)
	must(t, err)
	if agents > 0 {
		sc.Resize(agents)
	}
	live, err := NewScenes(context.Background(), name, sc, Scenes{Open: byName, Options: scene.Options{Workers: 2}}, Options{})
	must(t, err)
	t.Cleanup(live.Close)
	return live.sim
}

// restart makes the crowd of a simulation anew.
func restart(t testing.TB, s *simulation) {
	t.Helper()
	next, err := s.carryOut(context.Background(), orderOf(nil, nil, &asked{Do: "restart"}))
	must(t, err)
	s.show(next)
}

// onlooker is a viewer without a connection.
func onlooker(s *simulation) *viewer {
	v := newViewer(s, nil)
	v.seeing.Store(true)
	s.join(v)
	return v
}

// TestPace verifies when the next step is due.
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
		if got := s.due.Sub(now); got != tc.want {
			t.Errorf("dt %v, pace %v: got=%v, want=%v", tc.dt, tc.pace, got, tc.want)
		}
		s.due = now.Add(-time.Hour)
		if s.keepPace(now); s.due != now {
			t.Errorf("an hour late: due %v after now, want now", s.due.Sub(now))
		}
	}
}

// TestRest verifies that nothing is simulated while none looks, nor while it is
// paused but for the steps that are owed.
func TestRest(t *testing.T) { synctest.Test(t, testRest) }

func testRest(t *testing.T) {
	s := simulationOf(t, "seek", 0)
	run := func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond)
		defer cancel()
		s.run(ctx)
		return float64(s.world.Clock.Tick)
	}
	if got := run(); got != 0 {
		t.Errorf("none looks: got=%v steps, want=0", got)
	}
	v := onlooker(s)
	if got := run(); got == 0 {
		t.Error("an agent looks, and no step is done")
	}
	s.do(ask{v, &asked{Do: "pause", On: true}})
	before := float64(s.world.Clock.Tick)
	s.do(ask{v, &asked{Do: "step", N: 2}})
	if got := run(); got != before+2 {
		t.Errorf("paused: got=%v steps more, want=2", got-before)
	}
	s.do(ask{v, &asked{Do: "step", N: maxStepsAt}})
	restart(t, s)
	if got := run(); got != 0 {
		t.Errorf("after a restart: got=%v steps, want=0: what was owed was owed by the old world", got)
	}
}

// TestPointerIsLetGo verifies that the pointer goes its own way when who held it is
// gone.
func TestPointerIsLetGo(t *testing.T) { synctest.Test(t, testPointerIsLetGo) }

func testPointerIsLetGo(t *testing.T) {
	s := simulationOf(t, "seek", 0)
	v, other := onlooker(s), onlooker(s)
	s.do(ask{v, &asked{Do: "pointer", at: &r2.Vec{X: 5, Y: 7}}})
	turn := func() r2.Vec {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		s.run(ctx)
		at, _ := scene.PointerOf(s.world)
		return at
	}
	if got := turn(); got != (r2.Vec{X: 5, Y: 7}) {
		t.Errorf("pointer: got=%v, want=(5, 7)", got)
	}
	s.leave(v)
	if got := turn(); got == (r2.Vec{X: 5, Y: 7}) {
		t.Errorf("pointer is held by one who is gone")
	}
	s.leave(other)
}

// TestWorldsAreClosed verifies that worlds that are no longer shown end their
// workers.
func TestWorldsAreClosed(t *testing.T) {
	s := simulationOf(t, "plaza", 500)
	v := onlooker(s)
	s.step()
	before := runtime.NumGoroutine()
	for range 20 {
		s.publish(time.Now())
		restart(t, s)
		if shot, _ := s.shots.take(); shot != nil {
			t.Fatal("a snapshot of the old world is there after a restart")
		}
		s.step()
	}
	for end := time.Now().Add(patience); runtime.NumGoroutine() > before && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	if got := runtime.NumGoroutine(); got > before {
		t.Errorf("goroutines after 20 restarts: got=%d, want=%d", got, before)
	}
	if len(v.errors) != 0 {
		t.Errorf("errors: %v", v.errors)
	}
}

// TestRefusals verifies what a simulation refuses.
func TestRefusals(t *testing.T) {
	s := simulationOf(t, "seek", 0)
	huge := func(context.Context, string) (*scene.Scene, error) {
		sc, err := scene.Named("plaza")
		sc.Resize(MaxAgents + 1)
		return sc, err
	}
	s.scenes.List, s.scenes.Open = []Named{{Name: "x"}}, huge
	const want = "the view shows 2000000 at most"
	if _, err := s.carryOut(context.Background(), orderOf(nil, nil, &asked{Do: "scene", Name: "x"})); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("scene: got=%v, want=%q", err, want)
	}
	for _, tc := range []struct {
		what asked
		want string
	}{
		{asked{Do: "move", id: 77, at: &r2.Vec{}}, "obstacle 77 is gone"},
		{asked{Do: "set", Name: "groups[0].nothing", Value: 1}, "groups[0].nothing"},
	} {
		v := onlooker(s)
		s.do(ask{v, &tc.what})
		if len(v.errors) != 1 || !strings.Contains(v.errors[0], tc.want) {
			t.Errorf("%s: got=%q, want=%q", tc.what.Do, v.errors, tc.want)
		}
	}
	if s.name != "seek" {
		t.Errorf("scene: got=%s, want=seek, which ran before", s.name)
	}
}

// TestBounds verifies what a viewer can make the server keep.
func TestBounds(t *testing.T) { synctest.Test(t, testBounds) }

func testBounds(t *testing.T) {
	s := simulationOf(t, "seek", 0)
	v := onlooker(s)
	for range 100 {
		v.next(wish{})
		v.fail(context.Canceled)
	}
	if v.credits != maxInFlight || len(v.errors) != mostErrors {
		t.Errorf("got=%d frames and %d errors, want=%d and %d", v.credits, len(v.errors), maxInFlight, mostErrors)
	}
	starts := 0
	for range 20 {
		v.errors = nil
		must(t, v.hear([]byte(`{"do":"restart"}`)))
		starts += 1 - len(v.errors)
	}
	if starts != startsAtOnce {
		t.Errorf("starts at once: got=%d, want=%d", starts, startsAtOnce)
	}
	for range maxViewers {
		one := newViewer(s, nil)
		one.spoke.Store(true)
		s.join(one)
	}
	if s.join(newViewer(s, nil)) {
		t.Errorf("more than %d viewers are let in", maxViewers)
	}
}

// TestDescription verifies what viewers are told of a scene.
func TestDescription(t *testing.T) {
	s := simulationOf(t, "tank-path", 0)
	m := s.describe()
	if way := m.Paths[0]; len(way) != 6 || way[0] != way[5] {
		t.Errorf("path: got=%v, want the loop closed", way)
	}
	if m.Unit != "px" || m.Time != "s" || m.Pointer != "" || len(m.Archetypes) != 1 {
		t.Errorf("got=%+v", m)
	}
	if m := simulationOf(t, "seek", 0).describe(); m.Unit != "px" || m.Time != "step" || m.Pointer != "target" {
		t.Errorf("seek: got=%s %s %s, want=px step target", m.Unit, m.Time, m.Pointer)
	}
	if m := simulationOf(t, "plaza", 10).describe(); m.Unit != "m" || m.Time != "s" {
		t.Errorf("plaza: got=%s %s, want=m s", m.Unit, m.Time)
	}
	if m := simulationOf(t, "flee", 0).describe(); m.Pointer != "threat" {
		t.Errorf("flee: got=%s, want=threat", m.Pointer)
	}
}

// TestSolids verifies how walls and polygons are written, and that obstacles keep
// their numbers.
func TestSolids(t *testing.T) {
	s := simulationOf(t, "seek", 0)
	if _, err := s.world.AddObstacle(r2.Vec{X: 10, Y: 20}, c.Obstacle{Span: r2.Vec{X: 5}, Radius: 0.5}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.world.AddPolygon([]r2.Vec{{X: 11, Y: 20}, {X: 12, Y: 20}, {X: 11, Y: 22}}); err != nil {
		t.Fatal(err)
	}
	s.list()
	data := s.solids.message
	f32 := func(at int) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[at:]))) }
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	if data[0] != kindObstacles || u32(24) != 1 || u32(28) != 1 || u32(32) != 3 || len(data) != 40+24+4+4+24 {
		t.Fatalf("head: got=% x", data)
	}
	if wall := [5]float64{f32(40), f32(44), f32(48), f32(52), f32(56)}; wall != [5]float64{0, 0, 5, 0, 0.5} {
		t.Errorf("wall: got=%v, want from 0, 0 to 5, 0, 0.5 thick", wall)
	}
	if corner := [2]float64{f32(88), f32(92)}; u32(68) != 0 || corner != [2]float64{1, 2} {
		t.Errorf("last corner: got=%v, want=[1 2]", corner)
	}
	wall := u32(60)
	if _, err := s.world.AddObstacle(r2.Vec{}, c.Obstacle{Radius: 1}); err != nil {
		t.Fatal(err)
	}
	s.list()
	if _, known := s.solids.byID[wall]; !known || len(s.solids.byID) != 3 {
		t.Errorf("numbers: got=%v, want the wall's, %d, among three", s.solids.byID, wall)
	}
	old := s.solids.byID
	restart(t, s)
	if _, err := s.world.AddObstacle(r2.Vec{}, c.Obstacle{Radius: 1}); err != nil {
		t.Fatal(err)
	}
	s.list()
	for id := range s.solids.byID {
		if _, again := old[id]; again {
			t.Errorf("number %d comes again in another world", id)
		}
	}
}

// BenchmarkView shows a running plaza to one viewer without a screen, as fast as
// it takes frames, and reports the frames and the steps a second.
func BenchmarkView(b *testing.B) {
	for _, agents := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("agents=%d", agents), func(b *testing.B) {
			sc, err := scene.Named("plaza")
			must(b, err)
			sc.Resize(agents)
			ctx := context.Background()
			live, err := NewScenes(ctx, "plaza", sc, Scenes{}, Options{})
			must(b, err)
			s, stop := listen(b, live, nil)
			conn, err := dial(s)
			must(b, err)
			frames, bytes := 0, 0
			ask := func() {
				err := conn.Write(ctx, websocket.MessageText,
					[]byte(`{"do":"next","view":[0,0,480,480],"pixels":[1000,1000],"color":"speed","layers":[]}`))
				must(b, err)
			}
			ask()
			ask()
			start := time.Now()
			for b.Loop() {
				for {
					kind, data, err := conn.Read(ctx)
					must(b, err)
					if kind == websocket.MessageBinary && data[0] == kindFrame {
						frames++
						bytes += len(data)
						ask()
						break
					}
				}
			}
			took := time.Since(start).Seconds()
			conn.CloseNow()
			stop()
			b.ReportMetric(float64(frames)/took, "frames/s")
			b.ReportMetric(float64(s.sim.world.Stats().Steps)/took, "steps/s")
			b.ReportMetric(float64(bytes)/float64(frames)/1e6, "MB/frame")
		})
	}
}
