package view

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
)

// activities tell what agents have and what they are doing, by the entries of their
// behaviors.
type activities struct {
	words   []string   // what agents are said to do
	all     []activity // in the order of the entries
	telling []int      // places in all of those with a word, those that say most first

	mu    sync.Mutex
	kinds map[ecs.Mask]*kind
	names []string // of the archetypes: what their agents have
}

// activity is a behavior as it shows.
type activity struct {
	name  string
	id    ecs.ID          // of its component
	word  uint8           // place of what its agents are doing
	while frame.Condition // nil: they always are
}

// moving is the word for those whose behaviors have none.
const moving = 0

// kind is what agents with the same components have in common.
type kind struct {
	archetype uint8       // place of its name
	always    uint8       // the word for those who have nothing else to do
	now       []*activity // behaviors with a condition, those that say most last
}

// activitiesOf returns those of the entries of a world, for one frame over it.
func activitiesOf(w *world.World, entries []catalog.Entry) *activities {
	bound, err := column.NewBindings(w.Config().Bind...)
	if err != nil {
		panic(err) // the world has bound them
	}
	a := &activities{words: []string{"moving"}, kinds: map[ecs.Mask]*kind{}}
	for i := range entries {
		e := &entries[i]
		one := activity{name: e.Name, id: e.Column(bound, w.ECS).ID}
		if e.While != nil {
			one.while = e.While().(frame.Condition)
		}
		if e.Doing != "" {
			one.word = a.word(e.Doing)
			a.telling = append(a.telling, i)
		}
		a.all = append(a.all, one)
	}
	slices.SortStableFunc(a.telling, func(i, k int) int { return slices.Compare(rank(&entries[i]), rank(&entries[k])) })
	return a
}

// word returns the place of a word, which is new or one of those before.
func (a *activities) word(name string) uint8 {
	i := slices.Index(a.words, name)
	if i < 0 && len(a.words) <= math.MaxUint8 {
		i, a.words = len(a.words), append(a.words, name)
	}
	return uint8(max(i, moving))
}

// rank orders behaviors by how much they say of what an agent is doing, those that say
// most first: one that acts only at times and does so now; one that says where to go; one
// that says how fast; one that steers; one that only turns. Of two that steer it is the
// one of higher priority.
func rank(e *catalog.Entry) []int {
	tier := 4
	switch {
	case e.While != nil:
		tier = 0
	case e.Does.Has(catalog.SetsTarget):
		tier = 1
	case e.Does.Has(catalog.SetsVelocity):
		tier = 2
	case e.Does.Has(catalog.Steers):
		tier = 3
	}
	return []int{tier, cmp.Or(e.Priority, math.MaxInt)}
}

// needs declares the columns of all conditions.
func (a *activities) needs(n *frame.Needs) {
	for i := range a.all {
		if while := a.all[i].while; while != nil {
			while.Needs(n)
		}
	}
}

// kind returns what agents with some components have in common. Workers may call it at
// the same time.
func (a *activities) kind(mask ecs.Mask) *kind {
	a.mu.Lock()
	defer a.mu.Unlock()
	if k := a.kinds[mask]; k != nil {
		return k
	}
	k := &kind{archetype: a.archetype(mask), always: moving}
	for _, i := range slices.Backward(a.telling) {
		switch one := &a.all[i]; {
		case !mask.Get(one.id):
		case one.while == nil:
			k.always = one.word
		default:
			k.now = append(k.now, one)
		}
	}
	a.kinds[mask] = k
	return k
}

// archetype returns the number of the behaviors among some components. The last number
// stands for all sets of behaviors beyond it.
func (a *activities) archetype(mask ecs.Mask) uint8 {
	var has []string
	for i := range a.all {
		if mask.Get(a.all[i].id) {
			has = append(has, a.all[i].name)
		}
	}
	name := cmp.Or(strings.Join(has, ", "), "no behavior")
	if i := slices.Index(a.names, name); i >= 0 {
		return uint8(i)
	}
	if len(a.names) <= math.MaxUint8 {
		a.names = append(a.names, name)
	}
	return uint8(len(a.names) - 1)
}

// archetypes returns the names of the archetypes, in the order of their numbers.
func (a *activities) archetypes() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.names)
}

// ask returns what the agents of a batch are doing, in the memory of the answer before.
func (k *kind) ask(b *frame.Batch, answer []uint8) []uint8 {
	answer = answer[:0]
	for range b.Len() {
		answer = append(answer, k.always)
	}
	for _, one := range k.now {
		one.while.Mark(b, answer, one.word)
	}
	return answer
}
