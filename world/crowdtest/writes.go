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

// writes runs crowds with all that there is before and after each system of the behavior: a
// system writes the columns that it declares, of the rows that it works on. One that also
// looks at the end of a step may write everything, and so may one with the world to itself.
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
			if system, is := s.(frame.System); is && k.isOf(s, crowd) && !observes(s) {
				w := &watcher{crowd: crowd, system: system}
				watchers = append(watchers, w)
				list = append(list, &before{w}, s, w)
			} else {
				list = append(list, s)
			}
		}
		if fault := crowd.watch(list, watchers); fault != "" {
			return fault
		}
	}
	return ""
}

// isOf reports whether a system is one of the behavior.
func (k *kit) isOf(s any, cr *crowd) bool {
	if k.entry == nil {
		return s == cr.system
	}
	carriesOut := slices.Clone(k.entry.By)
	if k.entry.System != nil {
		carriesOut = append(carriesOut, k.entry.System(catalog.Options{systems.Settings{}, cr.Obstacles, cr.Neighbors, cr.Fields}))
	}
	return contains(carriesOut, s)
}

func observes(s any) bool {
	_, is := s.(frame.Observer)
	return is
}

// watch runs a frame of systems, and returns what its watchers see.
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

// watcher has the world to itself after a system, and looks what that has changed.
type watcher struct {
	crowd    *crowd
	system   frame.System
	declared *frame.Declared
	was      *snapshot
	fault    string
}

// before has the world to itself before a system, for the watcher.
type before struct{ watcher *watcher }

func (b *before) Update(*ecs.World) { b.watcher.was = b.watcher.crowd.snapshot() }

func (w *watcher) Update(world *ecs.World) {
	is, d := w.crowd.snapshot(), w.declared
	if fault := is.difference(w.was, func(e ecs.Entity, _ reflect.Type) bool { return d.Matches(world, e) }); fault != "" {
		w.fault = fmt.Sprintf("%s writes where it does not work: %s", d.Name, fault)
	} else if fault := is.difference(w.was, func(e ecs.Entity, t reflect.Type) bool {
		return !d.Matches(world, e) || slices.Contains(d.Writes, w.crowd.types.OurType(t))
	}); fault != "" {
		w.fault = fmt.Sprintf("%s writes what it does not declare as written: %s", d.Name, fault)
	}
}
