// Package trajectories writes walkable areas and the positions of agents in the formats of other programs.
package trajectories

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// Sample is the state of an agent after a step.
type Sample struct {
	ID      uint64  `parquet:"id,delta"`
	Time    float64 `parquet:"time,dict"` // s, since the start
	X       float64 `parquet:"x"`         // m
	Y       float64 `parquet:"y"`         // m
	VX      float64 `parquet:"vx"`        // m/s
	VY      float64 `parquet:"vy"`        // m/s
	Heading r2.Vec  `parquet:"-"`         // unit vector; zero without a Heading component
}

// Recorder records the start and every n-th step: the agents that have not left, sorted by ID. It keeps one
// step in memory.
type Recorder struct {
	world  *world.World
	agents generic.Filter4[c.Agent, c.Position, c.Velocity, c.Heading]
	every  int
	ground *watch   // nil if the format does not store the ground
	step   []Sample // reused
	to     Writer
}

// New returns a Recorder that writes every n-th step of w, where n = every, to a Writer of the given format.
func New(to Writer, format Format, every int, w *world.World) *Recorder {
	t := &Recorder{
		world: w, every: every, to: to,
		agents: *generic.NewFilter4[c.Agent, c.Position, c.Velocity, c.Heading]().Optional(generic.T[c.Heading]()),
	}
	if format.grounds {
		t.ground = &watch{world: w, found: groundSet{known: map[int64]bool{}}}
	}
	return t
}

// Record writes the agents after the given number of steps if that number is a multiple of n.
func (t *Recorder) Record(steps int) error {
	if steps%t.every != 0 {
		return nil
	}
	t.step = t.step[:0]
	query := t.agents.Query(t.world.ECS)
	for query.Next() {
		a, p, v, h := query.Get()
		s := Sample{ID: a.ID, Time: t.world.Clock.Time, X: p.X, Y: p.Y, VX: v.X, VY: v.Y}
		if h != nil {
			s.Heading = h.Vec
		}
		t.step = append(t.step, s)
	}
	slices.SortFunc(t.step, func(a, b Sample) int { return cmp.Compare(a.ID, b.ID) })
	var changed *Ground
	if t.ground != nil {
		changed = t.ground.changed()
	}
	return t.to.Write(steps/t.every, t.step, changed)
}

// Writer writes trajectories in a format.
type Writer interface {
	// Write writes a step and does not keep the slice. Frames are numbered from 0. If the ground is unchanged
	// or the format does not store the ground, changed is nil.
	Write(frame int, step []Sample, changed *Ground) error
	Close() error // see Format.Begin
}

// Format is a file format of trajectories. The zero value is invalid.
type Format struct {
	// Begin starts a file. Closing the Writer completes the file, but does not close the io.Writer.
	Begin   func(to io.Writer, of Source) Writer
	grounds bool
}

var formats = map[string]Format{
	".csv": {Begin: newCSV}, ".csv.gz": {Begin: newZippedCSV}, ".parquet": {Begin: newParquet}, ".txt": {Begin: newPedPy}, ".sql": {newSQL, true},
}

// Source describes the recorded run.
type Source struct {
	Box       r2.Box  // m, of the scene; zero if there is none
	FrameRate float64 // frames per second
}

// SourceOf returns the source for a Recorder that writes every n-th step of w, where n = every, in the box of
// the scene.
func SourceOf(w *world.World, every int, box r2.Box) Source {
	return Source{Box: box, FrameRate: 1 / (w.Clock.Dt * float64(every))}
}

// FormatOf returns the format for a file name. The error lists the extensions, or explains how to create a
// .sqlite file.
func FormatOf(name string) (Format, error) {
	for ending, format := range formats {
		if strings.HasSuffix(name, ending) {
			return format, nil
		}
	}
	if text, is := strings.CutSuffix(name, "ite"); is && strings.HasSuffix(text, ".sql") {
		return Format{}, fmt.Errorf("%s, want %s; then run: sqlite3 %s < %s", name, text, name, text)
	}
	return Format{}, fmt.Errorf("%s, want a name that ends in .csv, .csv.gz, .parquet, .sql or .txt", name)
}
