package scene

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/systems/catalog"
)

// OpenOptions configures Open and Read, and supplies what a file lacks.
type OpenOptions struct {
	Obstacles string  // path of a file of obstacles, for a file of agents
	Lenient   bool    // skip unknown parts with a warning
	Seed      *uint64 // for random choices when reading files other than scenes; nil means the seed in the file, or 1
	Model     Model   // see Scene.SetModel; empty means the scene's behaviors, or DefaultModel if a file has none

	// The next three fields supply what a recording may lack.
	FrameRate float64  // per second; 0 means the rate in the file
	Unit      string   // m or cm; empty means the unit in the file
	Columns   []string // names of the columns in order: id, frame or time, x, y, and any words for other columns; nil means those in the file, or else id, frame, x, y or, for 8 columns, those of obsmat.txt

	Catalog []catalog.Entry // a host's behaviors: see Scene.Catalog; nil means those passed to Register

	Allow func(path string) error // called before a file is opened; Open returns its error; may be nil

	Context context.Context // cancels Open and Read, which then return an error that wraps Context.Err(); may be nil

	path string // of the scene file; if empty, the scene must not name other files
}

func (o *OpenOptions) context() context.Context { return cmp.Or(o.Context, context.Background()) }

func (o *OpenOptions) allow(path string) error {
	if o.Allow == nil {
		return nil
	}
	return o.Allow(path)
}

func (o *OpenOptions) model() Model { return cmp.Or(o.Model, DefaultModel) }

// UnknownError is a name that neither a built-in scene nor a file has.
type UnknownError string

func (e UnknownError) Error() string {
	text := fmt.Sprintf("no scene or file is named %q", string(e))
	if hint := suggest.DidYouMean(string(e), Names()); hint != "" {
		text += ", " + hint
	}
	return text
}

// Open returns the named built-in scene or, if there is none, the scene in the file with that path. If there
// is neither, and the name has no dot, slash or backslash, the error is an UnknownError. Open recognizes the
// format by extension and content; a file ending in .toml is a scene. Open also returns an error if o.Model
// does not exist, or does not fit: see Scene.SetModel.
func Open(name string, o OpenOptions) (*Scene, error) {
	if _, err := o.model().Info(); err != nil {
		return nil, err
	}
	s, err := open(name, o)
	if err != nil || o.Model == "" || s.Model == o.Model {
		return s, err
	}
	if err := s.SetModel(o.Model); err != nil {
		return nil, err
	}
	return s, nil
}

func open(name string, o OpenOptions) (*Scene, error) {
	if err := o.setCatalog(); err != nil {
		return nil, err
	}
	if slices.Contains(Names(), name) {
		if o.Obstacles != "" {
			return nil, fmt.Errorf("obstacles from a file need a file of agents, not the built-in scene %s", name)
		}
		s, err := Named(name)
		if err == nil {
			s.Catalog = o.Catalog
		}
		return s, err
	}
	if err := o.allow(name); err != nil {
		return nil, err
	}
	info, err := os.Stat(name)
	switch {
	case err != nil && !strings.ContainsAny(name, "./\\"):
		return nil, UnknownError(name)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err.(*fs.PathError).Err)
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder, want a file", name)
	}
	return openFile(name, info, o)
}

func openFile(path string, info fs.FileInfo, o OpenOptions) (*Scene, error) {
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: a pipe or device, want a regular file", path) // a pipe could block forever
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := textio.Head(f, formats.HeadBytes)
	if len(head) > 1 && (head[0] == 0 || head[1] == 0 || head[0] >= 0xfe && head[1] >= 0xfe) {
		return nil, fmt.Errorf("%s: UTF-16 or not text, want text in UTF-8", path)
	}
	format := formats.Find(foreignFormats, path, head)
	what := "a scene"
	if format != nil {
		what = format.What
	}
	if o.Obstacles != "" && (format == nil || !format.Obstacles) {
		return nil, fmt.Errorf("%s: obstacles from a file need a file of agents, not %s", path, what)
	}
	if format != nil {
		from, err := format.Read(path, &formats.Options{
			Obstacles: o.Obstacles, Lenient: o.Lenient, Seed: o.Seed, FrameRate: o.FrameRate, Unit: o.Unit, Columns: o.Columns, Allow: o.allow, Context: o.context(),
		})
		if err != nil {
			return nil, err
		}
		from.Name = cmp.Or(from.Name, formats.Name(path))
		if from.Files == nil {
			from.Files = []string{path}
		}
		s := foreign(from, o.model())
		s.Catalog = o.Catalog
		s.Warnings = append(s.Warnings, s.lint(path)...)
		return s, nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if o.path = path; o.anyKind() && bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) {
		return nil, fmt.Errorf("%s: JSON without any of Vadere's keys (scenario, vadere, processWriters), %s", path, wanted())
	}
	s, err := read(f, path, o)
	if err == nil {
		s.Files = append([]string{path}, s.Files...)
	}
	return s, err
}

func (o *OpenOptions) anyKind() bool {
	return o.path != "" && !strings.HasSuffix(strings.TrimSuffix(strings.ToLower(o.path), ".gz"), ".toml")
}
