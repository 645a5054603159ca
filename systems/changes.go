package systems

import "github.com/mlange-42/arche/ecs"

// Changes tells whether the system with that place in the frame's list, from 0,
// may change a living entity in the middle of a step: it works on the entity's
// row and writes a column, or is Exclusive. What a Sensor or an Observer does is not
// known. The frame must be initialized.
func (f *Frame) Changes(w *ecs.World, e ecs.Entity, place int) bool {
	mask := w.Mask(e)
	for _, st := range f.stages {
		if st.pass == nil {
			if st.serial.place == place {
				return true
			}
			continue
		}
		for _, m := range st.pass.members {
			if m.place == place && len(m.writes) > 0 && m.rows.Matches(&mask) {
				return true
			}
		}
	}
	return false
}
