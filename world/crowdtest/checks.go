package crowdtest

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// effect reports a fault if no agent moves differently with the behavior, unless the behavior only observes.
// For a system without an entry, a change to any component suffices.
func (k *kit) effect() string {
	if e := k.entry; e != nil && e.Does&^(catalog.SeesAgents|catalog.SeesObstacles) == 0 && e.Phase != catalog.Choose {
		return ""
	}
	for seed := range uint64(seeds) {
		v := plain(seed)
		v.without = true
		without := k.crowd(v)
		for range steps {
			without.step()
		}
		if !slices.Equal(k.track(seed).states[steps], without.states()) {
			return ""
		}
		if k.entry == nil && k.track(seed).crowd.snapshot().difference(without.snapshot(), nil) != "" {
			return ""
		}
	}
	return "agents move the same way with and without the behavior"
}

func (k *kit) noAllocation() string {
	crowd := k.crowd(plain(1))
	crowd.step()
	crowd.step()
	if n := testing.AllocsPerRun(20, crowd.step); n > 0 {
		return "a step allocates"
	}
	return ""
}

func (k *kit) explained() string {
	if k.entry == nil {
		return ""
	}
	crowd := k.crowd(plain(3))
	for step := range 6 {
		var want []world.State
		for _, agent := range crowd.agents {
			x, err := crowd.Inspect().Explain(agent)
			k.must(err)
			want = append(want, x.After)
		}
		crowd.step()
		for i, got := range crowd.states() {
			if got != want[i] {
				return fmt.Sprintf("after step %d: agent %d has %s, want %s, as Inspector.Explain predicted", step+1, i+1, stateText(got), stateText(want[i]))
			}
		}
	}
	return ""
}

// scales range from zero and denormal numbers to numbers whose squares overflow.
var scales = []float64{0, 5e-324, 1e-310, 1e-300, 1e-12, 1, 1e12, 1e150, 1e300}

func (k *kit) finite() string {
	v := plain(0)
	v.together = true
	if fault := k.crowd(v).finite(); fault != "" {
		return "with all agents in one place, " + fault
	}
	for _, scale := range scales {
		for seed := range uint64(2) {
			if seed > 0 && scale < 1e-300 {
				break // other seeds give almost the same crowd
			}
			v := plain(seed)
			v.scale = scale
			if fault := k.crowd(v).finite(); fault != "" {
				return fmt.Sprintf("with lengths of %v m, seed %d, %s", scale, seed, fault)
			}
		}
	}
	return ""
}

func (cr *crowd) finite() string {
	for step := range steps {
		cr.step()
		if fault := cr.notFinite(); fault != "" {
			return fmt.Sprintf("after step %d: %s", step+1, fault)
		}
	}
	return ""
}

func (cr *crowd) notFinite() string {
	for i, s := range cr.states() {
		if !vec.Finite(s.Position) || !vec.Finite(s.Velocity) || !vec.Finite(s.Heading) {
			return fmt.Sprintf("agent %d has %s, want finite numbers", i+1, stateText(s))
		}
	}
	if fault := cr.snapshot().notANumber(); fault != "" {
		return fault + ", want a number"
	}
	if n := cr.Stats().Skipped; n > 0 {
		return fmt.Sprintf("Stats.Skipped is %d, want 0: a force or another number is not finite", n)
	}
	return ""
}

// needs verifies that the behavior works on agents without the components that its entry does not need.
func (k *kit) needs() (fault string) {
	var lacks reflect.Type
	defer func() {
		if value := recover(); value != nil {
			reason, _, _ := strings.Cut(fmt.Sprint(value), "\n")
			if fault = "panics: " + reason; lacks != nil {
				fault = fmt.Sprintf("panics for agents without %v, which Needs does not list: %s", lacks, reason)
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
				return fmt.Sprintf("%s skips agents without %v: name it in the Needs of the entry, or declare it Optional", name, lacks)
			}
		}
	}
	return ""
}

func (cr *crowd) workedOn() (names []string) {
	for d := range cr.Frame.Declared() {
		if cr.kit.isOf(d.System, cr) && slices.ContainsFunc(cr.agents, func(e ecs.Entity) bool { return d.Matches(cr.ECS, e) }) {
			names = append(names, d.Name)
		}
	}
	return names
}

// dispensable returns the types of the state components that the behavior does not need.
func (cr *crowd) dispensable() (types []reflect.Type) {
	for _, value := range []any{c.Heading{}, c.Target{}, c.Limits{}, c.Mass{}, c.Radius{}} {
		if !contains(cr.kit.values, value) && cr.ECS.Has(cr.agents[0], ecs.TypeID(cr.ECS, cr.types.HostType(reflect.TypeOf(value)))) {
			types = append(types, reflect.TypeOf(value))
		}
	}
	return types
}

// pause verifies that steps of length 0 change nothing, at once or later.
func (k *kit) pause() string {
	one, other := k.crowd(plain(1)), k.crowd(plain(1))
	for step := range steps {
		before, dt := other.snapshot(), other.Clock.Dt
		other.Clock.Dt = 0
		other.step()
		if fault := other.snapshot().difference(before, nil); fault != "" {
			return fmt.Sprintf("a step of length 0 after step %d changes the state: %s", step, fault)
		}
		other.Clock.Dt = dt
		other.step()
		one.step()
		if fault := other.snapshot().difference(one.snapshot(), nil); fault != "" {
			return fmt.Sprintf("with steps of length 0 in between, after step %d: %s", step+1, fault)
		}
	}
	return ""
}

