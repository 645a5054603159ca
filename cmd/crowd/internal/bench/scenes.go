package bench

import (
	"context"
	"hash/fnv"
	"runtime"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// sceneMemory returns what tells how many bytes a scene needs.
func sceneMemory(s *scene.Scene) func(int) uint64 {
	return func(agents int) uint64 {
		if agents != s.Agents() {
			s.Resize(agents)
		}
		return s.Memory(scene.Options{})
	}
}

// openScene opens crowds of a scene. Its state is set back by making it anew,
// because agents may have left it.
func openScene(ctx context.Context, name string) func(string, int, int) (*subject, error) {
	return func(_ string, agents, workers int) (*subject, error) {
		s, err := scene.Open(name, scene.OpenOptions{Context: ctx})
		if err != nil {
			return nil, stopped(ctx, err)
		}
		if agents != s.Agents() {
			s.Resize(agents)
		}
		var w *world.World
		disarm := func() bool { return true }
		sub := &subject{cycle: max(1, s.Steps), input: func() string { return sceneSum(s) }}
		sub.step = func() error { return stopped(ctx, w.Step()) }
		sub.close = func() {
			if disarm(); w != nil {
				w.Close()
			}
			w = nil
		}
		sub.reset = func() (err error) {
			sub.close()
			if w, err = s.Build(scene.Options{Workers: workers, Context: ctx}); err != nil {
				return stopped(ctx, err)
			}
			disarm = context.AfterFunc(ctx, w.Interrupt)
			runtime.GC() // now, and not while steps are timed
			return nil
		}
		return sub, nil
	}
}

// stopped returns errStopped in place of an error that came with the end of the
// context.
func stopped(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return errStopped
	}
	return err
}

// sceneSum returns a sum over all that a scene says.
func sceneSum(s *scene.Scene) string {
	sum := fnv.New64a()
	if err := s.WriteTOML(sum); err != nil {
		return ""
	}
	return hex(sum)
}
