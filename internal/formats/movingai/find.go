package movingai

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/internal/textio"
)

// Maps are maps that rows name, each read once.
type Maps struct {
	// File is where the map is. Empty: beside the scenario.
	File string

	read   map[string]*Map
	scaled map[string]*Map
}

// Of returns the map of a row, in the size that the row gives.
func (all *Maps) Of(ctx context.Context, s *Scenario, r *Row) (*Map, error) {
	if all.read == nil {
		all.read, all.scaled = map[string]*Map{}, map[string]*Map{}
	}
	m := all.read[r.Map]
	if m == nil {
		file, err := all.find(s, r)
		if err != nil {
			return nil, err
		}
		if m, err = ReadMap(ctx, file); err != nil {
			return nil, fmt.Errorf("%s:%d: the map %q can't be read: %w", s.Path, r.Line, textio.ClipLine(r.Map), err)
		}
		all.read[r.Map] = m
	}
	if r.Width == 0 {
		return m, nil
	}
	key := fmt.Sprintf("%d × %d %s", r.Width, r.Height, r.Map)
	if sized := all.scaled[key]; sized != nil {
		return sized, nil
	}
	sized, err := m.Scaled(r.Width, r.Height)
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", s.Path, r.Line, err)
	}
	all.scaled[key] = sized
	return sized, nil
}

// find returns the file of a row's map: under the path that the row gives, or under the name
// alone, from the folder of the scenario; either may be gzipped.
func (all *Maps) find(s *Scenario, r *Row) (string, error) {
	if all.File != "" {
		if len(all.read) > 0 {
			return "", fmt.Errorf("%s:%d: the map is %q, and rows before name another: one file for all won't do", s.Path, r.Line, textio.ClipLine(r.Map))
		}
		return all.File, nil
	}
	folder, name := filepath.Dir(s.Path), filepath.FromSlash(strings.ReplaceAll(r.Map, `\`, "/"))
	tried := []string{filepath.Join(folder, filepath.Base(name))}
	if filepath.IsLocal(name) {
		tried = append(tried, filepath.Join(folder, name))
	}
	for _, file := range tried {
		for _, file := range []string{file, file + ".gz"} {
			if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
				return file, nil // what else is wrong with it the reader says
			}
		}
	}
	return "", fmt.Errorf("%s:%d: the map %q is not beside the scenario, want %s", s.Path, r.Line, textio.ClipLine(r.Map), tried[0])
}
