package spec

import "fmt"

// Point is what one run is made of.
type Point struct {
	Index  int64
	Scene  int     // among the scenes of the spec
	Values []Value // of the axes
	Seed   uint64
}

// Point returns the point of a run. Seeds change first from index to index, and scenes last.
func (s *Spec) Point(index int64) (Point, error) {
	if index < 0 || index >= s.Runs() {
		return Point{}, fmt.Errorf("run %d, want 0 to %d", index, s.Runs()-1)
	}
	seeds, points := int64(s.SeedCount()), s.pointsOfScene()
	at := index / seeds
	p := Point{Index: index, Scene: int(at / points), Values: make([]Value, len(s.Axes)), Seed: s.seed(index % seeds)}
	s.values(p.Values, at%points)
	return p, nil
}

// values fills in the values of a point of the design.
func (s *Spec) values(to []Value, i int64) {
	switch s.Design.Kind {
	case Halton:
		for k := range to {
			to[k] = s.Axes[k].part(radicalInverse(s.Design.Seed, k, uint64(i)))
		}
	case Latin:
		for k := range to {
			to[k] = s.Axes[k].part(latin(s.Design.Seed, k, uint64(i), uint64(s.Design.Points)))
		}
	default: // the last axis changes first
		for k := len(to) - 1; k >= 0; k-- {
			n := int64(s.Axes[k].count())
			to[k] = s.Axes[k].at(int(i % n))
			i /= n
		}
	}
}
