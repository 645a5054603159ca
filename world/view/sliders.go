package view

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// tunedGroups is the largest number of groups with sliders: a file may have a group per agent.
const tunedGroups = 20

func slidersOf(sc *scene.Scene) []scene.Parameter {
	few := *sc
	few.Groups = sc.Groups[:min(len(sc.Groups), tunedGroups)]
	return few.Parameters()
}

// sliders holds the parameters that a scene had when it was opened, so that ranges stay fixed while a slider
// is dragged.
type sliders map[string]scene.Parameter

func newSliders(sc *scene.Scene) sliders {
	all := sliders{}
	for _, p := range slidersOf(sc) {
		all[p.Name] = p
	}
	return all
}

func (s sliders) message(p scene.Parameter) parameterMessage {
	first, known := s[p.Name]
	if !known { // the parameter had only one allowed value when the scene was opened
		first = p
	}
	return parameterMessage{
		p.Name, p.Group, p.Section, p.Label, p.Help, number(p.Value), number(first.Value), number(first.Min), number(first.Max), number(first.Step),
	}
}

// tuning guards the present scene, which the simulation tunes and the builder copies.
type tuning struct {
	mu      sync.RWMutex
	copied  bool
	changes []scene.Input // since the copy: the newest value of each parameter
}

// copyScene returns a copy of the present crowd without its world, and begins to record changes.
func (s *simulation) copyScene() *crowd {
	t := &s.tuning
	t.mu.Lock()
	defer t.mu.Unlock()
	t.copied, t.changes = true, nil
	return &crowd{name: s.name, text: s.text, scene: s.scene.Clone(), sliders: s.sliders, units: s.units, film: s.film, drawn: s.drawn, copied: true}
}

func (s *simulation) file() (string, error) {
	s.tuning.mu.RLock()
	defer s.tuning.mu.RUnlock()
	if s.locked || s.scene == nil {
		return "", errors.New("file: viewers may not save a scene here")
	}
	var text strings.Builder
	err := s.scene.WriteTOML(&text)
	return text.String(), err
}

// draw records an edit to obstacles. The first edit is announced.
func (s *simulation) draw() {
	s.tuning.mu.Lock()
	defer s.tuning.mu.Unlock()
	s.tuned = s.tuned || !s.drawn
	s.drawn = true
}

func doorsOf(w *world.World) map[ecs.Entity]c.Door {
	doors := map[ecs.Entity]c.Door{}
	w.Inspect().EachObstacle(func(o world.ObstacleShape) {
		if o.Door != nil {
			doors[o.Entity] = *o.Door
		}
	})
	return doors
}

// keepObstacles copies the present obstacles into the scene, so that edits survive a restart and appear in
// the scene file. Doors keep their times, and the state in which they started.
func (s *simulation) keepObstacles() {
	var now scene.Obstacles
	s.world.Inspect().EachObstacle(func(o world.ObstacleShape) {
		switch {
		case o.Door != nil:
			first, known := s.doors[o.Entity]
			if !known { // a viewer has just added it
				first = *o.Door
				s.doors[o.Entity] = first
			}
			now.Doors = append(now.Doors, scene.Door{A: o.A, B: o.B, Radius: o.Radius, Door: first})
		case len(o.Corners) > 0:
			now.Polygons = append(now.Polygons, o.Corners)
		case o.A == o.B:
			now.Circles = append(now.Circles, scene.Circle{At: o.A, Radius: o.Radius})
		default:
			now.Walls = append(now.Walls, scene.Wall{A: o.A, B: o.B, Radius: o.Radius})
		}
	})
	s.tuning.mu.Lock()
	defer s.tuning.mu.Unlock()
	s.scene.Obstacles = now
}

func (s *simulation) tune(in *scene.Input) error {
	t := &s.tuning
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := in.Apply(s.world); err != nil {
		return err
	}
	s.tuned = true
	if t.copied {
		t.note(*in)
	}
	return nil
}

func (t *tuning) note(in scene.Input) {
	older := func(old scene.Input) bool { return old.Name == in.Name }
	t.changes = append(slices.DeleteFunc(t.changes, older), in)
}

// replace replaces the present crowd. If the scene of the next crowd is a copy, replace applies the changes
// made since the copy.
func (s *simulation) replace(next *crowd) {
	t := &s.tuning
	t.mu.Lock()
	defer t.mu.Unlock()
	before := s.crowd
	s.crowd = next
	if next.copied && before.drawn && !reflect.DeepEqual(next.scene.Obstacles, before.scene.Obstacles) {
		s.redraw(before.scene.Obstacles)
	}
	for i := range t.changes {
		if next.copied {
			_ = t.changes[i].Apply(next.world) // the value was valid in the previous world
		}
	}
	t.copied, t.changes = false, nil
}

// redraw replaces the obstacles. The caller must hold s.tuning.mu.
func (s *simulation) redraw(all scene.Obstacles) {
	s.scene.Obstacles, s.drawn = all, true
	w := s.world
	w.Inspect().EachObstacle(func(o world.ObstacleShape) { w.Remove(o.Entity) })
	// The errors are nil: these obstacles were in the previous world.
	for _, o := range all.Circles {
		_, _ = w.AddObstacle(o.At, c.Obstacle{Radius: o.Radius})
	}
	for _, o := range all.Walls {
		_, _ = w.AddObstacle(o.A, c.Obstacle{Span: r2.Sub(o.B, o.A), Radius: o.Radius})
	}
	for _, d := range all.Doors {
		_, _ = w.AddDoor(d.A, d.B, d.Radius, d.Door)
	}
	for _, corners := range all.Polygons {
		_, _ = w.AddPolygon(corners)
	}
	s.doors = doorsOf(w)
}

// interrupt ends the running step and prevents further ones.
func (s *simulation) interrupt() {
	s.tuning.mu.RLock()
	defer s.tuning.mu.RUnlock()
	s.world.Interrupt()
}
