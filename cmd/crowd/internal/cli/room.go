package cli

import (
	"context"
	"sync"
)

// MemoryRoom is the memory that scenes share which run at the same time: one for which
// there is too little beside the others waits until they are done.
type MemoryRoom struct {
	mu    sync.Mutex
	taken uint64        // bytes that those who run need
	freed chan struct{} // closed when one of them is done
}

// Take waits until admit, which is told how many bytes others need, has nothing
// against it, or nobody else runs. The error is that of admit or the context's.
// Release is to be called when the memory is free again.
func (r *MemoryRoom) Take(ctx context.Context, admit func(taken uint64) error, need uint64) (release func(), err error) {
	for {
		r.mu.Lock()
		err := admit(r.taken)
		if err == nil {
			r.taken += need
			r.mu.Unlock()
			return func() { r.give(need) }, nil
		}
		alone, freed := r.taken == 0, r.wait()
		r.mu.Unlock()
		if alone {
			return nil, err
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// wait returns what is closed when the next one is done.
func (r *MemoryRoom) wait() chan struct{} {
	if r.freed == nil {
		r.freed = make(chan struct{})
	}
	return r.freed
}

func (r *MemoryRoom) give(need uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken -= need
	if r.freed != nil {
		close(r.freed)
		r.freed = nil
	}
}
