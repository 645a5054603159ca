package view

import (
	"context"
	"sync"
	"time"
)

// builder makes the crowds that viewers order, one at a time, on goroutines of its
// own: until one is ready, the one before runs on. The newest order counts.
type builder struct {
	sim   *simulation
	ready chan *crowd   // for the simulation, between two steps
	other chan struct{} // the order is another one than before

	mu    sync.Mutex
	order *order // nil: none
}

func newBuilder(sim *simulation) *builder {
	return &builder{sim: sim, ready: make(chan *crowd), other: make(chan struct{}, 1)}
}

// hear takes what a viewer orders, or that it wants to keep what runs.
func (b *builder) hear(v *viewer, a *asked) {
	b.mu.Lock()
	if a.Do == "cancel" {
		b.order = nil
	} else {
		b.order = orderOf(b.order, v, a)
	}
	b.mu.Unlock()
	select {
	case b.other <- struct{}{}:
	default:
	}
}

// now returns the order, nil if there is none.
func (b *builder) now() *order {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.order
}

// forget ends an order, unless a newer one is in its place.
func (b *builder) forget(o *order) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.order == o {
		b.order = nil
	}
}

// run carries out orders until the context ends.
func (b *builder) run(ctx context.Context) {
	for ctx.Err() == nil {
		if o := b.now(); o != nil {
			b.carryOut(ctx, o)
			continue
		}
		select {
		case <-ctx.Done():
		case <-b.other:
		}
	}
}

// built is what became of an order.
type built struct {
	crowd *crowd
	err   error
}

// carryOut makes the crowd of an order and hands it over, unless the order changes.
// It returns when the crowd is the simulation's, or its memory is free.
func (b *builder) carryOut(session context.Context, o *order) {
	ctx, cancel := context.WithCancel(session)
	defer cancel()
	finished, gone := make(chan built), make(chan struct{})
	go func() {
		defer close(gone)
		c, err := b.sim.carryOut(ctx, o)
		select {
		case finished <- built{c, err}:
		case <-ctx.Done():
			if err == nil {
				c.close()
			}
		}
	}()
	b.tell()
	tick := time.NewTicker(statsEvery)
	defer tick.Stop()
	for {
		select {
		case <-session.Done(): // without waiting
			return
		case <-tick.C:
			b.tell()
		case <-b.other:
			if b.now() != o {
				cancel()
				b.tell()
			}
		case <-gone:
			return
		case f := <-finished:
			b.finish(ctx, o, f)
			return
		}
	}
}

// finish hands over what was made for an order, unless the order changed meanwhile.
func (b *builder) finish(ctx context.Context, o *order, f built) {
	outdated := ctx.Err() != nil || b.now() != o
	switch {
	case outdated:
		if f.err == nil {
			f.crowd.close()
		}
		b.tell()
	case f.err == nil:
		b.sim.interrupt() // a step may take long
		select {
		case b.ready <- f.crowd:
		case <-ctx.Done():
			f.crowd.close()
		}
		b.forget(o)
	default:
		b.forget(o)
		b.tell()
		o.by.fail(f.err)
	}
}

// tell tells all viewers what is under way.
func (b *builder) tell() {
	m := &startingMessage{Kind: "starting", Over: true}
	if o := b.now(); o != nil {
		m = o.message(time.Now())
	}
	data := encode(m)
	b.sim.each(func(v *viewer) { v.post("starting", data) })
}
