package column

import (
	"slices"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/ecs/event"
	"pgregory.net/rapid"
)

// TestRandomWorlds changes worlds at random and compares walks with plain arche
// in between. Every walk has the runs of the one before as its guess, whatever
// has happened since, and whichever filter it was by.
func TestRandomWorlds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newCrowd(rapid.IntRange(1, 8).Draw(t, "capacity"))
		c.spawnMany(t)
		t.Repeat(map[string]func(*rapid.T){
			"spawn":        func(t *rapid.T) { c.spawn(t, rapid.SampledFrom([]int{1, 9, 300}).Draw(t, "rows")) },
			"spawn many":   c.spawnMany,
			"spawn target": func(*rapid.T) { c.targets = append(c.targets, c.world.NewEntity(c.ids[0])) },
			"remove":       c.remove,
			"remove batch": c.removeBatch,
			"kill target":  c.killTarget,
			"exchange":     c.exchange,
			"retarget":     c.retarget,
			"reset":        c.reset,
			"walk target":  c.walkTarget,
			"register":     c.register,
			"":             c.walk, // after each
		})
	})
}

// crowd is a world that changes at random.
type crowd struct {
	world    *ecs.World
	heard    counter
	probes   []probe
	ids      []ecs.ID // of components that are no relations
	related  []ecs.ID
	filters  []ecs.Filter // plain and registered
	entities []ecs.Entity // some are dead
	targets  []ecs.Entity // some are dead
	walker   Walker
	runs     []Run
}

// counter is a host's listener. It counts what it hears.
type counter struct{ events int }

func (c *counter) Notify(*ecs.World, ecs.EntityEvent) { c.events++ }
func (c *counter) Subscriptions() event.Subscription  { return event.All }
func (c *counter) Components() *ecs.Mask              { return nil }

// either is a host's filter. It matches what has all components of any mask.
type either []ecs.Mask

func (e either) Matches(bits *ecs.Mask) bool {
	return slices.ContainsFunc(e, func(m ecs.Mask) bool { return bits.Contains(&m) })
}

func newCrowd(capacity int) *crowd {
	w := ecs.NewWorld(capacity)
	c := &crowd{world: &w, probes: probes(&w)}
	w.SetListener(&c.heard)
	for _, p := range c.probes {
		c.ids = append(c.ids, p.id)
	}
	c.ids, c.related = slices.Concat(c.ids[:7], tags(&w, 3)), c.ids[7:]
	without, exclusive := ecs.All(c.ids[0]).Without(c.ids[5]), ecs.All(c.ids[0], c.ids[4]).Exclusive()
	c.filters = []ecs.Filter{
		ecs.All(), ecs.All(c.ids[0]), ecs.All(c.ids[4], c.ids[5]), &without, &exclusive,
		ecs.All(c.related[0]), ecs.All(c.related[1], c.ids[1]),
		either{ecs.All(c.ids[6]), ecs.All(c.ids[0], c.ids[7]), ecs.All(c.related[0])},
	}
	return c
}

// spawn makes n rows in a batch, and walks over the batch.
func (c *crowd) spawn(t *rapid.T, n int) {
	ids := []ecs.ID{}
	for _, id := range c.ids {
		if rapid.Bool().Draw(t, "has") {
			ids = append(ids, id)
		}
	}
	builder, target := ecs.NewBuilder(c.world, ids...), []ecs.Entity(nil)
	if i := rapid.IntRange(0, 3).Draw(t, "relation"); i < len(c.related) {
		builder = ecs.NewBuilder(c.world, append(ids, c.related[i])...).WithRelation(c.related[i])
		if e, ok := c.living(t, c.targets); ok {
			target = []ecs.Entity{e}
		}
	}
	heard := c.heard.events
	q := builder.NewBatchQ(n, target...)
	plain := q
	want := plainRows(&plain, c.probes)
	checkWalk(t, c.world, &c.walker, &q, c.runs, c.probes, want)
	if got := c.heard.events - heard; got != n {
		t.Fatalf("events of a batch: got=%d, want=%d", got, n)
	}
	for _, r := range want {
		c.entities = append(c.entities, r.entity)
	}
}

