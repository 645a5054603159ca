package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// meeting is a stage with agents that the test moves.
type meeting struct {
	*stage
	trips           *TripMetrics
	agentCollisions *AgentCollisions
	agents          []ecs.Entity
}

func newMeeting(t testing.TB, dt float64, workers int) *meeting {
	j := &TripMetrics{}
	m := &meeting{stage: newStage(t, dt), trips: j, agentCollisions: &AgentCollisions{TripMetrics: j}}
	m.Frame = frame.New(j, m.agentCollisions)
	m.Frame.Workers = workers
	m.Frame.Initialize(m.World)
	return m
}

func (m *meeting) agent(at r2.Vec, radius float64, comps ...any) ecs.Entity {
	e := m.Put(append(comps, c.Position{Vec: at}, c.Velocity{}, c.Radius{Meters: radius})...)
	m.agents = append(m.agents, e)
	return e
}

func (m *meeting) move(to ...r2.Vec) {
	for i, p := range to {
		testkit.ComponentOf[c.Position](m.stage, m.agents[i]).Vec = p
	}
	m.Step()
}

func TestApproach(t *testing.T) {
	for _, tc := range []struct {
		dp, dv             r2.Vec
		until              float64
		time, distance, in float64 // in is the share of the first second nearer than 6 m
	}{
		{xy(10, 5), xy(-2, 0), math.Inf(1), 5, 5, 0},
		{xy(10, 5), xy(-2, 0), 1, 1, math.Sqrt(89), 0},
		{xy(10, 5), xy(-20, 0), 1, 0.5, 5, math.Sqrt(11) / 10},
		{xy(10, 0), xy(2, 0), math.Inf(1), 0, 10, 0},
		{xy(3, 4), xy(0, 0), math.Inf(1), 0, 5, 1},
		{xy(6, 0), xy(0, 0), math.Inf(1), 0, 6, 0},
		{xy(-8, 0), xy(16, 0), 1, 0.5, 0, 0.75},
		{xy(0, 0), xy(12, 0), 1, 0, 0, 0.5},
		{xy(1, 0), xy(-1e-320, 0), 1, 1, 1, 1},
	} {
		time, distance := approach(tc.dp, tc.dv, tc.until)
		if !within(time, tc.time, 1e-15) || !within(distance, tc.distance, 1e-14) {
			t.Errorf("dp=%v, dv=%v: got=%v s, %v m, want=%v s, %v m", tc.dp, tc.dv, time, distance, tc.time, tc.distance)
		}
		testkit.Near(t, nearShare(tc.dp, tc.dv, 6), tc.in, 1e-14, "dp=%v, dv=%v: share nearer than 6", tc.dp, tc.dv)
	}
}

