// Package trajectories writes who was where, step by step, in the formats of other
// programs.
package trajectories

import (
	"cmp"
	"io"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/generic"
)

// Sample is where an agent was.
type Sample struct {
	ID   uint64  `parquet:"id,delta"`
	Time float64 `parquet:"time,dict"` // s since the start
	X    float64 `parquet:"x"`         // m
	Y    float64 `parquet:"y"`         // m
	VX   float64 `parquet:"vx"`        // m/s
	VY   float64 `parquet:"vy"`        // m/s
}

// Recorder writes the start and every n-th step of a crowd to a file: one
// row an agent, by id within a step. Agents that have left are not in it. Memory
// is that of one step and a bounded buffer.
type Recorder struct {
	world  *world.World
	agents generic.Filter3[c.Agent, c.Position, c.Velocity]
	every  int
	step   []Sample // kept from step to step for its memory
	to     Writer
}

// Writer is a format of trajectories.
type Writer interface {
	Write(frame int, step []Sample) error // frame counts what is written, from 0
	Close() error
}

// Format begins a file of a format, with a number of frames a second.
type Format func(to io.Writer, frameRate float64) Writer

// FormatOf returns the format that the end of a file's name says, nil if none.
func FormatOf(name string) Format {
	switch {
	case strings.HasSuffix(name, ".csv"):
		return func(to io.Writer, _ float64) Writer { return newCSV(to) }
	case strings.HasSuffix(name, ".csv.gz"):
		return func(to io.Writer, _ float64) Writer { return newZippedCSV(to) }
	case strings.HasSuffix(name, ".parquet"):
		return func(to io.Writer, _ float64) Writer { return newParquet(to) }
	case strings.HasSuffix(name, ".txt"):
		return newPedPy
	}
	return nil
}

// New returns a recorder of every n-th step of a world, in a format.
func New(to io.Writer, format Format, every int, w *world.World) *Recorder {
	return &Recorder{
		world: w, every: every, to: format(to, 1/(w.Clock.Dt*float64(every))),
		agents: *generic.NewFilter3[c.Agent, c.Position, c.Velocity](),
	}
}

// Record writes where the agents are after a number of steps, if it is one of
// those to be written.
func (t *Recorder) Record(steps int) error {
	if steps%t.every != 0 {
		return nil
	}
	t.step = t.step[:0]
	query := t.agents.Query(t.world.ECS)
	for query.Next() {
		a, p, v := query.Get()
		t.step = append(t.step, Sample{ID: a.ID, Time: t.world.Clock.Time, X: p.X, Y: p.Y, VX: v.X, VY: v.Y})
	}
	slices.SortFunc(t.step, func(a, b Sample) int { return cmp.Compare(a.ID, b.ID) })
	return t.to.Write(steps/t.every, t.step)
}

// Close writes what is still to be written.
func (t *Recorder) Close() error { return t.to.Close() }
