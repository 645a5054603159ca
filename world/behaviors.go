package world

import (
	"fmt"
	"reflect"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
)

// behaviors returns all there are: ours, and then those of a host.
func (c *Config) behaviors() []catalog.Entry { return append(systems.Catalog(), c.Behaviors...) }

// settings returns how the rules work.
func (c *Config) settings() systems.Settings {
	return systems.Settings{
		Seed: c.Seed, Prediction: c.Prediction, Scan: c.Scan, AvoidOutward: c.AvoidOutward,
		FaithfulArrivals: c.FaithfulArrivals, FaithfulFacing: c.FaithfulFacing,
		FaithfulWalls: c.FaithfulWalls, FaithfulORCA: c.FaithfulORCA,
	}
}

// checkBehaviors returns an error that names the first of a host's behaviors that is not
// complete, or that there is already.
func (c *Config) checkBehaviors() error {
	if len(c.Behaviors) == 0 {
		return nil
	}
	names, components := map[string]bool{}, map[reflect.Type]bool{}
	for _, e := range c.behaviors() {
		if err := e.Validate(); err != nil {
			return err
		}
		t := reflect.TypeOf(e.Component)
		if names[e.Name] || components[t] {
			return fmt.Errorf("behavior %s with component %v is there twice", e.Name, t)
		}
		names[e.Name], components[t] = true, true
	}
	return nil
}
