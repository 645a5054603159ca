package benchmarks

import (
	"fmt"
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// objects is a textbook crowd: pointers to agents, each with a list of behaviors behind an interface, and
// a loop over all obstacles.
type objects struct {
	*Workload
	agents []*object
	obstacles
}

type object struct {
	position, velocity, target        r2.Vec
	mass, maxSpeed, maxForce, slowing float64
	behaviors                         []behavior
}

// behavior computes a force in newtons.
type behavior interface {
	Steer(*object) r2.Vec
}

func startObjects(w *Workload, agents, _ int) (Runner, error) {
	if float64(agents)*float64(w.Obstacles) > mostTests {
		return nil, fmt.Errorf("%s: objects cannot test %d agents against %d obstacles, want at most %g pairs", w.Name, agents, w.Obstacles, mostTests)
	}
	k := &objects{Workload: w, obstacles: newObstacles(w)}
	for range agents {
		a := &object{mass: 1, maxSpeed: maxSpeed, maxForce: maxForce, slowing: slowing}
		if w.Seek {
			a.behaviors = append(a.behaviors, &seeking{gain})
		} else {
			a.behaviors = append(a.behaviors, &arriving{gain})
		}
		if w.Obstacles > 0 {
			a.behaviors = append(a.behaviors, &avoiding{&k.obstacles, lookAhead, avoidance})
		}
		k.agents = append(k.agents, a)
	}
	k.Reset()
	return k, nil
}

func (k *objects) Reset() {
	for i, a := range k.agents {
		a.position, a.velocity = k.start(i)
		a.target = k.Workload.target(i)
	}
	k.obstacles.reset()
}

func (k *objects) Step() {
	k.move(nil)
	for _, a := range k.agents {
		a.step()
	}
}

func (k *objects) State() (positions, velocities []r2.Vec) {
	for _, a := range k.agents {
		positions, velocities = append(positions, a.position), append(velocities, a.velocity)
	}
	return positions, velocities
}

func (k *objects) Close() {}

func (a *object) step() {
	force := r2.Vec{}
	for _, b := range a.behaviors {
		force = vec.Add(force, b.Steer(a))
	}
	force = vec.Truncate(force, a.maxForce)
	a.velocity = vec.Truncate(vec.AddScaled(a.velocity, dt/a.mass, force), a.maxSpeed)
	a.position = vec.AddScaled(a.position, dt, a.velocity)
}

type seeking struct{ gain float64 }

func (s *seeking) Steer(a *object) r2.Vec {
	desired := vec.WithNorm(vec.Sub(a.target, a.position), a.maxSpeed)
	return vec.Scale(s.gain, vec.Sub(desired, a.velocity))
}

type arriving struct{ gain float64 }

func (s *arriving) Steer(a *object) r2.Vec {
	to := vec.Sub(a.target, a.position)
	desired := vec.WithNorm(to, a.maxSpeed)
	if vec.Norm2(to) < a.slowing*a.slowing {
		desired = vec.Scale(a.maxSpeed/a.slowing, to)
	}
	return vec.Scale(s.gain, vec.Sub(desired, a.velocity))
}

type avoiding struct {
	obstacles *obstacles
	lookAhead float64
	maxForce  float64
}

func (s *avoiding) Steer(a *object) r2.Vec {
	dir := vec.Unit(a.velocity)
	var threat *circle
	nearest := s.lookAhead
	for i := range s.obstacles.circles {
		o := &s.obstacles.circles[i]
		if t, ok := o.hit(a.position, dir); ok && (t < nearest || t == nearest && threat == nil) {
			threat, nearest = o, t
		}
	}
	if threat == nil {
		return r2.Vec{}
	}
	normal := vec.Unit(vec.AddScaled(vec.Sub(a.position, threat.at), nearest, dir))
	side := vec.Right(dir)
	switch {
	case dir == r2.Vec{}:
		side = normal
	case vec.Dot(normal, side) < 0:
		side = vec.Left(dir)
	}
	return vec.Scale(s.maxForce, side)
}

// hit reports whether a ray from p along dir, a unit vector or 0, hits the circle or starts in it, and
// returns the distance to the circle, or 0 if p is inside.
func (o *circle) hit(p, dir r2.Vec) (float64, bool) {
	w := vec.Sub(o.at, p)
	gap := vec.Norm2(w) - float64(o.radius*o.radius)
	ahead, aside := vec.Dot(w, dir), math.Abs(vec.Cross(w, dir))
	if !(ahead > 0 && aside <= o.radius) {
		return 0, gap <= 0
	}
	return max(gap, 0) / (ahead + math.Sqrt((o.radius-aside)*(o.radius+aside))), true
}
