package main

import (
	"fmt"

	"github.com/8f878440/crowd/world/scene"
)

// idleFlag is a flag that does nothing in some company, and why.
type idleFlag struct {
	name string
	idle bool
	why  string
}

// refuse returns an error for the first flag that is on the command line and would do
// nothing: who gave it expects something of it.
func (e *env) refuse(flags ...idleFlag) error {
	for _, f := range flags {
		if f.idle && e.given[f.name] {
			return fmt.Errorf("--%s %s", f.name, f.why)
		}
	}
	return nil
}

// ownBehaviors is the flag --model with a scene that has behaviors of its own.
func ownBehaviors(s *scene.Scene) idleFlag {
	return idleFlag{"model", s.Model == "", fmt.Sprintf("is for SteerBench and UMANS files, and %s has behaviors of its own", s.Name)}
}
