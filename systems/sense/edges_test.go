package sense

import (
	"reflect"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
)

// Obstacles that move, come and go are walls as they are now.
func TestWallsOfMovingObstacles(t *testing.T) {
	o := &Obstacles{}
	s := newStage(t, 0.05, o)
	disc := s.Put(c.Position{Vec: xy(0, -4)}, c.Obstacle{Radius: 1})
	wall := s.Put(c.Position{Vec: xy(0, 4)}, c.Obstacle{Span: xy(0, 1), Radius: 0.1})
	for step := range 200 {
		testkit.ComponentOf[c.Position](s, disc).Y = -4 + 0.03*float64(step)
		if step == 60 {
			s.RemoveEntity(wall)
		}
		s.Step()
		o.PrepareWalls(5)
		fresh := Obstacles{}
		fresh.shapes = append(fresh.shapes, o.shapes...)
		fresh.index.Build(fresh.shapes, 5, 0)
		fresh.PrepareWalls(5)
		if got, want := o.edges.walls, fresh.edges.walls; !reflect.DeepEqual(got, want) {
			t.Fatalf("step %d: walls: got=%v, want=%v", step, got, want)
		}
	}
}
