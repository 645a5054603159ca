package orca

import (
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestPlanes(t *testing.T) {
	agent := Agent{ID: 1, Radius: 0.5, Velocity: r2.Vec{X: 1}, Preferred: r2.Vec{X: 3}, MaxSpeed: 2, Rule: Rule{Horizon: 2, ObstacleHorizon: 2, Firm: true, Side: 0.5}}
	ahead := Other{ID: 2, Position: r2.Vec{X: 1.5}, Radius: 0.5, Share: 0.5}
	away := Other{ID: 3, Position: r2.Vec{Y: 50}, Radius: 0.5, Share: 0.5}
	below := Wall(r2.Vec{X: -9, Y: -1.5}, r2.Vec{X: 9, Y: -1.5}, 0.1)
	inside := Wall(r2.Vec{X: -9, Y: 0.4}, r2.Vec{X: 9, Y: 0.4}, 0.1)
	for _, test := range []struct {
		name   string
		others []Other
		walls  []Edge
		want   []Kind
		aside  bool
	}{
		{"alone", nil, nil, nil, false},
		{"a wall", nil, []Edge{below}, []Kind{OfWall}, false},
		{"in a wall", nil, []Edge{inside}, []Kind{OfWall, OfTouching}, false},
		{"another agent far away", []Other{away}, nil, nil, false},
		{"all at once", []Other{ahead, away}, []Edge{inside, below}, []Kind{OfWall, OfWall, OfGap, OfTouching, OfBody}, true},
	} {
		var s Alone
		v, feasible := s.Velocity(&agent, test.others, test.walls, 0.5)
		planes := s.Planes()
		if len(planes) != len(test.want) {
			t.Errorf("%s: half-planes: got=%v, want=kinds %v", test.name, planes, test.want)
			continue
		}
		all := true
		for i, p := range planes {
			all = all && vec.Dot(p.Normal, v) >= p.Least-1e-9
			if p.Kind != test.want[i] {
				t.Errorf("%s: half-plane %d: got=%v, want=kind %v", test.name, i, p, test.want[i])
			}
		}
		testkit.Equal(t, all, feasible, "%s: %v in all half-planes", test.name, v)
		if aim := s.Aim(); vec.Norm(aim) < 1.999 || vec.Norm(aim) > 2.001 || (aim.Y < 0) != test.aside {
			t.Errorf("%s: aim: got=%v, want=2 m/s, to the right: %v", test.name, aim, test.aside)
		}
	}
}
