// Package trajectories writes where agents were, step by step, in the formats of other programs,
// with the walkable area of the scene.
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

// Sample is where an agent was.
type Sample struct {
	ID      uint64  `parquet:"id,delta"`
	Time    float64 `parquet:"time,dict"` // s since the start
	X       float64 `parquet:"x"`         // m
	Y       float64 `parquet:"y"`         // m
	VX      float64 `parquet:"vx"`        // m/s
	VY      float64 `parquet:"vy"`        // m/s
	Heading r2.Vec  `parquet:"-"`         // where it faces, a unit vector; zero: it has no Heading
}

// Recorder writes the start and every n-th step of a crowd to a file: one
// row an agent, by id within a step. Agents that have left are not in it. Memory
// is that of one step and a bounded buffer.
type Recorder struct {
	world  *world.World
	agents generic.Filter4[c.Agent, c.Position, c.Velocity, c.Heading]
	every  int
	ground *watch   // nil: the format does not want to know
	step   []Sample // kept from step to step for its memory
	to     Writer
}

// New returns a recorder of every n-th step of a run, to what writes a format.
func New(to Writer, format Format, every int, w *world.World) *Recorder {
	t := &Recorder{
		world: w, every: every, to: to,
		agents: *generic.NewFilter4[c.Agent, c.Position, c.Velocity, c.Heading]().Optional(generic.T[c.Heading]()),
	}
	if format.grounds {
		t.ground = &watch{world: w}
	}
	return t
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

// Writer is a format of trajectories.
type Writer interface {
	// Write writes a step. Frame counts what is written, from 0; changed is the ground, if it is
	// another one than that of the step before and the format wants to know.
	Write(frame int, step []Sample, changed *Ground) error
	Close() error
}

// Format is a format of trajectories. The zero value is none.
type Format struct {
	grounds bool // it wants to know them
	begin   func(to io.Writer, of Source) Writer
}

// Begin begins a file.
func (f Format) Begin(to io.Writer, of Source) Writer { return f.begin(to, of) }

// Source is what is recorded.
type Source struct {
	Box       r2.Box // m, of the scene; the zero box if it has none
	FrameRate float64
}

// SourceOf returns what is recorded of every n-th step of a world.
func SourceOf(w *world.World, every int, box r2.Box) Source {
	return Source{Box: box, FrameRate: 1 / (w.Clock.Dt * float64(every))}
}

// FormatOf returns the format that the end of a file's name says. The error says
// which there are.
func FormatOf(name string) (Format, error) {
	stream := func(begin func(to io.Writer) Writer) (Format, error) {
		return Format{begin: func(to io.Writer, _ Source) Writer { return begin(to) }}, nil
	}
	switch {
	case strings.HasSuffix(name, ".csv"):
		return stream(newCSV)
	case strings.HasSuffix(name, ".csv.gz"):
		return stream(newZippedCSV)
	case strings.HasSuffix(name, ".parquet"):
		return stream(newParquet)
	case strings.HasSuffix(name, ".txt"):
		return Format{begin: newPedPy}, nil
	case strings.HasSuffix(name, ".sql"):
		return Format{grounds: true, begin: newSQL}, nil
	case strings.HasSuffix(name, ".sqlite"):
		text := strings.TrimSuffix(name, "ite")
		return Format{}, fmt.Errorf("%s, want %s, and then: sqlite3 %s < %s", name, text, name, text)
	}
	return Format{}, fmt.Errorf("%s, want a name that ends with .csv, .csv.gz, .parquet, .sql or .txt", name)
}
