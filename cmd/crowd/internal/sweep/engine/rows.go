package engine

import (
	"context"
	"iter"
)

// Row is what came of a point.
type Row struct {
	Index   int64  `json:"index"`
	Data    []byte `json:"data,omitempty"`    // nil if it is dead
	Machine string `json:"machine,omitempty"` // that did it
	Failed  bool   `json:"failed,omitempty"`  // the row is of a run that failed
	Dead    *Dead  `json:"-"`
}

// Rows yields the row of every point once, in the order of the indexes. Points that have
// none yet, in a sweep that is not complete, are left out. After an error there is no more.
func (s *Sweep) Rows(ctx context.Context) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for i := range s.m.Points {
			if err := context.Cause(ctx); err != nil {
				yield(Row{}, err)
				return
			}
			s.mu.Lock()
			at, d := s.book.row(i), s.book.tried[i]
			s.mu.Unlock()
			row, err := &Row{Index: i, Machine: d.Machine, Dead: &d}, error(nil)
			switch {
			case at != 0:
				row, err = s.journal.row(at)
			case d.Tries < s.m.Tries:
				continue
			}
			if err != nil {
				yield(Row{}, err)
				return
			}
			if !yield(*row, nil) {
				return
			}
		}
	}
}
