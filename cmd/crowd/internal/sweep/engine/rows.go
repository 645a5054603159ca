package engine

import (
	"context"
	"iter"

	"github.com/nats-io/nats.go/jetstream"
)

const rowsAhead = 64 // that are asked for before they are needed

// Row is what came of a point.
type Row struct {
	Index   int64
	Data    []byte // nil if it is dead
	Machine string // that did it
	Failed  bool   // the row tells of a failure
	Dead    *Dead
}

// Rows yields the row of every point once, in the order of the indexes. Points that have
// none yet, in a sweep that is not complete, are left out. After an error there is no more.
func (s *Sweep) Rows(ctx context.Context) iter.Seq2[Row, error] {
	type answer struct {
		row Row
		err error
	}
	return func(yield func(Row, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		ahead := make(chan chan answer, rowsAhead)
		go func() {
			defer close(ahead)
			for i := range s.m.Points {
				row, seq := s.known(i)
				if seq == 0 && row.Dead == nil {
					continue
				}
				one := make(chan answer, 1)
				select {
				case ahead <- one:
				case <-ctx.Done():
					return
				}
				if seq == 0 {
					one <- answer{row: row}
					continue
				}
				go func() {
					m, err := s.message(ctx, seq)
					if err == nil {
						row.fill(m)
					}
					one <- answer{row, err}
				}()
			}
		}()
		for one := range ahead {
			a := <-one
			if !yield(a.row, a.err) || a.err != nil {
				return
			}
		}
		if err := context.Cause(ctx); err != nil {
			yield(Row{}, err)
		}
	}
}

// known returns what is known of a point, and the sequence number of its row or 0.
func (s *Sweep) known(index int64) (Row, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	row := Row{Index: index}
	if d, is := s.dead[index]; is {
		row.Dead, row.Machine = &d, d.Machine
	}
	if index < int64(len(s.seqs)) {
		return row, s.seqs[index]
	}
	return row, 0
}

func (r *Row) fill(m *jetstream.RawStreamMsg) {
	r.Data, r.Machine, r.Failed = m.Data, m.Header.Get(headMachine), m.Header.Get(headFailed) != ""
}
