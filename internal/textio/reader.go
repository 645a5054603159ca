package textio

import (
	"context"
	"io"
)

// enough is how many bytes are read in any case: so small files are read whole.
const enough = 64 << 10

// WithContext returns a reader of in that ends with the context's error when that ends,
// but not before it has read some 64 kB.
func WithContext(ctx context.Context, in io.Reader) io.Reader { return &reader{ctx: ctx, in: in} }

type reader struct {
	ctx  context.Context
	in   io.Reader
	read int64
}

func (r *reader) Read(p []byte) (int, error) {
	if r.read >= enough {
		if err := r.ctx.Err(); err != nil {
			return 0, err
		}
	}
	n, err := r.in.Read(p)
	r.read += int64(n)
	return n, err
}
