package experiment

import (
	"cmp"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/formats/recorded"
)

// RecordingOf returns a crowd, by the IDs of the people, with frames every dt seconds from its start on.
// Who is absent for a while is another person afterwards, with the same ID.
func RecordingOf(c *recorded.Crowd, dt float64) *Recording {
	const rounding = 1e-6
	r := &Recording{Dt: dt}
	for i := range c.People {
		p := &c.People[i]
		for _, there := range p.Stretches() {
			of := Person{ID: p.ID, First: int(math.Ceil((there[0]-c.Start)/dt - rounding))}
			for f := of.First; float64(f) <= (there[1]-c.Start)/dt+rounding; f++ {
				at, _ := p.Place(min(max(c.Start+float64(f)*dt, there[0]), there[1]))
				of.At = append(of.At, at)
			}
			if len(of.At) > 0 {
				r.People = append(r.People, of)
				r.Frames = max(r.Frames, of.Last()+1)
			}
		}
	}
	slices.SortStableFunc(r.People, func(a, b Person) int { return cmp.Compare(a.ID, b.ID) })
	return r
}
