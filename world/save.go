package world

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// saveVersion is that of what Save writes. It changes whenever a stream of before could be
// misread.
const saveVersion = 2

// Save writes the whole state of the world between two steps, for Restore: all entities
// with our components, those of Config.Behaviors and those of Config.Saved, the resources of this
// module and those of Config.Saved, ids, the clock, sources, what was counted and measured, and what systems
// keep (frame.Keeper). Times that steps took are not in it. A bound type is saved as ours, and a
// relation to a dead entity as one to none.
//
// The stream is the same on every machine, for any number of workers: versioned, and with a
// checksum for each block. It is not compressed. It is for the same version of this module and of the
// host; what a host's systems keep without frame.Keeper is not in it.
//
// It is an error if an entity has a component that is neither ours nor in Config.Saved or
// Config.Unsaved, if two agents have the same id, if a spawn waits for the end of a step, or if the world was taken back
// by Interrupt. It panics if the world is locked.
func (w *World) Save(out io.Writer) error {
	if w.ECS.IsLocked() {
		panic("crowd: Save of a locked world: close the query over it first")
	}
	if w.final != nil {
		return fmt.Errorf("cannot save: %w", ErrInterrupted)
	}
	if n := len(w.spawns); n > 0 {
		return fmt.Errorf("cannot save: %d spawns that were asked for while the world was locked wait for the next step", n)
	}
	var ids []uint64
	w.eachAgent(func(a c.Agent, _ *column.Run, _ int) bool {
		ids = append(ids, a.ID)
		return true
	})
	people, err := w.census()
	if err = cmp.Or(err, checkIDs(ids)); err != nil {
		return fmt.Errorf("cannot save: %w", err)
	}
	a := archive.Write(out, saveVersion)
	a.Entity = func(e ecs.Entity) (ecs.Entity, error) { return e, within(e, len(people.dump.Entities)) }
	settings := w.config.savedSettings()
	a.Block("config", func() { a.Keep(&settings) })
	people.write(a, w)
	tables := w.savedTables()
	tables.keep(a)
	if err := w.saveHost(a); err != nil {
		return fmt.Errorf("cannot save: %w", err)
	}
	w.keep(a)
	return a.Close()
}

// errNobody is of an entity that the world never had.
var errNobody = errors.New("the world never had that entity")

// within refuses an entity that is not one of the first n.
func within(e ecs.Entity, n int) error {
	if int(e.ID()) >= n {
		return fmt.Errorf("entity %s: %w", entityText(e), errNobody)
	}
	return nil
}
