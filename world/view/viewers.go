package view

// each calls do for every viewer.
func (s *simulation) each(do func(*viewer)) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for v := range s.viewers {
		do(v)
	}
	return len(s.viewers)
}

// join lets a viewer in, if there is room. It is for the viewers' goroutines, and
// so is leave.
func (s *simulation) join(v *viewer) (ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.viewers) == maxViewers && !s.makeRoom() {
		return false
	}
	s.joined++
	v.number = s.joined
	s.viewers[v] = true
	s.poke()
	return true
}

// makeRoom sends away the viewer that has been silent for longest of those who
// never said anything.
func (s *simulation) makeRoom() (ok bool) {
	var silent *viewer
	for v := range s.viewers {
		if !v.spoke.Load() && (silent == nil || v.number < silent.number) {
			silent = v
		}
	}
	if silent == nil {
		return false
	}
	delete(s.viewers, silent)
	silent.end()
	return true
}

func (s *simulation) leave(v *viewer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.viewers, v)
}
