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
	Write(frame int, step []Sample) error // frame counts what is written, from 0
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
	begin   func(to File, of source) (Writer, error)
}

// source is what is recorded.
type source struct {
	world     *world.World
	box       r2.Box // m, of the scene; the zero box if it has none
	frameRate float64
}

// FormatOf returns the format that the end of a file's name says. The error says
// which there are.
func FormatOf(name string) (Format, error) {
	stream := func(begin func(to io.Writer) Writer) (Format, error) {
		return Format{begin: func(to File, _ source) (Writer, error) { return begin(to), nil }}, nil
	}
	switch {
	case strings.HasSuffix(name, ".csv"):
		return stream(newCSV)
	case strings.HasSuffix(name, ".csv.gz"):
		return stream(newZippedCSV)
	case strings.HasSuffix(name, ".parquet"):
		return stream(newParquet)
	case strings.HasSuffix(name, ".txt"):
		return Format{begin: func(to File, of source) (Writer, error) { return newPedPy(to, of.frameRate), nil }}, nil
	case strings.HasSuffix(name, ".sqlite") && newDatabase == nil:
		return Format{}, fmt.Errorf("%s, but there is no SQLite for %s/%s; want a name that ends with .csv, .csv.gz, .parquet or .txt", name, runtime.GOOS, runtime.GOARCH)
	case strings.HasSuffix(name, ".sqlite"):
		return Format{Regular: true, begin: newDatabase}, nil
	}
	return Format{}, fmt.Errorf("%s, want a name that ends with .csv, .csv.gz, .parquet, .sqlite or .txt", name)
}
