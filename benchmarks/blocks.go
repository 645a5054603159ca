package benchmarks

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r2"
)

// blocks is plain in three loops over some agents at a time, one for each square
// root: a wrong guess whether a limit is exceeded is then noticed sooner. It does
// W1 and W2.
type blocks struct {
	*plain
	velocities [blockSize]r2.Vec // with the force, before the speed limit
}

const blockSize = 64

func startBlocks(w *Workload, agents, workers int) (Runner, error) {
	if w.Obstacles > 0 {
		return nil, fmt.Errorf("%s: blocks does W1 and W2 only", w.Name)
	}
	k, err := startPlain(w, agents, workers)
	return &blocks{plain: k.(*plain)}, err
}

func (k *blocks) Step() {
	for lo := 0; lo < len(k.pos); lo += blockSize {
		hi := min(lo+blockSize, len(k.pos))
		k.block(k.pos[lo:hi], k.vel[lo:hi], k.target[lo:hi])
	}
}

func (k *blocks) block(pos, vel, target []r2.Vec) {
	v := k.velocities[:len(pos)]
	vel, target = vel[:len(pos)], target[:len(pos)]
	if k.Seek {
		for i, p := range pos {
			v[i] = seek(p, vel[i], target[i], maxSpeed, gain)
		}
	} else {
		for i, p := range pos {
			v[i] = arrival(p, vel[i], target[i], maxSpeed, slowing, gain)
		}
	}
	for i := range v {
		v[i] = along(vel[i], dt, limit(v[i], maxForce))
	}
	for i := range v {
		vel[i] = limit(v[i], maxSpeed)
		pos[i] = along(pos[i], dt, vel[i])
	}
}
