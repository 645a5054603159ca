package frame

// Condition tells for which rows of a batch something is so. It is a part of a system,
// which declares the columns of the condition in its own Needs.
type Condition interface {
	Needs(*Needs)                             // columns that rows may lack: then it is not so
	Mark(b *Batch, marks []uint8, mark uint8) // sets the marks of those rows
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
	a     In[A]
	holds func(*A) bool
}

func (w *while1[A]) Needs(n *Needs) { n.Optional(&w.a) }

func (w *while1[A]) Mark(b *Batch, marks []uint8, mark uint8) {
	rows := w.a.Of(b)
	for i := range rows {
		if w.holds(&rows[i]) {
			marks[i] = mark
		}
	}
}

type while2[A, B any] struct {
	a     In[A]
	b     In[B]
	holds func(*A, *B) bool
}

func (w *while2[A, B]) Needs(n *Needs) { n.Optional(&w.a, &w.b) }

func (w *while2[A, B]) Mark(b *Batch, marks []uint8, mark uint8) {
	first, second := w.a.Of(b), w.b.Of(b)
	for i := range min(len(first), len(second)) {
		if w.holds(&first[i], &second[i]) {
			marks[i] = mark
		}
	}
}

type while3[A, B, C any] struct {
	a     In[A]
	b     In[B]
	c     In[C]
	holds func(*A, *B, *C) bool
}

func (w *while3[A, B, C]) Needs(n *Needs) { n.Optional(&w.a, &w.b, &w.c) }

func (w *while3[A, B, C]) Mark(b *Batch, marks []uint8, mark uint8) {
	first, second, third := w.a.Of(b), w.b.Of(b), w.c.Of(b)
	for i := range min(len(first), len(second), len(third)) {
		if w.holds(&first[i], &second[i], &third[i]) {
			marks[i] = mark
		}
	}
}
