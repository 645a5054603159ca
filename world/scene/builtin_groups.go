package scene

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"gonum.org/v1/gonum/spatial/r2"
)

// formation is a parade ground on which companies drill, each after its captain.
func formation() *Scene {
	const (
		pace, fast = 1.4, 2.6 // m/s, of captains; at most
		slowing    = 1.5      // m
	)
	s := &Scene{
		Name: "formation", Text: "four companies fall in behind their captains as a line, a column, a wedge and a block, and wheel with them",
		Try:      "Raise the spacing of a formation: it spreads as it goes. Set its files to 1, 3 or 12. Delete some of its members: the others close up.",
		Featured: []string{"groups[1].formation.spacing", "groups[5].formation.slant", "groups[7].formation.turn-rate"},
		Seed:     1, Dt: 1. / 30, Steps: 3600, Box: box(0, 0, 120, 80),
	}
	for i, company := range []struct {
		name  string
		count int
		at    r2.Vec
		c.Formation
	}{
		{"line", 24, xy(30, 20), c.Formation{Spacing: 1.5, Files: 12, Distance: 3}},
		{"column", 24, xy(90, 20), c.Formation{Spacing: 1.5, Files: 2, Distance: 2}},
		{"wedge", 14, xy(90, 60), c.Formation{Spacing: 1.5, Slant: 1}},
		{"block", 48, xy(30, 60), c.Formation{Spacing: 1.5, Files: 8, Distance: 3}},
	} {
		var beat []r2.Vec // an oval
		for k := range 32 {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / 32)
			beat = append(beat, xy(company.at.X+float64(20*cos), company.at.Y-float64(11*sin)))
		}
		s.Paths = append(s.Paths, beat)
		company.Lead, company.TurnRate = slowing/fast, 0.4
		walker := Group{
			Radius: Same(0.35), MaxForce: Same(math.Inf(1)),
			Behaviors: []any{c.Facing{Rate: 4}},
		}
		captain, members := walker, walker
		captain.Name, captain.Count, captain.At, captain.MaxSpeed = company.name+" captain", 1, Place{Points: beat[:1]}, Same(pace)
		captain.Behaviors = append([]any{c.Seek{Gain: 2}, c.Path{Index: uint32(i), Next: 1, Reached: 2, Loop: true}}, walker.Behaviors...)
		members.Name, members.Count, members.MaxSpeed = company.name, company.count, Same(fast)
		members.At = Place{Box: box(company.at.X-15, company.at.Y-12, company.at.X+15, company.at.Y+12)}
		members.Whom = map[string]string{"formation.leader": captain.Name}
		members.Behaviors = append([]any{
			c.Arrival{Gain: 8, SlowingRadius: slowing}, c.Separation{Gain: 2, NeighborDist: 1.2}, company.Formation,
		}, walker.Behaviors...)
		s.Groups = append(s.Groups, captain, members)
	}
	return s
}
