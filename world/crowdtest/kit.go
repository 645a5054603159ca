package crowdtest

import (
	"reflect"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world"
)

type kit struct {
	t       testing.TB
	options Options
	name    string
	entry   *catalog.Entry // nil for a system without an entry
	system  func() any     // returns a new system; nil if the kit has an entry
	laws    catalog.Law
	values  []any             // components that agents have in addition to their state
	tracks  map[uint64]*track // by seed
	saves   []any             // for Config.Saved
}

// checks holds functions that return a fault, or the empty string.
var checks = []struct {
	name string
	run  func(*kit) string
}{
	{"defaults", (*kit).defaults},
	{"effect", (*kit).effect},
	{"force", (*kit).force},
	{"same bits", (*kit).sameBits},
	{"writes", (*kit).writes},
	{"state", (*kit).state},
	{"explained", (*kit).explained},
	{"saved", (*kit).saved},
	{"pause", (*kit).pause},
}

// laws must hold if they are declared, and otherwise must fail.
var laws = []struct {
	law  catalog.Law
	name string
	run  func(*kit) string
}{
	{catalog.Translation, "Translation", (*kit).translation},
	{catalog.Rotation, "Rotation", (*kit).rotation},
	{catalog.Mirror, "Mirror", (*kit).mirror},
	{catalog.Finite, "Finite", (*kit).finite},
	{catalog.NoAllocation, "NoAllocation", (*kit).noAllocation},
}

func (k *kit) run() {
	k.t.Helper()
	config, _ := k.config(true)
	k.values = k.valuesOf(behaviors(&config))
	if fault := k.needs(); fault != "" { // other checks would panic
		k.t.Errorf("%s: needs: %s", k.name, fault)
		return
	}
	for _, check := range checks {
		if fault := check.run(k); fault != "" {
			k.t.Errorf("%s: %s: %s", k.name, check.name, fault)
		}
	}
	for _, l := range laws {
		if l.law == catalog.NoAllocation && column.Copies {
			continue // copying columns may allocate
		}
		fault := l.run(k)
		switch {
		case k.laws.Has(l.law) && fault != "":
			k.t.Errorf("%s: law %s: %s", k.name, l.name, fault)
		case !k.laws.Has(l.law) && fault == "":
			k.t.Errorf("%s: law %s holds but is not declared", k.name, l.name)
		}
	}
}

// config returns the configuration of a crowd. It includes the behavior of an entry or, if with is true, a new
// system, which it also returns.
func (k *kit) config(with bool) (config world.Config, system any) {
	config = world.Default()
	config.Dt = dt
	if k.options.Config != nil {
		k.options.Config(&config)
	}
	config.Saved = append(config.Saved, k.saves...)
	switch {
	case k.entry == nil:
		if with {
			system = k.system()
			config.Steer = append(config.Steer, system)
		}
	case find(behaviors(&config), k.entry.Component) == nil:
		config.Behaviors = append(config.Behaviors, *k.entry)
	}
	return config, system
}

func behaviors(config *world.Config) []catalog.Entry {
	return append(systems.Catalog(), config.Behaviors...)
}

func find(all []catalog.Entry, component any) *catalog.Entry {
	for i := range all {
		if reflect.TypeOf(all[i].Component) == reflect.TypeOf(component) {
			return &all[i]
		}
	}
	return nil
}

// needed returns values of the components that the behavior or system needs, and of the behavior's own
// component.
func (k *kit) needed() (all []any) {
	if k.entry != nil {
		return append(slices.Clone(k.entry.Needs), k.entry.Component)
	}
	config, system := k.config(true)
	w, err := world.New(config)
	k.must(err)
	defer w.Close()
	for d := range w.Frame.Declared() {
		for _, t := range d.With {
			if any(d.System) == system {
				all = append(all, reflect.Zero(t).Interface())
			}
		}
	}
	return all
}

// own reports whether only agents with the behavior have components of type t.
func (k *kit) own(t reflect.Type) bool {
	if k.entry != nil {
		return reflect.TypeOf(k.entry.Component) == t
	}
	ours := slices.ContainsFunc(systems.Components(), func(c any) bool { return reflect.TypeOf(c) == t })
	return !ours && slices.ContainsFunc(k.values, func(c any) bool { return reflect.TypeOf(c) == t })
}

// needsSeek reports whether agents need a Seek because the behavior alone does not move them.
func (k *kit) needsSeek() bool {
	e := k.entry
	return e == nil || e.Does&(catalog.SetsTarget|catalog.LimitsSpeed) != 0 || e.Does == 0 || e.Phase == catalog.Choose
}

var seek = c.Seek{Gain: 1}
