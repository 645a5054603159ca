package systems

import "github.com/8f878440/crowd/internal/space"

// Occupancy tells how full the index of the obstacles is: what there is to
// look through, and how much of it one look-up reads.
type Occupancy = space.Occupancy

// Occupancy returns how full the index is. It takes as long as building it: it
// is for reports, not for every step.
func (o *Obstacles) Occupancy() Occupancy { return o.index.Occupancy() }
