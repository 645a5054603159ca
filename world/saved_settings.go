package world

import (
	"fmt"

	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

// setting is a field of Config that decides about the bits of a step.
type setting struct{ Name, Value string }

// savedSettings returns those of the configuration.
func (c *Config) savedSettings() []setting {
	var names []string
	for _, b := range c.Behaviors {
		names = append(names, b.Name)
	}
	box := c.Box
	if c.Bounds == systems.BoundsNone {
		box = r2.Box{}
	}
	all := []setting{}
	for _, s := range []struct {
		name  string
		value any
	}{
		{"Bounds", c.Bounds}, {"Box", box}, {"Seed", c.Seed}, {"Scan", c.Scan}, {"AvoidOutward", c.AvoidOutward},
		{"Prediction", c.Prediction}, {"FaithfulWalls", c.FaithfulWalls}, {"Hold", c.Hold}, {"FaithfulORCA", c.FaithfulORCA},
		{"FaithfulFacing", c.FaithfulFacing}, {"FaithfulArrivals", c.FaithfulArrivals}, {"Combination", c.Combination},
		{"Priority", c.Priority}, {"Chances", c.Chances}, {"Behaviors", names}, {"Measure", c.measures()}, {"Safety", c.Safety}, {"Lines", c.Lines}, {"Areas", c.Areas},
	} {
		all = append(all, setting{s.name, fmt.Sprintf("%v", s.value)})
	}
	return all
}

// checkSettings returns an error that names the first setting that was another one when
// the world was saved.
func (c *Config) checkSettings(saved []setting) error {
	now := c.savedSettings()
	if len(saved) != len(now) {
		return fmt.Errorf("it has %d settings, want %d", len(saved), len(now))
	}
	for i, s := range saved {
		if s != now[i] {
			return fmt.Errorf("Config.%s was %s when the world was saved, and is %s", s.Name, s.Value, now[i].Value)
		}
	}
	return nil
}