func TestEncounters(t *testing.T) {
	for _, tc := range []struct {
		name  string
		steps [][]r2.Vec // positions of two agents of radius 0.25 m, half a second apart
		want  AgentCollisionCount
	}{
		{"head-on, through one another in one step",
			[][]r2.Vec{{xy(0, 0), xy(10, 0)}, {xy(10, 0), xy(0, 0)}},
			AgentCollisionCount{Collisions: 1, Penetration: 0.5, MaxPenetration: 0.5, LeastClearance: -0.5, Close: 2, Steps: 2,
				TimeInCollision: 0.5 * 2 * 0.499 / 20}},
		{"passing at 0.6 m in one step",
			[][]r2.Vec{{xy(0, 0), xy(10, 0.6)}, {xy(10, 0), xy(0, 0.6)}},
			AgentCollisionCount{LeastClearance: 0.1, Close: 2, Steps: 2}},
		{"passing at 5 m",
			[][]r2.Vec{{xy(0, 0), xy(10, 5)}, {xy(10, 0), xy(0, 5)}},
			AgentCollisionCount{LeastClearance: 4.5, Steps: 2}},
		{"parting and meeting again",
			[][]r2.Vec{{xy(0, 0), xy(1, 0)}, {xy(0, 0), xy(0.4, 0)}, {xy(0, 0), xy(0.3, 0)}, {xy(0, 0), xy(0.45, 0)},
				{xy(0, 0), xy(1, 0)}, {xy(0, 0), xy(1, 0)}, {xy(0, 0), xy(0.25, 0)}},
			AgentCollisionCount{Collisions: 2, Penetration: 0.2 + 0.25, MaxPenetration: 0.25, LeastClearance: -0.25, Close: 10, Steps: 12,
				TimeInCollision: 0.5 * (0.099/0.6 + 1 + 1 + 0.049/0.55 + 0.249/0.75)}},
		{"a touch is no collision",
			[][]r2.Vec{{xy(0, 0), xy(1, 0)}, {xy(0, 0), xy(0.4995, 0)}},
			AgentCollisionCount{LeastClearance: -0.0005, Close: 2, Steps: 2}},
		{"side by side, far from the origin",
			[][]r2.Vec{{xy(1e9, 0), xy(1e9, 0.75)}, {xy(1e9+40, 0), xy(1e9+40, 0.75)}},
			AgentCollisionCount{LeastClearance: 0.25, Steps: 2}},
	} {
		m := newMeeting(t, 0.5, 1)
		m.agent(tc.steps[0][0], 0.25)
		m.agent(tc.steps[0][1], 0.25)
		m.trips.Begin(m.World)
		for _, places := range tc.steps[1:] {
			m.move(places...)
		}
		testkit.Equal(t, nearly(m.agentCollisions.Count(), tc.want), tc.want, "%s", tc.name)
	}
}

func TestEncountersOff(t *testing.T) {
	m := newMeeting(t, 1, 1)
	m.agentCollisions.Off = true
	m.agent(xy(0, 0), 1)
	m.agent(xy(1, 0), 1)
	m.trips.Begin(m.World)
	m.Step()
	testkit.Equal(t, m.agentCollisions.Count(), AgentCollisionCount{LeastClearance: math.Inf(1)}, "counts while off")
}

// jam returns the radii of n agents and their positions after each step: some in a jam, some far apart,
// and a few that are large, fast or not finite.
func jam(n int, seed uint64, side float64) (radius []float64, place func(step, i int) r2.Vec) {
	r := rand.New(rand.NewPCG(seed, 7))
	start, way := make([]r2.Vec, n), make([]r2.Vec, n)
	for i := range n {
		radius = append(radius, 0.2+0.2*r.Float64())
		start[i] = xy(side*(r.Float64()-0.5), side*(r.Float64()-0.5))
		way[i] = vec.Scale(0.4, xy(r.NormFloat64(), r.NormFloat64()))
		switch {
		case i%97 == 5:
			radius[i] *= 12
		case i%101 == 9:
			way[i] = vec.Scale(50, way[i])
		case i%103 == 17:
			start[i] = vec.Scale(1e6, start[i])
		case i%5 == 0:
			start[i] = vec.Scale(0.1, start[i])
		case i%211 == 33:
			start[i].X = math.NaN()
		}
	}
	return radius, func(step, i int) r2.Vec {
		wobble := xy(math.Sin(float64(step*i)), math.Cos(float64(step+i)))
		return vec.Add(vec.AddScaled(start[i], float64(step), way[i]), vec.Scale(0.1, wobble))
	}
}

