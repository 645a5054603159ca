package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// A formationShape is what the members of a formation have in common.
type formationShape struct {
	spacing, slant, distance float64
	files                    uint32
}

// slot returns a place in a formation, in meters ahead of the leader and to the left: the one
// with this number of so many, counted from 1, rank by rank from the left. The last rank
// stands in the middle if it is not full. Without a distance one place of the first rank, its
// middle, is the leader's, and has no number.
func (s formationShape) slot(number, of uint32) r2.Vec {
	k, n := uint64(number)-1, uint64(of)
	leads := s.distance == 0
	if leads {
		n++
	}
	files := n
	if s.files > 0 {
		files = min(uint64(s.files), n)
	}
	shift := 0. // so that the leader's place is a file
	if leads {
		if k >= files/2 {
			k++
		}
		if files%2 == 0 {
			shift = 0.5
		}
	}
	rank, file := k/files, k%files
	width := min(files, n-rank*files)
	if s.slant != 0 && (files-width)%2 != 0 { // a slanted rank would come too near to the one before
		shift += 0.5
	}
	left := float64(s.spacing * (float64(float64(width-1)/2) - float64(file) + shift))
	at := r2.Vec{X: -s.distance - float64(s.spacing*float64(rank)), Y: left}
	at.X -= float64(s.slant * math.Abs(left))
	return at
}

// ofCourse returns where a place is as seen from the leader of a formation that faces along
// course.
func ofCourse(slot, course r2.Vec) r2.Vec {
	return vec.AddScaled(vec.Scale(slot.X, course), slot.Y, vec.Left(course))
}

// membership is what an agent knows of its formation.
type membership = c.Formation

// shapeOf returns what a member has in common with the others.
func shapeOf(f *membership) formationShape {
	return formationShape{f.Spacing, f.Slant, f.Distance, f.Files}
}

// inPlace reports whether an agent has a place to go to.
func inPlace(f *membership) bool { return f.Own && f.Leader.Seen || f.Number > 0 && takesPlace(f) }

// takesPlace reports whether an agent takes a place that is given to it.
func takesPlace(f *membership) bool {
	return f.Leader.Seen && !f.Own && f.Spacing > 0 && vec.Finite(r2.Vec{X: f.Slant + f.Spacing, Y: f.Distance})
}

// turnsAbout reports whether the leader has turned by more than a quarter, away from where the
// formation faces.
func turnsAbout(f *membership, course r2.Vec) bool {
	return f.TurnRate > 0 && vec.Dot(course, f.Facing) < 0
}
