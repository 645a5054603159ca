package field

import (
	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/space"
)

// Keep keeps how far a floor is closed round shapes, and closes one that is read as far.
func (f *Floor) Keep(a *archive.Archive, shapes *space.Index) {
	to := f.closed
	a.Keep(&to.opened, &to.piece, &to.row)
	if !a.Reading() || a.Err() != nil {
		return
	}
	for f.closed != to && !f.Done(shapes) {
		f.Close(shapes, 1)
	}
	if f.closed != to {
		a.Fail("floor is closed up to row %d of piece %d, with %d open cells, and never is", to.row, to.piece, to.opened)
	}
}
