package world

import (
	"fmt"
	"reflect"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
)

// checkNeeds refuses a behavior without what it needs: its system would pass the agents
// by, and nobody would know why. It refuses two that write the same Target, each undoing the
// other's work.
func (cfg *Config) checkNeeds(has map[reflect.Type]bool) error {
	var way any // that was found first
	for _, e := range cfg.behaviors() {
		for _, need := range e.Needs {
			if has[reflect.TypeOf(e.Component)] && !has[reflect.TypeOf(need)] {
				return fmt.Errorf("%T needs %T", e.Component, need)
			}
		}
		if !e.Does.Has(catalog.FindsWay) || !has[reflect.TypeOf(e.Component)] {
			continue
		}
		if way != nil {
			return fmt.Errorf("%T and %T both find the way, want one of them", way, e.Component)
		}
		way = e.Component
	}
	return nil
}

// checkBehavior returns an error that names the first agent with a parameter of a
// behavior that is not allowed.
func (w *World) checkBehavior(r *Rows, e *catalog.Entry) (err error) {
	mass := Column[c.Mass](r)
	e.Each(r.column(reflect.TypeOf(e.Component), e.Column), r.Len, func(i int, component any, params []catalog.Param) {
		if err != nil {
			return
		}
		m := 1.
		if mass != nil {
			m = mass[i].Kilograms
		}
		key, problem := e.Problem(component, params, m, w.config.Dt)
		if problem == "" {
			key, problem = systems.CheckReferences(w.ECS, params)
		}
		if problem != "" {
			err = fmt.Errorf("agent %d: %s %s", Column[c.Agent](r)[i].ID, strings.TrimSpace(e.Name+" "+key), problem)
		}
	})
	return err
}
