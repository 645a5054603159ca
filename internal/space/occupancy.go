package space

// Occupancy tells how full an index is.
type Occupancy struct {
	Shapes  int // that are found
	Pieces  int // circles, walls and insides that they are cut into
	Grids   int
	Slots   int // of the table that all cells of all grids share
	Taken   int // slots that list a piece
	Entries int // in all lists together
	Longest int // entries in the longest list: the most that one look-up reads
}

// Mean returns the number of entries in a list that has any: what a look-up
// reads where there is something.
func (o Occupancy) Mean() float64 {
	if o.Taken == 0 {
		return 0
	}
	return float64(o.Entries) / float64(o.Taken)
}

// Occupancy looks through the whole table.
func (x *Index) Occupancy() Occupancy {
	o := Occupancy{Shapes: len(x.order), Pieces: len(x.pieces), Grids: len(x.levels)}
	if o.Pieces == 0 {
		return o
	}
	o.Slots = 1 << (64 - x.shift)
	for slot := range o.Slots {
		if n := len(x.list(slot)); n > 0 {
			o.Taken++
			o.Entries += n
			o.Longest = max(o.Longest, n)
		}
	}
	return o
}
