package view

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// solids are the obstacles of a world, as they are sent to viewers.
type solids struct {
	version uint32
	message []byte
	count   int
	doors   int
	byID    map[uint32]ecs.Entity // by the numbers that viewers know, which never come again
	ids     map[ecs.Entity]uint32
	next    uint32
}

const afterVersion = 8 // bytes of the message

// solidsOf lists the obstacles of a world. Those that were listed before keep
// their numbers; if nothing has changed, it returns the list before.
func solidsOf(w *world.World, before *solids) *solids {
	s := &solids{version: 1, byID: map[uint32]ecs.Entity{}, ids: map[ecs.Entity]uint32{}}
	if before != nil {
		s.version, s.next = before.version+1, before.next
	}
	var rounds, open, doors, rings []world.ObstacleShape
	corners := 0
	w.EachObstacle(func(o world.ObstacleShape) {
		id, known := uint32(0), false
		if before != nil {
			id, known = before.ids[o.Entity]
		}
		if !known {
			s.next++
			id = s.next
		}
		s.byID[id], s.ids[o.Entity] = o.Entity, id
		s.count++
		if len(o.Corners) > 0 {
			rings = append(rings, o)
			corners += len(o.Corners)
			return
		}
		if o.Door != nil {
			doors = append(doors, o)
			if o.Door.Open {
				open = append(open, o)
				return
			}
		}
		rounds = append(rounds, o)
	})
	rounds = append(rounds, open...)
	s.doors = len(doors)
	origin := r2.Vec{}
	switch {
	case len(rounds) > 0:
		origin = rounds[0].A
	case len(rings) > 0:
		origin = rings[0].Corners[0]
	}
	f := frames{out: []byte{kindObstacles, 0, 0, 0}}
	f.u32(s.version)
	for _, x := range [...]float64{origin.X, origin.Y} {
		f.out = binary.LittleEndian.AppendUint64(f.out, math.Float64bits(x))
	}
	for _, n := range [...]int{len(rounds), len(rings), corners, len(doors)} {
		f.u32(uint32(n))
	}
	for i := range rounds {
		o := &rounds[i]
		f.point(o.A, origin)
		f.point(o.B, origin)
		f.f32(o.Radius)
		f.u32(s.ids[o.Entity])
	}
	for i := range rings {
		f.u32(s.ids[rings[i].Entity])
	}
	first := 0
	for i := range rings {
		f.u32(uint32(first))
		first += len(rings[i].Corners)
	}
	for i := range rings {
		for _, corner := range rings[i].Corners {
			f.point(corner, origin)
		}
	}
	for i := range doors {
		f.u32(s.ids[doors[i].Entity])
		f.u32(map[bool]uint32{true: 1}[doors[i].Door.Open])
	}
	if before != nil && before.ids != nil && bytes.Equal(f.out[afterVersion:], before.message[afterVersion:]) {
		return before
	}
	s.message = f.out
	return s
}
