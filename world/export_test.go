package world

import "github.com/8f878440/crowd/systems"

// BeforeArrival makes a world call see for each arrival before anything is done
// about it.
func (w *World) BeforeArrival(see func(systems.Arrived)) {
	then := w.config.OnArrived
	w.config.OnArrived = func(w *World, a systems.Arrived) {
		see(a)
		if then != nil {
			then(w, a)
		}
	}
}
