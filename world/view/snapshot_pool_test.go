package view

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// TestSnapshotPool verifies that a snapshot that somebody holds, or that is the newest, is
// never filled again, and that there are few.
func TestSnapshotPool(t *testing.T) {
	s := newSnapshotPool()
	if shot, _ := s.take(); shot != nil {
		t.Fatal("there is a snapshot before the first")
	}
	var held []*snapshot
	for i := range mostSnapshots {
		one := s.spare()
		if one == nil {
			t.Fatalf("snapshot %d: none to fill", i)
		}
		for _, other := range held {
			if one == other {
				t.Fatalf("snapshot %d is one that is held", i)
			}
		}
		before, changed := s.take()
		s.give(before)
		s.put(one)
		select {
		case <-changed:
		default:
			t.Error("a newer snapshot is not told of")
		}
		shot, _ := s.take()
		if shot != one {
			t.Fatal("the newest is not what was put last")
		}
		held = append(held, shot)
	}
	if s.spare() != nil {
		t.Errorf("all are held, and there is one to fill")
	}
	s.give(held[0])
	if got := s.spare(); got != held[0] {
		t.Errorf("to fill: got=%p, want=%p, which was given back", got, held[0])
	}
	s.give(held[mostSnapshots-1])
	if got := s.spare(); got == held[mostSnapshots-1] {
		t.Error("the newest is to be filled")
	}
	s.forget()
	if shot, _ := s.take(); shot != nil {
		t.Error("a snapshot is there after forget")
	}
	s.give(nil)
}

func TestNearest(t *testing.T) {
	s := three()
	for _, tc := range []struct {
		at    r2.Vec
		reach float64
		want  uint64
	}{
		{r2.Vec{X: 1, Y: 2.5}, 1, 1}, {r2.Vec{X: 1, Y: 2.5}, 0.5, 1}, {r2.Vec{X: 1, Y: 2.5}, 0.4, 0},
		{r2.Vec{X: 5, Y: 5}, 1, 0}, // one that is dead
		{r2.Vec{X: 5, Y: 5}, 4, 2}, {r2.Vec{X: 500, Y: 5}, 1e9, 2}, {r2.Vec{X: 900, Y: 5}, 1e9, 4},
	} {
		if got := s.choose(tc.at, tc.reach, 0, 0); got != tc.want {
			t.Errorf("nearest to %v within %v: got=%d, want=%d", tc.at, tc.reach, got, tc.want)
		}
	}
}

// TestChooseOnDot verifies that agents that look like one dot are chosen in turn, by their ids.
func TestChooseOnDot(t *testing.T) {
	s := &snapshot{ids: []uint64{7, 3, 0, 5, 9}, pos: []r2.Vec{{X: 1}, {X: 1.05}, {X: 1}, {X: 1}, {X: 1.3}}}
	for _, tc := range []struct {
		dot            float64
		selected, want uint64
	}{
		{0.1, 0, 3}, {0.1, 3, 5}, {0.1, 5, 7}, {0.1, 7, 3}, {0.1, 9, 3}, {0.1, 4, 3},
		{0.5, 7, 9}, {0.5, 9, 3}, {0, 0, 5}, {0, 5, 7}, {0, 7, 5},
	} {
		if got := s.choose(r2.Vec{X: 0.9}, 1, tc.dot, tc.selected); got != tc.want {
			t.Errorf("dot of %v after %d: got=%d, want=%d", tc.dot, tc.selected, got, tc.want)
		}
	}
}
