package scene

import (
	"fmt"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
)

// isNamed reports whether the key has a name, now or before.
func (k *key) isNamed(name string) bool { return k.name == name || slices.Contains(k.was, name) }

// find returns what a table has for a key, nil if it has nothing. A name of before is
// noted.
func (r *reader) find(t *table, k *key) *entry {
	found := t.find(k.name)
	for _, name := range k.was {
		old := t.find(name)
		if old == nil {
			continue
		}
		if found != nil {
			r.enter(name, func() { r.fault(old.offset, "%s and %s are both there, want %s", r.at(), found.name, k.name) })
			continue
		}
		found = old
		r.enter(name, func() { r.note(old.offset, "%s is called %s now", r.at(), k.name) })
	}
	return found
}

// note notes what stands in a file as it did before.
func (r *reader) note(offset int, format string, args ...any) {
	if len(r.older) < maxFaults {
		r.older = append(r.older, fault{offset, fmt.Sprintf(format, args...)})
		slices.SortStableFunc(r.older, func(a, b fault) int { return a.offset - b.offset })
	}
}

// olderMeaning are changes of meaning: what a table with older keys makes of a behavior
// that was read from it.
var olderMeaning = map[reflect.Type]func(r *reader, t *table, behavior any){
	reflect.TypeFor[c.ORCA](): olderORCA,
}

// olderORCA reads neighbors = 0, which meant nobody.
func olderORCA(r *reader, t *table, behavior any) {
	b := behavior.(*c.ORCA)
	for _, name := range []string{"neighbors", "neighbours"} {
		if e := t.find(name); e != nil && b.MaxNeighbors == 0 {
			b.NeighborDist = 0
			r.enter(name, func() {
				r.note(e.offset, "%s = 0 is read as neighbor-dist = 0: max-neighbors = 0 means no limit now", r.at())
			})
		}
	}
}
