package world

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// saveVersion changes whenever an older stream could be misread.
const saveVersion = 3

// Save writes the whole state of the world for Restore. Call it between two steps. The state includes all
// entities, with all components except those in Config.Unsaved; the resources of this module and of
// Config.Saved, but no others; IDs, the clock, the progress of sources, counts (except durations),
// measurements, pending removals, and the state of systems that implement frame.Keeper. A relation to a dead
// entity loses its target.
//
// The stream has a version, and a checksum per block, but is not compressed. It is the same on every machine,
// for any number of workers. Bound types are saved as this module's types. Only the same version of this
// module and of the host can read the stream.
//
// Save returns an error if a component of an entity is neither saved nor in Config.Unsaved, if agents
// share an ID, if an ID is the largest uint64, if a component refers to an entity that the world never
// had, if a spawn is pending, or if an interrupted step was undone. It also returns errors from encoding
// JSON and from the writer. It panics if the world is locked.
func (w *World) Save(out io.Writer) error {
	w.mustBeIdle("Save")
	if w.final != nil {
		return fmt.Errorf("cannot save: %w", ErrInterrupted)
	}
	if n := len(w.spawns); n > 0 {
		return fmt.Errorf("cannot save: pending spawns: %d; save after the next step", n)
	}
	var ids []uint64
	w.eachAgent(func(a c.Agent, _ *column.Run, _ int) bool {
		ids = append(ids, a.ID)
		return true
	})
	err := w.checkKinds()
	var entities *entitySet
	if err == nil {
		entities, err = w.census()
	}
	if err = cmp.Or(err, checkIDs(ids)); err != nil {
		return fmt.Errorf("cannot save: %w", err)
	}
	a := archive.Write(out, saveVersion)
	a.Entity = func(e ecs.Entity) (ecs.Entity, error) { return e, within(e, len(entities.dump.Entities)) }
	settings := w.config.savedSettings()
	a.Block("config", func() { a.Keep(&settings) })
	entities.write(a, w)
	tables := w.savedTables()
	tables.keep(a)
	if err := w.saveHost(a); err != nil {
		return fmt.Errorf("cannot save: %w", err)
	}
	w.keep(a)
	return a.Close()
}

var errUnknownEntity = errors.New("the world never had that entity")

func within(e ecs.Entity, n int) error {
	if int(e.ID()) >= n {
		return fmt.Errorf("%s: %w", entityText(e), errUnknownEntity)
	}
	return nil
}

type savedType struct {
	name string
	ours reflect.Type // in the stream
	host reflect.Type // in the world: the bound type, if there is one
}

func (t *savedType) fields() []string { return archive.Fields(t.ours) }

func (w *World) savedTypes() map[string]savedType {
	all := map[string]savedType{}
	add := func(component any) {
		if t := reflect.TypeOf(component); t.Kind() != reflect.Pointer {
			ours := w.types.OurType(t)
			all[ours.String()] = savedType{ours.String(), ours, w.types.HostType(ours)}
		}
	}
	for _, component := range systems.Components() {
		add(component)
	}
	for _, e := range w.config.Behaviors {
		for _, component := range slices.Concat([]any{e.Component}, e.Needs, e.Adds) {
			add(component)
		}
	}
	for _, component := range w.config.Saved {
		add(component)
	}
	return all
}

