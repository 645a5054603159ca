package picture

// ShowField lets pictures show a field of the world.
func (cam *Camera) ShowField(index uint32) { cam.field = &fieldShot{index: index} }

// fieldShot is the picture of a field, which is taken again when the field changes.
type fieldShot struct {
	index   uint32
	changes uint64
	taken   *Field
}

// takeField notes the field that is to be shown.
func (cam *Camera) takeField(crowd *Crowd) {
	shot := cam.field
	if shot == nil {
		return
	}
	if fields := cam.world.Fields; shot.taken == nil || shot.changes != fields.Changes() {
		if g, ok := cam.world.FieldGrid(shot.index); ok {
			shot.taken = &Field{Min: g.Min, Cell: g.Cell, Columns: g.Columns, Rows: g.Rows, Ways: g.Ways, Slowed: g.Slowed}
		}
		shot.changes = fields.Changes()
	}
	crowd.Field = shot.taken
}