// state verifies that catalog.Entry.State is empty if and only if the clock and the components determine the
// next steps.
func (k *kit) state() string {
	if k.entry == nil {
		return ""
	}
	fault := ""
	for seed := range uint64(seeds) {
		one, copied := k.track(seed).crowd, k.crowd(plain(seed))
		copied.become(one)
		for step := range steps {
			one.step()
			copied.step()
			for i, got := range copied.states() {
				if want := one.states()[i]; got != want && fault == "" {
					fault = fmt.Sprintf("seed %d, step %d after a copy of the clock and all components: agent %d has %s, want %s; name the other state in Entry.State",
						seed, step+1, i+1, stateText(got), stateText(want))
				}
			}
		}
	}
	switch {
	case fault != "" && k.entry.State == "":
		return fault
	case fault == "" && k.entry.State != "":
		return fmt.Sprintf(`Entry.State is %q, want "": the clock and all components determine the next steps`, k.entry.State)
	}
	return ""
}

// become copies the clock and all components from a crowd with the same entities.
func (cr *crowd) become(from *crowd) {
	*cr.Clock = *from.Clock
	for _, r := range from.snapshot().rows {
		for _, value := range r.values {
			column.Set(cr.ECS, r.entity, value.Interface())
		}
	}
}

// variants must give the same bits as a run with one worker, default batches, and rows in the order of IDs.
var variants = []variant{
	{workers: 1, batchRows: 5},
	{workers: 2, batchRows: 1},
	{workers: 3, batchRows: 4},
	{workers: 2, batchRows: 1, shuffled: true},
}

func (k *kit) sameBits() string {
	for seed := range uint64(2) {
		one := k.crowd(plain(seed))
		var others []*crowd
		for _, v := range variants {
			v.seed, v.scale, v.motion = seed, 1, identity
			others = append(others, k.crowd(v))
		}
		for step := range steps {
			one.step()
			want := one.snapshot()
			for i, other := range others {
				other.step()
				if fault := other.snapshot().difference(want, nil); fault != "" {
					return fmt.Sprintf("seed %d, after step %d, with %s: %s", seed, step+1, variants[i], fault)
				}
			}
		}
	}
	return ""
}

func (v variant) String() string {
	text := fmt.Sprintf("%d workers", v.workers)
	if v.workers == 1 {
		text = "1 worker"
	}
	if v.batchRows > 0 {
		text += fmt.Sprintf(" and batches of %d rows", v.batchRows)
	}
	if v.shuffled {
		text += ", rows in a different order"
	}
	return text
}

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
			return fmt.Sprintf("seed 1, step %d after Save and Restore: %s", step, fault)
		}
		one.step()
		restored.step()
	}
	return ""
}

// unknown returns zero values of the crowd's components, except this module's, the behaviors' own, and those
// in Config.Saved and Config.Unsaved.
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

func (k *kit) translation() string {
	by := r2.Vec{X: 24, Y: -40}
	return k.moved(motion{func(p r2.Vec) r2.Vec { return vec.Add(p, by) }, identity.turn})
}

// rotation rotates crowds by an arbitrary angle, or by 90° if a parameter is an axis-aligned box.
func (k *kit) rotation() string {
	if k.entry != nil {
		for _, p := range k.entry.Params(k.entry.New()) {
			if _, is := p.At.(*r2.Box); is {
				return k.moved(linear(vec.Left))
			}
		}
	}
	sin, cos := math.Sincos(0.7)
	return k.moved(linear(func(v r2.Vec) r2.Vec { return vec.Rotate(v, cos, sin) }))
}

func (k *kit) mirror() string {
	return k.moved(linear(func(v r2.Vec) r2.Vec { return r2.Vec{X: -v.X, Y: v.Y} }))
}

// moved verifies that the images of crowds under the motion m move as the crowds do.
func (k *kit) moved(m motion) string {
	tolerance := k.tolerance()
	for seed := range uint64(seeds) {
		v := plain(seed)
		v.motion = m
		image := k.crowd(v)
		for step, states := range k.track(seed).states {
			for i, b := range image.states() {
				a := states[i]
				want := world.State{Position: m.point(a.Position), Velocity: m.turn(a.Velocity), Heading: m.turn(a.Heading)}
				if off := vec.Norm(vec.Sub(b.Position, want.Position)) + vec.Norm(vec.Sub(b.Velocity, want.Velocity)) + vec.Norm(vec.Sub(b.Heading, want.Heading)); !(off <= tolerance) {
					return fmt.Sprintf("seed %d, after step %d: agent %d has %s, want %s", seed, step, i+1, stateText(b), stateText(want))
				}
			}
			image.step()
		}
	}
	return ""
}

func (k *kit) tolerance() float64 {
	switch {
	case k.options.Tolerance > 0:
		return k.options.Tolerance
	case k.entry != nil && k.entry.Phase == catalog.Choose: // intersections of nearly parallel lines amplify rounding errors
		return 1e-5
	}
	return 1e-6
}

// track is a plain crowd after all steps, with its history.
type track struct {
	crowd  *crowd
	states [][]world.State // initially, and after each step
}

func (k *kit) track(seed uint64) *track {
	if tr, ok := k.tracks[seed]; ok {
		return tr
	}
	crowd := k.crowd(plain(seed))
	tr := &track{crowd, [][]world.State{crowd.states()}}
	for range steps {
		crowd.step()
		tr.states = append(tr.states, crowd.states())
	}
	k.tracks[seed] = tr
	return tr
}

func stateText(s world.State) string {
	return fmt.Sprintf("position (%v, %v), velocity (%v, %v), heading (%v, %v)",
		s.Position.X, s.Position.Y, s.Velocity.X, s.Velocity.Y, s.Heading.X, s.Heading.Y)
}

// writes verifies that each system of the behavior writes only the columns that it declares as written,
// in rows that it works on. Observers and Exclusives may write everything.
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

// frame returns an initialized frame with the systems in list. The crowd must already be closed.
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
