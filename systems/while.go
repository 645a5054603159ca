package systems

import "github.com/8f878440/crowd/systems/frame"

// Condition tells for which rows of a batch something is so. It is a part of a system,
// which declares the columns of the condition in its own Needs.
type Condition interface {
	Needs(*frame.Needs) // columns that rows may lack: then it is not so
	Each(b *frame.Batch, yes func(row int))
}

// While1 returns what makes a Condition on one component, for catalog.Entry.While.
func While1[A any](holds func(*A) bool) func() any {
	return func() any { return &while1[A]{holds: holds} }
}

// While2 returns what makes a Condition on two components.
func While2[A, B any](holds func(*A, *B) bool) func() any {
	return func() any { return &while2[A, B]{holds: holds} }
}

// While3 returns what makes a Condition on three components.
func While3[A, B, C any](holds func(*A, *B, *C) bool) func() any {
	return func() any { return &while3[A, B, C]{holds: holds} }
}

type while1[A any] struct {
	a     frame.In[A]
	holds func(*A) bool
}

func (w *while1[A]) Needs(n *frame.Needs) { n.Optional(&w.a) }

func (w *while1[A]) Each(b *frame.Batch, yes func(row int)) {
	rows := w.a.Of(b)
	for i := range rows {
		if w.holds(&rows[i]) {
			yes(i)
		}
	}
}

type while2[A, B any] struct {
	a     frame.In[A]
	b     frame.In[B]
	holds func(*A, *B) bool
}

func (w *while2[A, B]) Needs(n *frame.Needs) { n.Optional(&w.a, &w.b) }

func (w *while2[A, B]) Each(b *frame.Batch, yes func(row int)) {
	first, second := w.a.Of(b), w.b.Of(b)
	for i := range min(len(first), len(second)) {
		if w.holds(&first[i], &second[i]) {
			yes(i)
		}
	}
}

type while3[A, B, C any] struct {
	a     frame.In[A]
	b     frame.In[B]
	c     frame.In[C]
	holds func(*A, *B, *C) bool
}

func (w *while3[A, B, C]) Needs(n *frame.Needs) { n.Optional(&w.a, &w.b, &w.c) }

func (w *while3[A, B, C]) Each(b *frame.Batch, yes func(row int)) {
	first, second, third := w.a.Of(b), w.b.Of(b), w.c.Of(b)
	for i := range min(len(first), len(second), len(third)) {
		if w.holds(&first[i], &second[i], &third[i]) {
			yes(i)
		}
	}
}
