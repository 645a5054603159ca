package world

import (
	"fmt"
	"reflect"

	c "github.com/8f878440/crowd/components"
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
		key, problem := problemOf(e, component, params, m, w.Clock.Dt)
		switch {
		case problem == "":
		case key == "":
			err = fmt.Errorf("agent %d: %s %s", Column[c.Agent](r)[i].ID, e.Name, problem)
		default:
			err = fmt.Errorf("agent %d: %s %s %s", Column[c.Agent](r)[i].ID, e.Name, key, problem)
		}
	})
	return err
}

// problemOf returns what is wrong with a component of an agent with a mass, and with
// which parameter, where steps are of length dt.
func problemOf(e *catalog.Entry, component any, params []catalog.Param, mass, dt float64) (key, problem string) {
	for k := range params {
		p := &params[k]
		if problem = gainProblem(p, mass, dt); problem == "" {
			problem = p.Problem()
		}
		if problem != "" {
			return p.Key, problem
		}
	}
	if e.Check != nil {
		return e.Check(component)
	}
	return "", ""
}

// gainProblem refuses a gain that would remove more than the whole error in one step:
// gain·dt/mass above 1 swings, and above 2 grows without end.
func gainProblem(p *catalog.Param, mass, dt float64) string {
	if !p.Gain || p.Unit != "kg/s" {
		return ""
	}
	gain, _ := p.Number()
	if tau := gain * dt / mass; !(tau >= 0 && tau <= 1) {
		return fmt.Sprintf("is %v kg/s, want 0 to mass/dt = %v", gain, mass/dt)
	}
	return ""
}
