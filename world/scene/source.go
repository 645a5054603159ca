package scene

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// Source spawns the agents of a group over time: at intervals, or by a schedule. Agents without room at
// their starting place wait.
type Source struct {
	From     float64       // s, time of the first batch
	Until    float64       // s, no batches after this time; 0 means until all agents are spawned
	Every    Value         // s, between batches; a random interval is drawn anew after each batch
	AtOnce   int           // agents per batch
	Schedule []world.Batch // replaces the other fields
}

// batches returns batches of at most n agents in total. The parameter first is the ID of the first agent.
func (s *Source) batches(seed, first uint64, n int) iter.Seq[world.Batch] {
	return func(yield func(world.Batch) bool) {
		left := n
		add := func(t float64, batch int) bool {
			batch = min(batch, left)
			left -= batch
			return yield(world.Batch{Time: t, N: batch})
		}
		for _, b := range s.Schedule {
			if !add(b.Time, b.N) {
				return
			}
		}
		if len(s.Schedule) > 0 {
			return
		}
		t := s.From
		for k := 0; left > 0 && (s.Until == 0 || t <= s.Until) && !math.IsInf(t, 1); k++ {
			if !add(t, s.AtOnce) {
				return
			}
			t += s.Every.of(seed, first+uint64(k), useEvery, k)
		}
	}
}

func (s *Source) agents(seed, first uint64, n int) (all int) {
	for b := range s.batches(seed, first, n) {
		all += b.N
	}
	return all
}

func (s *Source) endless() bool { return len(s.Schedule) == 0 && s.Until == 0 }

func (s *Source) random() bool { return s != nil && !s.endless() && s.Every.Spread != nil }

func (s *Source) resize(factor float64) {
	times := func(n int) int { return int(math.Ceil(float64(n) * factor)) }
	if len(s.Schedule) == 0 {
		s.AtOnce = times(s.AtOnce)
		if s.random() {
			s.Until = 0
		}
		return
	}
	all := make([]world.Batch, len(s.Schedule))
	for i, b := range s.Schedule {
		all[i] = world.Batch{Time: b.Time, N: times(b.N)}
	}
	s.Schedule = all
}

func sourceKeys(s *Source) []key {
	return []key{
		may("from", &s.From, notNegative, 0, "s, time when the first agents come"),
		may("until", &s.Until, notNegative, 0, "s, time after which no agents come; 0 means until all have come"),
		bind("every", &s.Every, values, "s, interval: a number, a list or a distribution, such as {exponential = 2} for independent arrivals"),
		may("at-once", &s.AtOnce, integer[int](1, world.MaxAgents), 1, "number of agents that come each time"),
		bind("schedule", &s.Schedule, listOf(1, maxValues, tableOf(batchKeys), "a list of one or more tables, each {at = seconds, count = n}"), "times and numbers of agents, instead of the other keys"),
	}
}

func batchKeys(b *world.Batch) []key {
	return []key{
		must("at", &b.Time, notNegative, "s"),
		must("count", &b.N, integer[int](0, world.MaxAgents), "number of agents that come at this time"),
	}
}

func (g *Group) sourceProblems(s *Scene, add func(is bool, key, format string, args ...any)) {
	o := g.Source
	if o == nil {
		return
	}
	plain := o.From == 0 && o.Until == 0 && o.Every.Zero() && o.AtOnce <= 1
	add(len(o.Schedule) > 0 && !plain, ".source", "has a schedule and other keys, want one or the other")
	if len(o.Schedule) > 0 {
		for i := 1; i < len(o.Schedule); i++ {
			add(o.Schedule[i].Time < o.Schedule[i-1].Time, fmt.Sprintf(".source.schedule[%d].at", i), "is %v s, before the previous time of %v s, want the earliest first", o.Schedule[i].Time, o.Schedule[i-1].Time)
		}
	} else {
		add(o.Every.Zero(), ".source", "has neither every nor schedule, want one of them")
		add(o.Until > 0 && o.Until < o.From, ".source.until", "is %v s, before the first agents come at %v s", o.Until, o.From)
		add(o.AtOnce < 1, ".source.at-once", "is %d, want 1 or more", o.AtOnce)
	}
	follows := len(g.References) > 0 || g.TargetGroup != ""
	for i := range s.Groups {
		other := &s.Groups[i]
		for _, name := range other.References {
			follows = follows || g.Name != "" && name == g.Name
		}
		follows = follows || g.Name != "" && other.TargetGroup == g.Name
	}
	add(follows, ".source", "spawns agents that follow other agents or are followed: they must be present from the start")
}

func (s *crowd) source(w *world.World, group int) error {
	g, first := &s.Groups[group], s.firsts[group]
	if come := g.Source.agents(s.Seed, first, g.Count); come < g.Count {
		return fmt.Errorf("groups[%d].count is %d, but its source makes only %d: want a later until, or more agents per batch", group, g.Count, come)
	}
	if err := w.SetNextID(first + uint64(g.Count)); err != nil {
		return err
	}
	s.sources[group] = &world.Source{
		Components: g.components(s), First: first,
		Batches: slices.Collect(g.Source.batches(s.Seed, first, g.Count)),
		Place: func(i, try int) (at r2.Vec, radius float64) {
			id := first + uint64(i)
			if !g.Radius.Zero() {
				radius = g.Radius.of(s.Seed, id, useRadius, i)
			}
			return s.place(w, &g.At, i, g.Count, id, uint64(try), useStart), radius
		},
		Fill: func(r *world.Rows, from int) { s.begin(w, group, r, from) },
	}
	return w.AddSource(s.sources[group])
}

// speedAtAge has data for ages, in years, within these limits.
const youngest, oldest = 20, 70

// speedsByAge holds speeds in m/s, one for every ten years from youngest to oldest.
var speedsByAge = [...]float64{1.62, 1.54, 1.48, 1.41, 1.27, 1.07}

// speedAtAge returns the speed, in m/s, at which people of the given age, in years, walk freely on level
// ground. Ages below 20 count as 20, and ages above 70 as 70.
//
// Source: Weidmann, "Transporttechnik der Fussgänger", 1993, as used in test 7 of RiMEA. The function
// interpolates linearly between the means of the permitted ranges.
func speedAtAge(age float64) float64 {
	decades := (min(max(age, youngest), oldest) - youngest) / 10
	i := min(int(decades), len(speedsByAge)-2)
	return speedsByAge[i] + float64((speedsByAge[i+1]-speedsByAge[i])*(decades-float64(i)))
}

func orByAge(speed codec[Value]) codec[Value] {
	keys := func(age *Value) []key {
		return []key{must("age", age, valueOf(catalog.Limits{Min: youngest, Max: oldest}), "years, from 20 to 70, given like any other number of a group; agents have the walking speed of people of this age")}
	}
	ages, c := tableOf(keys), speed
	c.read = func(r *reader, n *node) Value {
		if n.kind != isTable || n.table.find("age") == nil {
			return speed.read(r, n)
		}
		v := ages.read(r, n)
		v.ByAge = true
		return v
	}
	c.write = func(w *writer, v Value) {
		if !v.ByAge {
			speed.write(w, v)
			return
		}
		v.ByAge = false
		ages.write(w, v)
	}
	c.schema = func() schema { return anyOf(speed.schema(), ages.schema()) }
	c.keys = func() []key { return append(speed.keys(), ages.keys()...) }
	return c
}
