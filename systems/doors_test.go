package systems_test

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestDoors(t *testing.T) {
	config := world.Default()
	config.Dt, config.Workers = 0.5, 1
	w := startWorld(t, config)
	for _, test := range []struct {
		name string
		door c.Door
		want string // one letter per step: o means open, c means closed
	}{
		{"by hand", c.Door{}, "cccccccc"},
		{"by hand, open", c.Door{Open: true}, "oooooooo"},
		{"opens", c.Door{Opens: 1}, "ccoooooo"},
		{"closes", c.Door{Closes: 1, Open: true}, "oocccccc"},
		{"opens and closes", c.Door{Opens: 1, Closes: 2}, "ccoocccc"},
		{"again and again", c.Door{Opens: 0.5, Closes: 1, Period: 1.5}, "coccocco"},
		{"shorter than a step", c.Door{Opens: 1, Closes: 1.1}, "cccccccc"},
	} {
		e, err := w.AddDoor(r2.Vec{X: 1, Y: -1}, r2.Vec{X: 1, Y: 1}, 0, test.door)
		testkit.Must(t, err)
		w.Clock.Time = 0
		got := ""
		for range test.want {
			testkit.Must(t, w.Step())
			if _, closed := w.Obstacles.Ray(r2.Vec{}, r2.Vec{X: 1}, 3); closed {
				got += "c"
			} else {
				got += "o"
			}
		}
		testkit.Equal(t, got, test.want, "%s", test.name)
		testkit.Must(t, w.RemoveObstacle(e))
	}
	if _, err := w.AddDoor(r2.Vec{}, r2.Vec{X: 1}, 0, c.Door{Opens: -1}); err == nil {
		t.Error("a door that opens at -1 s: got=nil, want=an error")
	}
}
