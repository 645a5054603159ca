package systems

import (
	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/walking"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// choice is what an agent prefers, and then what it takes instead.
type choice struct {
	velocity r2.Vec  // m/s
	maxSpeed float64 // m/s; 0: it does not choose
}

// mind is the memory of a worker.
type mind struct {
	solver   orca.Solver
	who      orca.Agent    // that is added
	rules    walking.Rules // of it
	walker   walking.Walker
	walked   walking.Account
	heeded   []Heeded // of the agent, if there is an account
	choosing []uint32 // places of those that are
	others   orca.Others
	shares   []float64
	parts    []sense.Part // around agents in one cell
	until    int          // in the block: that are before this one
	walls    []*orca.Edge
	lines    orca.Sightlines
	far      float64  // m, how far agents looked for walls
	_        [64]byte // workers write on lines of their own
}
