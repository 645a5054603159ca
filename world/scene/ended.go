package scene

import "context"

// contextOr returns a context, one that never ends for nil.
func contextOr(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// The rows between two looks at the context. A scene of fewer is read and
// built whole though its context has ended.
const (
	cheapRows = 4096 // of some microseconds
	dearRows  = 32   // of up to some milliseconds

	// Making room for this many agents takes long by itself.
	largeCrowd = 1 << 17
)

// ended returns the error of a context at every n-th row, counted from 0.
func ended(ctx context.Context, row, every int) error {
	if (row+1)%every != 0 {
		return nil
	}
	return ctx.Err()
}

// ended is true when the context has ended and there is still much to build.
func (s *crowd) ended(every int) bool {
	s.rows++
	s.cut = s.cut || ended(contextOr(s.ctx), s.rows-1, every) != nil
	return s.cut
}
