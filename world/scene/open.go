package scene

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/systems/catalog"
)

// OpenOptions is what a file does not say.
type OpenOptions struct {
	Obstacles string // file of obstacles, beside a file of agents
	Lenient   bool   // skip unknown elements with a warning
	Seed      uint64 // of what a file leaves to chance when it is read; 0: 1
	Model     Model  // how people walk to their goals, see Scene.SetModel; empty: as the scene says, or by DefaultModel where a file leaves that open

	// What the file of a recording may not say.
	FrameRate float64  // frames a second; 0: the file says it
	Unit      string   // of lengths: m or cm; empty: the file says it
	Columns   []string // id, frame or time, x, y in their order, with any other words between; nil: the file says it, or has this order

	Catalog []catalog.Entry // of a host's own behaviors: see Scene.Catalog; nil: those of Register

	Allow func(path string) error // is asked before a file is opened, and its error is that of Open; nil: all may be

	Context context.Context // ends reading early, with its error; nil: nothing does

	path string // of the scene file, from which it names others; empty: it may name none
}

func (o *OpenOptions) seed() uint64 { return max(o.Seed, 1) }

func (o *OpenOptions) context() context.Context { return contextOr(o.Context) }

// allow asks whether a file may be opened.
func (o *OpenOptions) allow(path string) error {
	if o.Allow == nil {
		return nil
	}
	return o.Allow(path)
}

func (o *OpenOptions) model() Model { return cmp.Or(o.Model, DefaultModel) }

// An UnknownError is a name that neither a built-in scene nor a file has. Names
// lists the scenes.
type UnknownError string

func (e UnknownError) Error() string {
	text := fmt.Sprintf("no scene or file is named %q", string(e))
	if hint := suggest.DidYouMean(string(e), Names()); hint != "" {
		text += ", " + hint
	}
	return text
}

// Open returns the built-in scene with that name, or else reads the file with
// that path. What kind a file is, its content says.
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
	o.Catalog = catalogOr(o.Catalog)
	if err := (&Scene{Catalog: o.Catalog}).checkCatalog(); err != nil {
		return nil, err
	}
	if slices.Contains(Names(), name) {
		if o.Obstacles != "" {
			return nil, fmt.Errorf("obstacles from a file go with agents from a file, not with the built-in scene %s", name)
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
		return nil, fmt.Errorf("%s: is a folder, want a file", name)
	}
	return openFile(name, info, o)
}
