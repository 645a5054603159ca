package walking

import (
	"math"
	"testing"

	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestAccount(t *testing.T) {
	slow := at(1.2, 0.1, east)
	slow.ID, slow.Velocity = 7, xy(0.5, 0)
	comes := at(2, 1, west)
	comes.ID = 8
	const u = usualSpeed
	seen := walker(Rules{}, &orca.Agent{Radius: 0.25, Velocity: xy(u, 0)}, []orca.Other{slow})
	seen.others = seen.Solver.Neighbors(0)
	presences := seen.presence(0, slow.Position, east)
	dense := density(presences)
	gapOf := gap(1.2, 0.1, 0.5)
	for _, tc := range []struct {
		name   string
		rules  Rules
		others []orca.Other
		want   Account
	}{
		{"no law", Rules{}, []orca.Other{slow}, Account{u, u, Free, 0, math.Inf(1), 0, false}},
		{"none", Rules{TimeGap: 0.5, MaxDensity: 5, Overtaking: 1}, nil, Account{u, u, Free, 0, math.Inf(1), 0, false}},
		{"far", Rules{TimeGap: 0.1}, []orca.Other{slow}, Account{u, u, Free, 7, gapOf, dense, false}},
		{"gap", Rules{TimeGap: 1}, []orca.Other{slow}, Account{u, gapOf, ByGap, 7, gapOf, dense, false}},
		{"density", Rules{TimeGap: 0.1, MaxDensity: 0.8}, []orca.Other{slow}, Account{u, (&Walker{Rules: Rules{MaxDensity: 0.8}}).slowed(u, presences), ByDensity, 7, gapOf, dense, false}},
		{"gap, though it is dense", Rules{TimeGap: 1, MaxDensity: 5}, []orca.Other{slow}, Account{u, gapOf, ByGap, 7, gapOf, dense, false}},
		{"oncoming", Rules{TimeGap: 1, Right: 0.5}, []orca.Other{slow, comes}, Account{u, u, Oncoming, 8, math.Inf(1), 0, false}},
		{"overtaking", Rules{TimeGap: 1, Overtaking: 0.8}, []orca.Other{slow}, Account{u, math.Hypot(gapOf, 0.8*(u-gapOf)), OvertakingRight, 7, gapOf, dense, false}},
		{"inertia", Rules{TimeGap: 1, Acceleration: 1}, []orca.Other{slow}, Account{u, gapOf, ByGap, 7, gapOf, dense, true}},
		{"inertia is enough", Rules{Acceleration: 20}, nil, Account{u, u, Free, 0, math.Inf(1), 0, false}},
	} {
		a := &orca.Agent{ID: 1, Radius: 0.25, Way: east, Velocity: xy(u, 0)}
		got := Account{Why: -1}
		w := walker(tc.rules, a, tc.others)
		w.Account = &got
		v, keep := w.prefer(xy(u, 0), 2, 0.1)
		if got != tc.want {
			t.Errorf("%s: got=%+v, want=%+v", tc.name, got, tc.want)
		}
		if w, same := walker(tc.rules, a, tc.others).prefer(xy(u, 0), 2, 0.1); w != v || same != keep {
			t.Errorf("%s: with an account: got=%v, %v, want=%v, %v", tc.name, v, keep, w, same)
		}
	}
	left := at(1.2, -0.1, east)
	got := Account{}
	w := walker(Rules{TimeGap: 1, Overtaking: 1}, &orca.Agent{Radius: 0.25, Way: east, Velocity: xy(u, 0)}, []orca.Other{left})
	w.Account = &got
	w.prefer(xy(u, 0), 2, 0.1)
	testkit.Equal(t, got.Why, OvertakingLeft, "one a bit to the right")
	w.prefer(r2.Vec{}, 2, 0.1)
	if want := (Account{Gap: math.Inf(1)}); got != want {
		t.Errorf("an agent that does not walk: got=%+v, want=%+v", got, want)
	}
}