func (c *crowd) spawnMany(t *rapid.T) {
	for range rapid.SampledFrom([]int{2, 20, 100}).Draw(t, "archetypes") {
		c.spawn(t, rapid.IntRange(1, 4).Draw(t, "rows"))
	}
}

// living draws an entity of a list, if it is alive.
func (c *crowd) living(t *rapid.T, all []ecs.Entity) (ecs.Entity, bool) {
	if len(all) == 0 {
		return ecs.Entity{}, false
	}
	e := rapid.SampledFrom(all).Draw(t, "entity")
	return e, c.world.Alive(e)
}

// remove removes single entities, and arche swaps others into their rows.
func (c *crowd) remove(t *rapid.T) {
	for range rapid.IntRange(1, 20).Draw(t, "times") {
		if e, ok := c.living(t, c.entities); ok {
			c.world.RemoveEntity(e)
		}
	}
}

// removeBatch goes by a plain filter: by a registered one arche fails when a
// relation target is among the entities.
func (c *crowd) removeBatch(t *rapid.T) {
	c.world.Batch().RemoveEntities(rapid.SampledFrom(c.filters[2:6]).Draw(t, "filter"))
}

// killTarget removes a target, so that the rows of its relation keep a dead one.
func (c *crowd) killTarget(t *rapid.T) {
	if e, ok := c.living(t, c.targets); ok {
		c.world.RemoveEntity(e)
	}
}

// exchange adds and removes components of single entities.
func (c *crowd) exchange(t *rapid.T) {
	for range rapid.IntRange(1, 10).Draw(t, "times") {
		e, ok := c.living(t, c.entities)
		if !ok {
			continue
		}
		id := rapid.SampledFrom(append(c.ids, c.related...)).Draw(t, "component")
		related := slices.ContainsFunc(c.related, func(id ecs.ID) bool { return c.world.Has(e, id) })
		switch {
		case c.world.Has(e, id):
			c.world.Remove(e, id)
		case !related || !slices.Contains(c.related, id):
			c.world.Add(e, id)
		}
	}
}

// retarget sets the relation targets of a single entity or of all.
func (c *crowd) retarget(t *rapid.T) {
	target, _ := c.living(t, c.targets)
	if !target.IsZero() && !c.world.Alive(target) {
		return
	}
	id := rapid.SampledFrom(c.related).Draw(t, "relation")
	if rapid.IntRange(0, 4).Draw(t, "all") == 0 {
		c.world.Relations().SetBatch(ecs.All(id), id, target)
		return
	}
	if e, ok := c.living(t, c.entities); ok && c.world.Has(e, id) {
		c.world.Relations().Set(e, id, target)
	}
}

// reset empties the world now and then. Archetypes stay, without rows.
func (c *crowd) reset(t *rapid.T) {
	if rapid.IntRange(0, 4).Draw(t, "really") == 0 {
		c.world.Reset()
		c.entities, c.targets = nil, nil
	}
}

// register adds a registered twin of a plain filter.
func (c *crowd) register(t *rapid.T) {
	if len(c.filters) < 16 {
		f := c.world.Cache().Register(c.filters[len(c.filters)-8])
		c.filters = append(c.filters, &f)
	}
}

// walk walks by any of the filters.
func (c *crowd) walk(t *rapid.T) {
	c.walkBy(t, rapid.SampledFrom(c.filters).Draw(t, "filter"))
}

// walkTarget walks over the rows with one relation target, dead or alive.
func (c *crowd) walkTarget(t *rapid.T) {
	e, _ := c.living(t, c.targets)
	filter := ecs.NewRelationFilter(ecs.All(), e)
	c.walkBy(t, &filter)
}

func (c *crowd) walkBy(t *rapid.T, filter ecs.Filter) {
	q := c.world.Query(filter)
	want := plainRows(&q, c.probes)
	if q.Next() {
		t.Fatalf("more rows than Count, %d", len(want))
	}
	heard := c.heard.events
	q = c.world.Query(filter)
	c.runs = checkWalk(t, c.world, &c.walker, &q, c.runs, c.probes, want)
	if got := c.heard.events - heard; got != 0 {
		t.Fatalf("events of a walk: got=%d, want=0", got)
	}
}