// brute loops over all pairs, and also returns the sorted distances of nearest neighbors in the sampled
// steps.
func brute(radius []float64, place func(step, i int) r2.Vec, steps int, dt float64) (AgentCollisionCount, []float64) {
	n := AgentCollisionCount{LeastClearance: math.Inf(1)}
	var nearest []float64
	before := map[[2]int]float64{}
	for step := 1; step <= steps; step++ {
		now := map[[2]int]float64{}
		for i := range radius {
			clearance, near, from, to := math.Inf(1), math.Inf(1), place(step-1, i), place(step, i)
			if !vec.Finite(to) {
				continue
			}
			for j := range radius {
				if j == i || !vec.Finite(place(step, j)) {
					continue
				}
				dp := vec.Sub(place(step-1, j), from)
				dv := vec.Sub(vec.Sub(place(step, j), to), dp)
				_, d := approach(dp, dv, 1)
				radii := radius[i] + radius[j]
				clearance = min(clearance, d-radii)
				near = min(near, vec.Norm(vec.Sub(place(step, j), to)))
				if key := [2]int{i, j}; j > i && radii-d > tolerance {
					deepest, again := before[key]
					if !again {
						n.Collisions++
					}
					n.Penetration += max(0, radii-d-deepest)
					n.MaxPenetration = max(n.MaxPenetration, radii-d)
					n.TimeInCollision += nearShare(dp, dv, radii-tolerance) * dt
					now[key] = max(deepest, radii-d)
				}
			}
			n.Steps++
			if step%sampleNearest == 1 {
				nearest = append(nearest, near)
			}
			n.LeastClearance = min(n.LeastClearance, clearance)
			if clearance < closeBy {
				n.Close++
			}
		}
		before = now
	}
	slices.Sort(nearest)
	return n, nearest
}

func TestEncountersAsBruteForce(t *testing.T) {
	const steps, dt = 11, 0.1
	for _, n := range []int{1, 2, 3, 8, 9, 30, 300} {
		for _, side := range []float64{3, 20, 1000} {
			radius, place := jam(n, uint64(n), side)
			want, nearest := brute(radius, place, steps, dt)
			m := newMeeting(t, dt, 3)
			for i := range n {
				m.agent(place(0, i), radius[i])
			}
			m.trips.Begin(m.World)
			for step := 1; step <= steps; step++ {
				places := make([]r2.Vec, n)
				for i := range places {
					places[i] = place(step, i)
				}
				m.move(places...)
			}
			got := nearly(m.agentCollisions.Count(), want)
			if want.LeastClearance > closeBy {
				got.LeastClearance = want.LeastClearance
			}
			testkit.Equal(t, got, want, "%d agents in a square with sides of %v m", n, side)
			for _, share := range []float64{0, 0.01, 0.05, 0.5} {
				d, ok := m.agentCollisions.Nearest(share)
				if n == 1 {
					if ok {
						t.Errorf("nearest of one agent: got=%v, want none", d)
					}
					continue
				}
				if want := nearest[int(share*float64(len(nearest)))]; !ok || !within(d, want, max(0.006*want, 0.001)) {
					t.Errorf("%d agents in a square with sides of %v m: Nearest(%v): got=%v, %v, want=%v, true", n, side, share, d, ok, want)
				}
			}
		}
	}
}

func TestQuantile(t *testing.T) {
	var h histogram
	for _, x := range []float64{1, 2, 3} {
		h.add(x)
	}
	got, _ := h.quantile(1)
	testkit.Near(t, got, 3, 0.06, "quantile(1)")
}

