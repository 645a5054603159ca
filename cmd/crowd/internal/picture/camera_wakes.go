package picture

import (
	"fmt"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	// pointsOfWake is how many points a wake has at most, beside its head.
	pointsOfWake = 120
	// pointsOfWakes bounds the memory of all wakes.
	pointsOfWakes = 20_000_000
)

// wakes remembers where agents were in the last steps.
type wakes struct {
	world  *world.World
	agents *generic.Filter3[c.Agent, c.Position, c.Velocity]
	every  int           // steps from point to point
	length int           // points
	count  int           // times that points were noted
	since  int           // steps since the last
	points [][]wakePoint // a ring: those of a step, by id of the agent less one
	known  int           // ids
}

// wakePoint is where an agent was, with the precision of a picture. There is none
// where x is not a number.
type wakePoint struct{ x, y, speed float32 }

const bytesOfPoint = 12

// TrailBytes returns how many bytes the trails of some steps take.
func TrailBytes(agents, steps int) uint64 {
	return uint64(agents) * uint64(min(steps, pointsOfWake)) * bytesOfPoint
}

// newWakes returns wakes of a number of steps, nil for none. The error says how many
// fit into memory.
func newWakes(w *world.World, steps, agents int) (*wakes, error) {
	if steps == 0 {
		return nil, nil
	}
	k := &wakes{world: w, agents: generic.NewFilter3[c.Agent, c.Position, c.Velocity](), known: agents}
	k.every = (steps + pointsOfWake - 1) / pointsOfWake
	k.length = (steps + k.every - 1) / k.every
	if most := pointsOfWakes / agents; k.length > most {
		return nil, fmt.Errorf("--trails of %d steps are too much for %s agents, want at most %d", steps, cli.Thousands(agents), most*k.every)
	}
	k.note()
	return k, nil
}

// step remembers where the agents are, at some steps.
func (k *wakes) step() {
	if k == nil {
		return
	}
	if k.since++; k.since == k.every {
		k.note()
	}
}

func (k *wakes) note() {
	k.since = 0
	at := k.count % k.length
	k.count++
	if at == len(k.points) {
		k.points = append(k.points, make([]wakePoint, k.known))
	}
	points := k.points[at]
	for i := range points {
		points[i].x = float32(math.NaN())
	}
	query := k.agents.Query(k.world.ECS)
	for query.Next() {
		agent, pos, vel := query.Get()
		if i := agent.ID - 1; i < uint64(len(points)) {
			points[i] = wakePoint{float32(pos.X), float32(pos.Y), float32(r2.Norm(vel.Vec))}
		}
	}
}

// reach returns how long a wake can be, when a step goes so far.
func (k *wakes) reach(step float64) float64 {
	if k == nil {
		return 0
	}
	return step * float64((k.length+1)*k.every)
}

// all appends the wakes of those agents with some ids that are near. Their last
// points are where the agents are.
func (k *wakes) all(to []Wake, agents []Agent, ids []uint64, near r2.Box) []Wake {
	if k == nil {
		return to
	}
	for i := range agents {
		a, slot := &agents[i], ids[i]-1
		if slot >= uint64(k.known) || !near.Empty() && !near.Contains(a.Position) {
			continue
		}
		if len(to) == cap(to) {
			to = append(to, Wake{})
		} else {
			to = to[:len(to)+1] // with what it held before, for its memory
		}
		wake := &to[len(to)-1]
		wake.Agent = *a
		wake.Points, wake.Speeds = wake.Points[:0], wake.Speeds[:0]
		for n := len(k.points); n > 0; n-- {
			p := k.points[(k.count-n)%k.length][slot]
			if p.x == p.x {
				wake.Points = append(wake.Points, r2.Vec{X: float64(p.x), Y: float64(p.y)})
				wake.Speeds = append(wake.Speeds, float64(p.speed))
			}
		}
		wake.Points = append(wake.Points, a.Position)
		wake.Speeds = append(wake.Speeds, a.Speed)
	}
	return to
}
