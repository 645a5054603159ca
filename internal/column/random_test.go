package column

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/ecs/event"
)

// As a guess, each walk gets the runs of the previous walk, regardless of its walker, its filter, and changes since
// then.
func TestRandomWorlds(t *testing.T) {
	for seed := range uint64(100) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c := newCrowd(t, seed)
			c.spawnMany()
			changes := []func(){
				func() { c.spawn(oneOf(c, 1, 9, 300)) },
				c.spawnMany,
				func() { c.targets = append(c.targets, c.world.NewEntity(c.ids[0])) },
				c.remove, c.removeBatch, c.killTarget, c.exchange, c.retarget, c.reset, c.walkTarget, c.register,
			}
			for range 30 {
				oneOf(c, changes...)()
				c.walk()
			}
		})
	}
}

func oneOf[T any](c *crowd, of ...T) T { return of[c.rand.IntN(len(of))] }

func (c *crowd) upTo(n int) int { return 1 + c.rand.IntN(n) }

type crowd struct {
	t        *testing.T
	rand     *rand.Rand
	world    *ecs.World
	heard    counter
	probes   []probe
	ids      []ecs.ID // without relations
	related  []ecs.ID
	filters  []ecs.Filter // plain and registered
	entities []ecs.Entity // some are dead
	targets  []ecs.Entity // some are dead
	walkers  [2]Walker
	runs     []Run
}

type counter struct{ events int }

func (c *counter) Notify(*ecs.World, ecs.EntityEvent) { c.events++ }
func (c *counter) Subscriptions() event.Subscription  { return event.All }
func (c *counter) Components() *ecs.Mask              { return nil }

// either matches entities that have all components of any of the masks.
type either []ecs.Mask

func (e either) Matches(bits *ecs.Mask) bool {
	return slices.ContainsFunc(e, func(m ecs.Mask) bool { return bits.Contains(&m) })
}

func newCrowd(t *testing.T, seed uint64) *crowd {
	random := rand.New(rand.NewPCG(seed, 0))
	w := ecs.NewWorld(1 + random.IntN(8))
	c := &crowd{t: t, rand: random, world: &w, probes: probes(&w)}
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

func (c *crowd) spawn(n int) {
	ids := []ecs.ID{}
	for _, id := range c.ids {
		if c.rand.IntN(2) == 0 {
			ids = append(ids, id)
		}
	}
	builder, target := ecs.NewBuilder(c.world, ids...), []ecs.Entity(nil)
	if i := c.rand.IntN(4); i < len(c.related) {
		builder = ecs.NewBuilder(c.world, append(ids, c.related[i])...).WithRelation(c.related[i])
		if e, ok := c.living(c.targets); ok {
			target = []ecs.Entity{e}
		}
	}
	heard := c.heard.events
	q := builder.NewBatchQ(n, target...)
	plain := q
	want := plainRows(&plain, c.probes)
	checkWalk(c.t, c.world, &c.walkers[c.rand.IntN(2)], &q, c.runs, c.probes, want)
	if got := c.heard.events - heard; got != n {
		c.t.Fatalf("events of a batch: got=%d, want=%d", got, n)
	}
	for _, r := range want {
		c.entities = append(c.entities, r.entity)
	}
}

func (c *crowd) spawnMany() {
	for range oneOf(c, 2, 20, 100) {
		c.spawn(c.upTo(4))
	}
}

func (c *crowd) living(all []ecs.Entity) (ecs.Entity, bool) {
	if len(all) == 0 {
		return ecs.Entity{}, false
	}
	e := oneOf(c, all...)
	return e, c.world.Alive(e)
}

// remove removes single entities, into whose rows arche swaps others.
func (c *crowd) remove() {
	for range c.upTo(20) {
		if e, ok := c.living(c.entities); ok {
			c.world.RemoveEntity(e)
		}
	}
}

// removeBatch uses a plain filter, because with a registered one, arche fails if a relation target is among
// the entities.
func (c *crowd) removeBatch() {
	c.world.Batch().RemoveEntities(oneOf(c, c.filters[2:6]...))
}

// Rows keep the dead target.
func (c *crowd) killTarget() {
	if e, ok := c.living(c.targets); ok {
		c.world.RemoveEntity(e)
	}
}

func (c *crowd) exchange() {
	for range c.upTo(10) {
		e, ok := c.living(c.entities)
		if !ok {
			continue
		}
		id := oneOf(c, append(c.ids, c.related...)...)
		related := slices.ContainsFunc(c.related, func(id ecs.ID) bool { return c.world.Has(e, id) })
		switch {
		case c.world.Has(e, id):
			c.world.Remove(e, id)
		case !related || !slices.Contains(c.related, id):
			c.world.Add(e, id)
		}
	}
}

func (c *crowd) retarget() {
	target, _ := c.living(c.targets)
	if !target.IsZero() && !c.world.Alive(target) {
		return
	}
	id := oneOf(c, c.related...)
	if c.rand.IntN(5) == 0 {
		c.world.Relations().SetBatch(ecs.All(id), id, target)
		return
	}
	if e, ok := c.living(c.entities); ok && c.world.Has(e, id) {
		c.world.Relations().Set(e, id, target)
	}
}

// Archetypes stay, without rows.
func (c *crowd) reset() {
	if c.rand.IntN(5) == 0 {
		c.world.Reset()
		c.entities, c.targets = nil, nil
	}
}

func (c *crowd) register() {
	if len(c.filters) < 16 {
		f := c.world.Cache().Register(c.filters[len(c.filters)-8])
		c.filters = append(c.filters, &f)
	}
}

func (c *crowd) walk() {
	c.walkBy(oneOf(c, c.filters...))
}

func (c *crowd) walkTarget() {
	e, _ := c.living(c.targets)
	filter := ecs.NewRelationFilter(ecs.All(), e)
	c.walkBy(&filter)
}

func (c *crowd) walkBy(filter ecs.Filter) {
	q := c.world.Query(filter)
	want := plainRows(&q, c.probes)
	if q.Next() {
		c.t.Fatalf("rows of a query: got more than Count, want=%d", len(want))
	}
	heard := c.heard.events
	q = c.world.Query(filter)
	c.runs = checkWalk(c.t, c.world, &c.walkers[c.rand.IntN(2)], &q, c.runs, c.probes, want)
	if got := c.heard.events - heard; got != 0 {
		c.t.Fatalf("events of a walk: got=%d, want=0", got)
	}
}
