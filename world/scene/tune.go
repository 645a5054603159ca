package scene

import (
	"errors"
	"fmt"

	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
)

// Tune changes a number of the scene, and with it all living agents that it is
// about, between two steps. The name is that of a Parameter, such as
// groups[0].arrival.slowing-radius; or, without the group, such as max-speed, it means
// all groups that have it. A restart, and a file that is written, have the new number too. Tuned before the first step, the run is that of a scene that
// had the number from the start.
//
// The world must be the one that Build made of this very scene. What a file may
// not say is refused, and so is what does not go with the other numbers; then
// nothing changes, and the error names the parameter, the value, and what is
// allowed.
//
// A number that differs from agent to agent becomes the same for all. The first
// mass or radius of agents without one gives them the component, which takes some
// 0.2 µs for each; all else takes some nanoseconds.
func (s *Scene) Tune(w *world.World, name string, x float64) error {
	build, err := crowdOf(w)
	switch {
	case err != nil:
		return err
	case build.Scene != s:
		return fmt.Errorf("the world was built from another scene than %s, or from a copy of it", s.Name)
	case w.ECS.IsLocked():
		return fmt.Errorf("%s cannot be changed in the middle of a step, or while a query is open", name)
	}
	keys, wrong := s.findKeys(name)
	if wrong != "" {
		return fmt.Errorf("%s %s", cut(name), wrong)
	}
	for _, k := range keys {
		if k.group >= len(build.firsts)-1 {
			return fmt.Errorf("%s cannot be changed: the world was built before the scene had that group", name)
		}
		if !k.Allow(x) {
			return fmt.Errorf("%s is %v, want %v", name, x, k.Limits)
		}
	}
	if err := s.setAll(keys, name, x); err != nil {
		return err
	}
	for _, k := range keys {
		k.apply(&groupAgents{crowd: build, world: w, group: k.group}, x)
	}
	return nil
}

// setAll sets numbers of the scene, or none of them if they would not go with the others.
func (s *Scene) setAll(keys []boundKey, name string, x float64) error {
	var restore []func()
	for _, k := range keys {
		restore = append(restore, k.keep())
		k.set(x)
	}
	wrong := s.problems()
	if len(wrong) == 0 {
		return nil
	}
	for _, undo := range restore {
		undo()
	}
	for _, p := range wrong {
		if p.key == name {
			return fmt.Errorf("%s %s", p.key, p.text)
		}
	}
	more := ""
	if len(wrong) > 1 {
		more = fmt.Sprintf(", and %d more", len(wrong)-1)
	}
	return fmt.Errorf("%s cannot be %v: %s %s%s", name, x, wrong[0].key, wrong[0].text, more)
}

// crowdOf returns the crowd that Build made in a world.
func crowdOf(w *world.World) (*crowd, error) {
	for _, id := range ecs.ResourceIDs(w.ECS) { // without registering the type in a world that lacks it
		if build, ok := w.ECS.Resources().Get(id).(*crowd); ok {
			return build, nil
		}
	}
	return nil, errors.New("the world was not built from a scene")
}
