package trajectories

import (
	"fmt"
	"io"
	"runtime"
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

// File is what trajectories are written to.
type File interface {
	io.Writer
	Name() string // where the content is, for a library that opens the file itself
}

// Format is a format of trajectories. The zero value is none.
type Format struct {
	Regular bool // a device or a pipe will not do
	grounds bool // it wants to know them
	begin   func(to File, of Source) (Writer, error)
}

// Begin begins a file.
func (f Format) Begin(to File, of Source) (Writer, error) { return f.begin(to, of) }

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
		return Format{begin: func(to File, _ Source) (Writer, error) { return begin(to), nil }}, nil
	}
	switch {
	case strings.HasSuffix(name, ".csv"):
		return stream(newCSV)
	case strings.HasSuffix(name, ".csv.gz"):
		return stream(newZippedCSV)
	case strings.HasSuffix(name, ".parquet"):
		return stream(newParquet)
	case strings.HasSuffix(name, ".txt"):
		return Format{begin: func(to File, of Source) (Writer, error) { return newPedPy(to, of.FrameRate), nil }}, nil
	case strings.HasSuffix(name, ".sqlite") && newDatabase == nil:
		return Format{}, fmt.Errorf("%s, but there is no SQLite for %s/%s; want a name that ends with .csv, .csv.gz, .parquet or .txt", name, runtime.GOOS, runtime.GOARCH)
	case strings.HasSuffix(name, ".sqlite"):
		return Format{Regular: true, grounds: true, begin: newDatabase}, nil
	}
	return Format{}, fmt.Errorf("%s, want a name that ends with .csv, .csv.gz, .parquet, .sqlite or .txt", name)
}
