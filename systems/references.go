package systems

import (
	"fmt"

	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// CheckReferences returns what is wrong with the parameters of a behavior that name another entity
// or a row of a table of the world, and with which: an entity that is dead, a row that is not there.
// An empty text means that all is well. The zero entity is none.
func CheckReferences(w *ecs.World, params []catalog.Param) (key, problem string) {
	for i := range params {
		p := &params[i]
		if e, is := p.At.(*ecs.Entity); is && !e.IsZero() && !w.Alive(*e) {
			return p.Key, fmt.Sprintf("is entity %d, which is dead", e.ID())
		}
		if at, is := p.At.(*uint32); is {
			if rows, known := tableLen(w, p.List); known && int(*at) >= rows {
				return p.Key, fmt.Sprintf("is %d, but the world has %d %s", *at, rows, p.List)
			}
		}
	}
	return "", ""
}

// tableLen returns how many rows a table of the world has, by the name of its list in a scene file.
func tableLen(w *ecs.World, list string) (rows int, known bool) {
	switch list {
	case "paths":
		return resourceLen[Paths](w), true
	case "itineraries":
		return resourceLen[Itineraries](w), true
	case "fields":
		return resourceLen[sense.FlowFields](w), true
	}
	return 0, false
}

func resourceLen[T ~[]E, E any](w *ecs.World) int {
	if id := ecs.ResourceID[T](w); w.Resources().Has(id) {
		return len(*w.Resources().Get(id).(*T))
	}
	return 0
}