func (c *Config) checkSaved(bound column.Bindings) error {
	types := map[reflect.Type]int{} // index in Saved
	names := map[string]reflect.Type{}
	for _, component := range systems.Components() {
		names[reflect.TypeOf(component).String()] = reflect.TypeOf(component)
	}
	for i, value := range c.Saved {
		t := reflect.TypeOf(value)
		if t == nil {
			return fmt.Errorf("saved[%d] is nil, want a component, or a pointer to a resource", i)
		}
		if first, ok := types[t]; ok {
			return fmt.Errorf("saved[%d] is %v again, after saved[%d]; list each type once", i, t, first)
		}
		types[t] = i
		if t.Kind() == reflect.Pointer {
			if slices.Contains(ourResources(), t.Elem()) {
				return fmt.Errorf("saved[%d] is %v, which is always saved; list only resources of your own", i, t)
			}
			continue
		}
		if ours := bound.OurType(t); ours != t {
			return fmt.Errorf("saved[%d] is %v, which stands in for %v and is always saved; list only other components", i, t, ours)
		}
		if names[t.String()] == t {
			return fmt.Errorf("saved[%d] is %v, which is always saved; list only components of your own", i, t)
		}
		if fault := archive.Fault(t); fault != "" {
			return fmt.Errorf("saved[%d] is the component %v with %s; keep variable data in a resource", i, t, fault)
		}
		if !archive.Plain(t) {
			return fmt.Errorf("saved[%d] is the component %v with strings or slices, want plain values of a fixed size; keep variable data in a resource", i, t)
		}
		if _, ok := names[t.String()]; ok {
			return fmt.Errorf("saved[%d] is one of two types with the name %v, want different names", i, t)
		}
		names[t.String()] = t
	}
	for i, value := range c.Unsaved {
		t := reflect.TypeOf(value)
		if t == nil {
			return fmt.Errorf("unsaved[%d] is nil, want a component", i)
		}
		if t.Kind() == reflect.Pointer {
			return fmt.Errorf("unsaved[%d] is a %T, want a component", i, value)
		}
	}
	return nil
}

type savedComponent struct {
	Name   string
	Fields []string
}

func (s *savedComponent) check(t savedType) error {
	fields := t.fields()
	for i, f := range s.Fields {
		if i >= len(fields) {
			return fmt.Errorf("%s has the field %q, but the current type has %d fields", s.Name, f, len(fields))
		}
		if f != fields[i] {
			return fmt.Errorf("field %d of %s is %q, but %q in the current type", i, s.Name, f, fields[i])
		}
	}
	if n := len(s.Fields); n < len(fields) {
		return fmt.Errorf("%s lacks the field %q of the current type", s.Name, fields[n])
	}
	return nil
}

func unknownComponents(counts map[reflect.Type]int) error {
	if len(counts) == 0 {
		return nil
	}
	var parts []string
	for t, n := range counts {
		have := "entities have"
		if n == 1 {
			have = "entity has"
		}
		parts = append(parts, fmt.Sprintf("%d %s %v", n, have, t))
	}
	slices.Sort(parts)
	return fmt.Errorf("%s; list these components in Config.Saved, or in Config.Unsaved to leave them out", strings.Join(parts, ", "))
}

// setting is a field of Config that must be the same for Save and Restore.
type setting struct{ Name, Value string }

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

func (c *Config) checkSettings(saved []setting) error {
	now := c.savedSettings()
	if len(saved) != len(now) {
		return fmt.Errorf("have %d settings, want %d", len(saved), len(now))
	}
	for i, s := range saved {
		if s != now[i] {
			return fmt.Errorf("configuration differs: Config.%s was %s when the world was saved, but is %s now", s.Name, s.Value, now[i].Value)
		}
	}
	return nil
}

func (w *World) keep(a *archive.Archive) {
	a.Block("world", func() {
		n := &w.counts
		a.Keep(&n.Steps, &n.Goals, &n.Arrived, &n.ArrivedOnce, &n.Departed, &n.arrivalTime, &w.newcomers, &w.removals)
		w.keepSources(a)
	})
	w.Frame.Keep(a)
	if m := w.measures; m != nil {
		a.Block("times of arrivals", func() { a.Keep(&m.times) })
		m.frame.Keep(a)
	}
}

type sourceState struct{ Came, Try int }

// keepSources writes or reads the progress of sources, including sources yet to be added.
func (w *World) keepSources(a *archive.Archive) {
	var all []sourceState
	for _, s := range w.sources {
		all = append(all, sourceState{s.spawned, s.try})
	}
	all = append(all, w.saved...)
	a.Keep(&all)
	if !a.Reading() {
		return
	}
	for i, s := range w.sources {
		if i >= len(all) {
			a.Fail("have %d sources, want %d or more, as in the world", len(all), len(w.sources))
			return
		}
		s.spawned, s.try = all[i].Came, all[i].Try
	}
	w.saved = all[min(len(w.sources), len(all)):]
	for _, s := range all {
		if s.Came < 0 || s.Try < 0 {
			a.Fail("a source has spawned %d agents and tried %d times, want 0 or more of each", s.Came, s.Try)
		}
	}
}
