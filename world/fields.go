package world

import (
	"slices"

	"github.com/8f878440/crowd/systems/sense"
)

// AddFlowField adds a field to the table and returns its index, for components.FlowField. Agents
// can follow it from the next step on.
func (w *World) AddFlowField(f sense.FlowField) (uint32, error) {
	if err := f.Check(); err != nil {
		return 0, err
	}
	all := resource(w.ECS, &sense.FlowFields{})
	f.Goals = slices.Clone(f.Goals)
	*all = append(*all, f)
	return uint32(len(*all) - 1), nil
}
