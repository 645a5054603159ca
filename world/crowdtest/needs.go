package crowdtest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/mlange-42/arche/ecs"
)

// needs verifies that the systems of the behavior work on agents that have what it needs, and
// nothing else that they may lack.
func (k *kit) needs() (fault string) {
	var lacks reflect.Type
	defer func() {
		if value := recover(); value != nil {
			reason, _, _ := strings.Cut(fmt.Sprint(value), "\n")
			if fault = "panics: " + reason; lacks != nil {
				fault = fmt.Sprintf("panics for agents without %v, which Needs does not ask for: %s", lacks, reason)
			}
		}
	}()
	all := k.crowd(plain(2))
	all.step()
	works := all.workedOn()
	for _, lacks = range all.dispensable() {
		v := plain(2)
		v.lacks = lacks
		some := k.crowd(v)
		for range 2 {
			some.step()
		}
		if k.entry == nil {
			continue
		}
		left := some.workedOn()
		for _, name := range works {
			if !slices.Contains(left, name) {
				return fmt.Sprintf("%s passes over agents without %v: name it in the Needs of the entry, or declare it Optional", name, lacks)
			}
		}
	}
	return ""
}

// workedOn names the systems of the behavior that work on agents.
func (cr *crowd) workedOn() (names []string) {
	for d := range cr.Frame.Declared() {
		if cr.kit.isOf(d.System, cr) && slices.ContainsFunc(cr.agents, func(e ecs.Entity) bool { return d.Matches(cr.ECS, e) }) {
			names = append(names, d.Name)
		}
	}
	return names
}

// dispensable returns the types of the components that agents have beside those that the
// behavior needs.
func (cr *crowd) dispensable() (types []reflect.Type) {
	for _, value := range []any{c.Heading{}, c.Target{}, c.Limits{}, c.Mass{}, c.Radius{}} {
		if !contains(cr.kit.values, value) && cr.ECS.Has(cr.agents[0], ecs.TypeID(cr.ECS, cr.types.HostType(reflect.TypeOf(value)))) {
			types = append(types, reflect.TypeOf(value))
		}
	}
	return types
}
