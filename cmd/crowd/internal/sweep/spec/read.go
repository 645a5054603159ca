package spec

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/world/scene"
)

// Read reads a spec, and looks whether the scenes can take what it asks for: their models, numbers
// of agents, and all other numbers. Scenes that are files are sought beside it.
//
// The error has a line for each fault, which begins with the name of the file, line and column.
func Read(ctx context.Context, name string) (*Spec, error) {
	text, err := readText(name)
	if err != nil {
		return nil, err
	}
	s, r, err := parse(text, name)
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(s.Scenes)) // of the files of scenes
	for i := range s.Scenes {
		if name := s.Scenes[i].Name; !slices.Contains(scene.Names(), name) {
			paths[i] = name
			if !filepath.IsAbs(name) {
				paths[i] = filepath.Join(filepath.Dir(s.Name), filepath.FromSlash(name))
			}
		}
	}
	files := s.check(ctx, r, paths)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	if err := s.gather(ctx, paths, files); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// readText reads a file of at most maxBytes.
func readText(name string) ([]byte, error) {
	f, err := textio.OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err == nil && len(text) > maxBytes {
		err = fmt.Errorf("%s: file too large, want at most %d bytes", name, maxBytes)
	}
	return text, err
}
