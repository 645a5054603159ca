// Command groups is an example of a strategy game: 2,000 units in 20 groups, drawn by Ebitengine. A number key
// picks one of the first ten groups or, with Shift, one of the other ten. A left click sends the picked group
// to the cursor; a right click adds or removes a building there.
package main

import (
	"fmt"
	"image/color"
	"log"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/ebitenutil"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
	"github.com/hajimehoshi/ebiten/v2/vector"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	groups, units = 20, 100
	scale         = 4 // pixels per meter
)

var size = r2.Vec{X: 300, Y: 200} // m

type unit struct {
	entity ecs.Entity
	group  int
}

type game struct {
	crowd     *world.World
	steps     frame.Accumulator
	bodies    generic.Map2[c.Position, c.Radius]
	units     []unit
	buildings []building
	picked    int // group that a click sends
}

type building struct {
	entity ecs.Entity
	box    r2.Box
}

func newGame() (*game, error) {
	config := world.Default()
	config.Dt = 1. / 30
	config.Bounds, config.Box = systems.BoundsClamp, r2.Box{Max: size}
	w, err := world.New(config)
	if err != nil {
		return nil, err
	}
	g := &game{crowd: w, steps: frame.Accumulator{Dt: config.Dt}, bodies: generic.NewMap2[c.Position, c.Radius](w.ECS)}
	for group := range groups {
		corner := r2.Vec{X: 10 + 30*float64(group%2), Y: 2 + 19.5*float64(group/2)}
		err := w.Spawn(units, []any{
			c.Target{}, c.Radius{}, c.Destination{}, c.Route{}, c.Limits{MaxSpeed: 4, MaxForce: 20}, c.Arrival{Gain: 2, SlowingRadius: 3},
			c.Solid{Push: 0.8}, c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 4, MaxNeighbors: 10},
		}, func(r *world.Rows) {
			at, to, way, radius := world.Column[c.Position](r), world.Column[c.Target](r), world.Column[c.Destination](r), world.Column[c.Radius](r)
			for i := range at {
				at[i].Vec = r2.Add(corner, r2.Vec{X: 1.9 * float64(i%10), Y: 1.8 * float64(i/10)})
				to[i].Vec, way[i].Vec = at[i].Vec, at[i].Vec
				radius[i].Meters = []float64{0.3, 0.5, 0.9}[i%3]
				g.units = append(g.units, unit{r.Entity(i), group})
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return g, nil
}

func (g *game) Update() error {
	for key := ebiten.Key0; key <= ebiten.Key9; key++ {
		if inpututil.IsKeyJustPressed(key) {
			g.picked = int(key - ebiten.Key0)
			if ebiten.IsKeyPressed(ebiten.KeyShift) {
				g.picked += 10
			}
		}
	}
	x, y := ebiten.CursorPosition()
	at := r2.Vec{X: float64(x) / scale, Y: float64(y) / scale}
	if inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonLeft) {
		var members []ecs.Entity
		for _, u := range g.units {
			if u.group == g.picked {
				members = append(members, u.entity)
			}
		}
		if err := g.crowd.SendGroup(members, at); err != nil {
			return err
		}
	}
	if inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonRight) {
		if err := g.build(at); err != nil {
			return err
		}
	}
	for range g.steps.Due(1. / float64(ebiten.TPS())) {
		if err := g.crowd.Step(); err != nil {
			return err
		}
	}
	return nil
}

// build adds a building around a place, or removes one that is there.
func (g *game) build(at r2.Vec) error {
	for i, b := range g.buildings {
		if b.box.Contains(at) {
			g.buildings = append(g.buildings[:i], g.buildings[i+1:]...)
			return g.crowd.RemoveObstacle(b.entity)
		}
	}
	box := r2.NewBox(at.X-4, at.Y-3, at.X+4, at.Y+3)
	e, err := g.crowd.AddPolygon(box.Vertices())
	g.buildings = append(g.buildings, building{e, box})
	return err
}

func (g *game) Draw(screen *ebiten.Image) {
	screen.Fill(color.Gray{240})
	for _, b := range g.buildings {
		s := b.box.Size()
		vector.DrawFilledRect(screen, float32(scale*b.box.Min.X), float32(scale*b.box.Min.Y), float32(scale*s.X), float32(scale*s.Y), color.Gray{140}, false)
	}
	for _, u := range g.units {
		at, radius := g.bodies.Get(u.entity)
		ink := color.RGBA{uint8(12 * u.group), uint8(97 * u.group), uint8(200 - 8*u.group), 255}
		vector.DrawFilledCircle(screen, float32(scale*at.X), float32(scale*at.Y), float32(scale*radius.Meters), ink, true)
	}
	ebitenutil.DebugPrint(screen, fmt.Sprintf("group %d; %.0f frames/s", g.picked, ebiten.ActualFPS()))
}

func (g *game) Layout(int, int) (int, int) { return int(scale * size.X), int(scale * size.Y) }

func main() {
	g, err := newGame()
	if err != nil {
		log.Fatal(err)
	}
	ebiten.SetWindowSize(int(scale*size.X), int(scale*size.Y))
	ebiten.SetWindowTitle("groups")
	if err := ebiten.RunGame(g); err != nil {
		log.Fatal(err)
	}
}
