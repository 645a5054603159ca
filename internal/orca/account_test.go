package orca

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// TestAccount holds what is taken down of an agent that would walk to the east, and that the
// answer is the same with an account and without.
func TestAccount(t *testing.T) {
	slow := at(1.2, 0.1, east)
	slow.ID, slow.Velocity = 7, xy(0.5, 0)
	comes := at(2, 1, west)
	comes.ID = 8
	const u = usualSpeed
	dense := density(presence(slow.Position, east, 0.5-u))
	gapOf := gap(1.2, 0.1, 0.5)
	for _, tc := range []struct {
		name    string
		walking Walking
		others  []Other
		want    Account
	}{
		{"no law", Walking{}, []Other{slow}, Account{u, u, Free, 0, math.Inf(1), 0, false}},
		{"nobody", Walking{TimeGap: 0.5, MaxDensity: 5, Overtaking: 1}, nil, Account{u, u, Free, 0, math.Inf(1), 0, false}},
		{"far", Walking{TimeGap: 0.1}, []Other{slow}, Account{u, u, Free, 7, gapOf, dense, false}},
		{"gap", Walking{TimeGap: 1}, []Other{slow}, Account{u, gapOf, ByGap, 7, gapOf, dense, false}},
		{"density", Walking{TimeGap: 0.1, MaxDensity: 0.8}, []Other{slow}, Account{u, walking(u, dense, 0.8), ByDensity, 7, gapOf, dense, false}},
		{"gap, though it is dense", Walking{TimeGap: 1, MaxDensity: 5}, []Other{slow}, Account{u, gapOf, ByGap, 7, gapOf, dense, false}},
		{"oncoming", Walking{TimeGap: 1, Right: 0.5}, []Other{slow, comes}, Account{u, u, Oncoming, 8, math.Inf(1), 0, false}},
		{"overtaking", Walking{TimeGap: 1, Overtaking: 1}, []Other{slow}, Account{u, u, OvertakingRight, 7, gapOf, dense, false}},
		{"inertia", Walking{TimeGap: 1, Acceleration: 1}, []Other{slow}, Account{u, gapOf, ByGap, 7, gapOf, dense, true}},
		{"inertia is enough", Walking{Acceleration: 20}, nil, Account{u, u, Free, 0, math.Inf(1), 0, false}},
	} {
		a := &Agent{ID: 1, Radius: 0.25, Way: east, Velocity: xy(u, 0), Walking: tc.walking}
		got := Account{Why: -1}
		s := Solver{Account: &got}
		v, keep := s.walk(a, tc.others, xy(u, 0), 2, 0.1)
		if got != tc.want {
			t.Errorf("%s: got=%+v, want=%+v", tc.name, got, tc.want)
		}
		if w, same := new(Solver).walk(a, tc.others, xy(u, 0), 2, 0.1); w != v || same != keep {
			t.Errorf("%s: with an account: got=%v, %v, want=%v, %v", tc.name, v, keep, w, same)
		}
	}
	left := at(1.2, -0.1, east)
	got := Account{}
	s := Solver{Account: &got}
	s.walk(&Agent{Radius: 0.25, Way: east, Walking: Walking{TimeGap: 1, Overtaking: 1}}, []Other{left}, xy(u, 0), 2, 0.1)
	if got.Why != OvertakingLeft {
		t.Errorf("one a bit to the right: got=%v, want=%v", got.Why, OvertakingLeft)
	}
	s.walk(&Agent{Walking: Walking{TimeGap: 1}}, []Other{left}, r2.Vec{}, 2, 0.1)
	if want := (Account{Gap: math.Inf(1)}); got != want {
		t.Errorf("who does not walk: got=%+v, want=%+v", got, want)
	}
}
