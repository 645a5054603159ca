package trajectories

import (
	"fmt"
	"io"
	"strings"

	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

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
