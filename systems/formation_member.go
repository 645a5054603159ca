package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// membership is what an agent knows of its formation.
type membership = c.Formation

// shapeOf returns what a member has in common with the others.
func shapeOf(f *membership) formationShape {
	return formationShape{f.Spacing, f.Slant, f.Distance, f.Files}
}

// inPlace tells whether an agent has a place to go to.
func inPlace(f *membership) bool { return f.Own && f.Leader.Seen || f.Number > 0 && takesPlace(f) }

// takesPlace tells whether an agent takes a place that is given to it.
func takesPlace(f *membership) bool {
	return f.Leader.Seen && !f.Own && f.Spacing > 0 && vec.Finite(r2.Vec{X: f.Slant + f.Spacing, Y: f.Distance})
}

// turnsAbout tells whether the leader has turned by more than a quarter, away from where the
// formation faces.
func turnsAbout(f *membership, course r2.Vec) bool {
	return f.TurnRate > 0 && vec.Dot(course, f.Facing) < 0
}
