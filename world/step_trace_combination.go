package world

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// combine takes the copy through a system that combines, and writes down what that
// grants of the force before it.
func (t *stepTrace) combine(x *Explanation, r *rule) {
	steer, sum := t.steering(), get[c.ForceCombination](&t.sandbox, t.agent)
	if steer == nil || sum == nil {
		return
	}
	// On top of nothing: what is granted has no rounding then.
	force, before := *steer, *sum
	sum.Vec = r2.Vec{}
	works := t.run(x, r)
	granted := sum.Vec
	if !works {
		*sum = before
		return
	}
	*steer, *sum = force, before
	t.run(x, r)
	x.Combination = t.of.config.Combination
	for i := len(x.Shares) - 1; i >= 0; i-- {
		if f := x.Shares[i].Force; f != nil {
			if f.Granted == nil { // the force of this behavior, and not an earlier one
				f.Granted = &granted
			}
			return
		}
	}
}

// granted is what is left of the force before MaxForce.
func (f *ForceShare) granted() r2.Vec {
	if f.Granted == nil {
		return f.Newtons
	}
	return *f.Granted
}

// truncate works out what is left of each force when their sum is shortened.
func (x *Explanation) truncate() {
	if x.MovedBy != "Integration" || x.taken {
		return
	}
	x.Truncated = vec.Truncate(x.Force, x.MaxForce)
	factor := 1.
	if x.Truncated != x.Force {
		factor = vec.Norm(x.Truncated) / vec.Norm(x.Force)
	}
	for _, s := range x.Shares {
		if s.Force != nil {
			s.Force.Truncated = vec.Scale(factor, s.Force.granted())
		}
	}
}
