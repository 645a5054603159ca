package crowdtest

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
)

// saved holds that a crowd which is saved, and restored into a new world, goes on with the
// same bits.
func (k *kit) saved() string {
	k.saves = k.unknown(k.track(1).crowd)
	one := k.crowd(plain(1))
	for range 5 {
		one.step()
	}
	var stream bytes.Buffer
	if err := one.Save(&stream); err != nil {
		return err.Error()
	}
	config, system := k.config(true)
	config.Workers = 1
	w, err := world.New(config)
	k.must(err)
	k.t.Cleanup(w.Close)
	if _, err := w.Restore(&stream); err != nil {
		return err.Error()
	}
	restored := &crowd{World: w, kit: k, types: one.types, agents: one.agents, system: system}
	for step := range steps + 1 {
		if fault := restored.snapshot().difference(one.snapshot(), nil); fault != "" {
			return fmt.Sprintf("seed 1, %d steps after it was saved and restored: %s", step, fault)
		}
		one.step()
		restored.step()
	}
	return ""
}

// unknown returns zero values of the components of a crowd that a world does not save unless
// it is told to.
func (k *kit) unknown(cr *crowd) (all []any) {
	config := cr.Config()
	known := slices.Concat(systems.Components(), config.Saved, config.Unsaved)
	for _, e := range config.Behaviors {
		known = append(known, e.Component)
	}
	for _, r := range cr.snapshot().rows {
		for _, value := range r.values {
			zero := reflect.Zero(cr.types.OurType(value.Type())).Interface()
			if !contains(known, zero) && !contains(all, zero) {
				all = append(all, zero)
			}
		}
	}
	return all
}
