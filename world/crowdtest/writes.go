package crowdtest

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// writes verifies that each system of the behavior writes only the columns that it declares as written,
// in rows that it works on. It does not check Observers and Exclusives, which may write everything.
func (k *kit) writes() string {
	for _, only := range []int{0, 5} {
		v := plain(2)
		v.only = only
		crowd := k.crowd(v)
		crowd.step()
		crowd.Close()
		var list []any
		var watchers []*watcher
		for _, s := range crowd.Frame.Systems() {
			system, is := s.(frame.System)
			_, observes := s.(frame.Observer)
			if !is || observes || !k.isOf(s, crowd) {
				list = append(list, s)
				continue
			}
			w := &watcher{crowd: crowd, system: system}
			watchers = append(watchers, w)
			list = append(list, during(func() { w.was = crowd.snapshot() }), s, during(w.check))
		}
		if fault := crowd.watch(list, watchers); fault != "" {
			return fault
		}
	}
	return ""
}

// isOf reports whether a system belongs to the behavior.
func (k *kit) isOf(s any, cr *crowd) bool {
	if k.entry == nil {
		return s == cr.system
	}
	all := slices.Clone(k.entry.By)
	if k.entry.System != nil {
		all = append(all, k.entry.System(catalog.Options{systems.Settings{}, cr.Obstacles, cr.Neighbors, cr.Fields}))
	}
	return contains(all, s)
}

// watch runs three steps of a frame of systems and returns the first fault of the watchers.
func (cr *crowd) watch(list []any, watchers []*watcher) string {
	f := cr.frame(list)
	defer f.Finalize(cr.ECS)
	for d := range f.Declared() {
		for _, w := range watchers {
			if w.system == d.System {
				w.declared = d
			}
		}
	}
	for range 3 {
		f.Update(cr.ECS)
		cr.Clock.Advance()
		for _, w := range watchers {
			if w.fault != "" {
				return w.fault
			}
		}
	}
	return ""
}

// frame returns a frame of systems for the closed crowd.
func (cr *crowd) frame(list []any) *frame.Frame {
	f := frame.New(list...)
	cr.kit.must(f.Bind(cr.Config().Bind...))
	f.Workers = 1
	f.Initialize(cr.ECS)
	return f
}

type watcher struct {
	crowd    *crowd
	system   frame.System
	declared *frame.Declared
	was      *snapshot
	fault    string
}

func (w *watcher) check() {
	is, d := w.crowd.snapshot(), w.declared
	worked := func(e ecs.Entity, _ reflect.Type) bool { return d.Matches(w.crowd.ECS, e) }
	allowed := func(e ecs.Entity, t reflect.Type) bool {
		return !worked(e, t) || slices.Contains(d.Writes, w.crowd.types.OurType(t))
	}
	if fault := is.difference(w.was, worked); fault != "" {
		w.fault = fmt.Sprintf("%s writes rows that it does not work on: %s", d.Name, fault)
	} else if fault := is.difference(w.was, allowed); fault != "" {
		w.fault = fmt.Sprintf("%s writes columns that it does not declare as written: %s", d.Name, fault)
	}
}