func TestMeasuringIsExact(t *testing.T) {
	const n, steps = 1000, 18 // two moves of 0.4 s
	radius, place := jam(n, 1, 35)
	run := func(workers, batchRows int, shuffled bool) string {
		m := newMeeting(t, 0.05, workers)
		m.Frame.Finalize(m.World)
		contacts := &ObstacleCollisions{Obstacles: &sense.Obstacles{}, TripMetrics: m.trips}
		gauges := &Measurements{TripMetrics: m.trips, Lines: []MeasurementLine{{xy(3, -9), xy(4, 9)}, {xy(-9, 0), xy(9, 0)}}, Areas: []r2.Box{r2.NewBox(-3, -3, 3, 3)}}
		m.Frame = frame.New(contacts.Obstacles, contacts, m.trips, m.agentCollisions, gauges)
		m.Frame.Workers, m.Frame.BatchRows, m.Frame.ShareRows = workers, batchRows, 1
		m.Frame.Initialize(m.World)
		for i := range 40 {
			m.Put(c.Position{Vec: xy(float64(i%8), float64(i/8))}, c.Obstacle{Radius: 0.4})
		}
		order := rand.New(rand.NewPCG(3, 4)).Perm(n)
		if !shuffled {
			slices.Sort(order)
		}
		for k, i := range order {
			e := m.agent(place(0, i), radius[i], c.Target{Vec: xy(float64(i), 3)}, c.Goal{}, c.Limits{MaxSpeed: 2})
			if shuffled && k%3 == 0 {
				m.Add(e, ecs.ComponentID[c.Mass](m.World))
			}
		}
		m.trips.Begin(m.World)
		for step := 1; step <= steps; step++ {
			for k, i := range order {
				e := m.agents[k]
				if !m.Alive(e) {
					continue
				}
				testkit.ComponentOf[c.Position](m.stage, e).Vec = place(step, i)
				testkit.ComponentOf[c.Velocity](m.stage, e).Vec = vec.Scale(20, vec.Sub(place(step, i), place(step-1, i)))
				if i%7 == step {
					*testkit.ComponentOf[c.Goal](m.stage, e) = c.Goal{Visits: 1, Inside: true}
				}
			}
			m.Step()
			for k, i := range order {
				if i%7 == step && i%2 == 0 && m.Alive(m.agents[k]) {
					m.RemoveEntity(m.agents[k])
				}
			}
		}
		if n := m.trips.Count(); n.Acceleration == 0 || n.Turning == 0 {
			t.Fatalf("trips: got=%+v, want Acceleration and Turning other than 0", n)
		}
		hits, lines, area := contacts.Count(), [2]LineCount{gauges.Line(0), gauges.Line(1)}, gauges.Area(0)
		if hits.Collisions == 0 || hits.Penetration == 0 || lines[0].Passed == 0 || lines[1].Passed == 0 || area.Steps == 0 {
			t.Fatalf("collisions, lines and area: got=%+v, %+v, %+v, want some of each", hits, lines, area)
		}
		p50, _ := m.agentCollisions.Nearest(0.5)
		return fmt.Sprintf("%+v\n%+v\n%v\n%+v\n%+v\n%+v", m.trips.Count(), m.agentCollisions.Count(), p50, hits, lines, area)
	}
	want := run(1, 0, false)
	for _, v := range []struct {
		workers, batchRows int
		shuffled           bool
	}{{1, 37, false}, {1, 0, true}, {2, 16, true}, {3, 111, false}, {7, 1, true}, {8, 37, true}} {
		testkit.Equal(t, run(v.workers, v.batchRows, v.shuffled), want, "%+v", v)
	}
}

func TestEncountersExceeded(t *testing.T) {
	for _, tc := range []struct {
		agents int
		want   bool
	}{{20_000, true}, {1000, true}, {300, false}} {
		m := newMeeting(t, 1, 1)
		for range tc.agents {
			m.agent(xy(1, 1), 0.3)
		}
		m.trips.Begin(m.World)
		m.Step()
		m.Step()
		if got := m.agentCollisions.Count(); got.Exceeded != tc.want || got.Exceeded == (got.Collisions > 0) {
			t.Errorf("%d agents: got=%+v, want Exceeded=%v, and collisions unless exceeded", tc.agents, got, tc.want)
		}
	}
}

func TestEncountersInterrupt(t *testing.T) {
	for _, early := range []bool{false, true} {
		m := newMeeting(t, 0.1, 1)
		for i := range 2000 {
			m.agent(xy(float64(i%100), float64(i/100)), 0.3)
		}
		if early {
			m.Frame.Interrupt()
			m.trips.Begin(m.World)
			testkit.Equal(t, len(m.trips.records), 0, "records")
			continue
		}
		m.trips.Begin(m.World)
		m.Step()
		near := m.agentCollisions.grid.near
		clear(near)
		m.Frame.Interrupt()
		m.agentCollisions.run()
		testkit.Equal(t, slices.Max(near), 0, "neighbors found after an interrupt")
	}
}
