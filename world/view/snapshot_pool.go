package view

import "sync"

// snapshotPool holds the newest snapshot, and spare ones. The viewers take the newest
// and give it back.
type snapshotPool struct {
	mu      sync.Mutex
	newest  *snapshot
	all     []*snapshot
	changed chan struct{} // closed when there is a newer one
}

// mostSnapshots bounds the memory of the pool: one that is the newest, one that
// is being filled, and one that a viewer still encodes.
const mostSnapshots = 3

func newSnapshotPool() *snapshotPool { return &snapshotPool{changed: make(chan struct{})} }

// spare returns a snapshot to fill, nil while viewers hold all of them.
func (s *snapshotPool) spare() *snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.all {
		if one != s.newest && one.holders.Load() == 0 {
			return one
		}
	}
	if len(s.all) == mostSnapshots {
		return nil
	}
	s.all = append(s.all, &snapshot{})
	return s.all[len(s.all)-1]
}

// put makes a filled snapshot the newest.
func (s *snapshotPool) put(one *snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest = one
	close(s.changed)
	s.changed = make(chan struct{})
}

// take returns the newest snapshot, nil if there is none yet, and what is closed
// when there is a newer one. Give it back.
func (s *snapshotPool) take() (*snapshot, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.newest != nil {
		s.newest.holders.Add(1)
	}
	return s.newest, s.changed
}

// give gives a snapshot back.
func (s *snapshotPool) give(one *snapshot) {
	if one != nil {
		one.holders.Add(-1)
	}
}

// forget drops all snapshots: those of a large crowd must not outlive it.
func (s *snapshotPool) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest, s.all = nil, nil
}
