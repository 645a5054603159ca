package view

import (
	"encoding/binary"
	"math"

	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// fieldShot is a field as it is sent to viewers.
type fieldShot struct {
	build   uint32
	changes uint64 // of all fields
	message []byte
}

const (
	mostFieldCells = 1 << 18 // of a message; a larger field is sent with wider cells
	mostGoals      = 1000    // the same
	noWay          = math.MaxUint16
)

// countFields returns how many fields there are.
func (s *simulation) countFields() int {
	id := ecs.ResourceID[sense.FlowFields](s.world.ECS)
	if !s.world.ECS.Resources().Has(id) {
		return 0
	}
	return len(*s.world.ECS.Resources().Get(id).(*sense.FlowFields))
}

// showFields gives each viewer the field that it wants to see, if that is new.
func (s *simulation) showFields() {
	old := s.fields
	s.fields = map[int]*fieldShot{}
	s.each(func(v *viewer) {
		v.mu.Lock()
		index := v.wish.field
		v.mu.Unlock()
		if !v.seeing.Load() || index == noField {
			return
		}
		shot := s.fields[index]
		if shot == nil {
			shot = old[index]
			if shot == nil || shot.build != s.build || shot.changes != s.world.Fields.Changes() {
				shot = s.shootField(index)
			}
			s.fields[index] = shot
		}
		v.field.Store(shot)
	})
}

// shootField returns a field as it is now; one without cells if there is none with this index.
func (s *simulation) shootField(index int) *fieldShot {
	g, ok := s.world.FieldGrid(uint32(index))
	if !ok {
		g = sense.FieldGrid{Cell: 1}
	}
	return &fieldShot{s.build, s.world.Fields.Changes(), fieldMessage(s.build, index, &g)}
}

// fieldMessage writes a field.
func fieldMessage(build uint32, index int, g *sense.FieldGrid) []byte {
	stride := 1
	for (g.Columns/stride)*(g.Rows/stride) > mostFieldCells {
		stride++
	}
	columns, rows := g.Columns/stride, g.Rows/stride
	top := float32(0)
	for _, way := range g.Ways {
		if way <= math.MaxFloat32 {
			top = max(top, way)
		}
	}
	goals := g.Goals[:min(len(g.Goals), mostGoals)]
	f := frames{out: []byte{kindField, 0, 0, 0}}
	f.u32(build)
	// With wider cells, each stands for the one in its middle.
	off := (float64(stride/2) + 0.5 - float64(stride)/2) * g.Cell
	for _, x := range [...]float64{g.Min.X + off, g.Min.Y + off, g.Cell * float64(stride)} {
		f.out = binary.LittleEndian.AppendUint64(f.out, math.Float64bits(x))
	}
	for _, n := range [...]int{index, columns, rows, len(goals)} {
		f.u32(uint32(n))
	}
	f.f32(float64(top))
	for i := range goals {
		f.point(goals[i].Min, g.Min)
		f.point(goals[i].Max, g.Min)
	}
	for row := range rows {
		for column := range columns {
			way, u := g.Ways[(row*stride+stride/2)*g.Columns+column*stride+stride/2], uint16(noWay)
			if way <= math.MaxFloat32 {
				u = uint16(way / max(top, 1e-9) * (noWay - 1))
			}
			f.u16(u)
		}
	}
	f.pad()
	return f.out
}
