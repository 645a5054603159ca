package sheet

// cell is where a panel stands: in a row, and in how many columns from which on.
type cell struct{ row, column, span int }

// cells returns where all panels stand, and how many rows there are. Wide ones have a row each.
func (s *Sheet) cells() (all []cell, rows int) {
	column := 0
	for _, p := range s.Panels {
		if p.Wide && column > 0 {
			rows, column = rows+1, 0
		}
		c := cell{rows, column, 1}
		if p.Wide {
			c.span = s.Columns
		}
		all = append(all, c)
		if column += c.span; column >= s.Columns {
			rows, column = rows+1, 0
		}
	}
	if column > 0 {
		rows++
	}
	return all, rows
}
