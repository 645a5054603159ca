package replay_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

var must = testkit.Must

// value returns the first result of a call, and panics on an error.
func value[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}

// game is a small game: agents wander and walk to a target behind a door.
type game struct {
	*world.World
	door ecs.Entity
}

func config(workers int) world.Config {
	config := world.Default()
	config.Dt, config.Workers, config.Seed = 0.1, workers, 7
	return config
}

func newGame(t testing.TB, agents int) *game {
	t.Helper()
	w := value(world.New(config(1)))
	t.Cleanup(w.Close)
	g := &game{World: w}
	g.door = value(w.AddDoor(r2.Vec{X: 10, Y: -30}, r2.Vec{X: 10, Y: 30}, 0.1, c.Door{}))
	person := []any{
		c.Target{Vec: r2.Vec{X: 20}}, c.Arrival{Gain: 2, SlowingRadius: 3}, c.Wander{Gain: 1, Distance: 2, Radius: 1, Rate: 1},
		c.Limits{MaxSpeed: 1.4, MaxForce: 6}, c.Separation{Gain: 1, NeighborDist: 2}, c.Radius{Meters: 0.2}, c.Solid{Push: 1},
	}
	must(t, w.Spawn(agents, person, func(r *world.Rows) {
		at := world.Column[c.Position](r)
		for i := range at {
			at[i].Vec = r2.Vec{X: float64(i % 8), Y: float64(i / 8)}
		}
	}))
	return g
}

// gain is an input that changes the gain of an agent's Arrival.
type gain struct {
	Agent uint64
	Gain  float64
}

func apply(w *world.World, name string, data json.RawMessage) error {
	switch name {
	case "door":
		var open bool
		if err := json.Unmarshal(data, &open); err != nil {
			return err
		}
		w.Inspect().EachObstacle(func(o world.ObstacleShape) {
			if o.Door != nil {
				_ = w.SetDoor(o.Entity, open)
			}
		})
		return nil
	case "gain":
		var in gain
		if err := json.Unmarshal(data, &in); err != nil {
			return err
		}
		e, _ := w.Entity(in.Agent)
		(*c.Arrival)(w.ECS.Get(e, ecs.ComponentID[c.Arrival](w.ECS))).Gain = in.Gain
		return nil
	}
	return fmt.Errorf("unknown input")
}

// recorded returns the recording of a game with the given number of steps, a door that opens before step
// 40, and the inputs in more, by step.
func recorded(t testing.TB, steps int, more map[int]gain) []byte {
	t.Helper()
	var out bytes.Buffer
	g := newGame(t, 40)
	rec := value(replay.NewRecorder(&out, g.World, replay.Options{About: map[string]string{"level": "yard"}, SaveEvery: 25}))
	input := func(name string, value any) {
		must(t, rec.Input(name, value))
		data, _ := json.Marshal(value)
		must(t, apply(g.World, name, data))
	}
	for step := 1; step <= steps; step++ {
		if step == 40 {
			input("door", true)
		}
		if in, ok := more[step]; ok {
			input("gain", in)
		}
		must(t, rec.Step())
	}
	must(t, rec.Close())
	return out.Bytes()
}

func opened(t testing.TB, data []byte) *replay.Recording {
	t.Helper()
	r := value(replay.Open(bytes.NewReader(data)))
	return r
}

// side returns a Side of the game with the recording r, which may be nil.
func side(r *replay.Recording) replay.Side {
	return replay.Side{Recording: r, Apply: apply, Restore: func(_ int, state io.Reader) (*world.World, error) {
		w, err := world.New(config(2))
		if err != nil {
			return nil, err
		}
		_, err = w.Restore(state)
		return w, err
	}}
}
