package umans

import (
	"encoding/xml"
	"fmt"
	"path/filepath"
)

// loader gathers one simulation from its files.
type loader struct {
	Options
	sim    *Simulation
	unsaid int // warnings beyond maxWarnings
}

// main reads the file that the user names, or that such a file names in its place.
func (l *loader) main(path string) error {
	for range maxConfigPaths {
		src, err := openSource(path, l.MaxBytes)
		if err != nil {
			return err
		}
		next := ""
		err = l.read(src, func(r *reader, root tag) (err error) {
			switch root.name {
			case "Simulation":
				return r.simulation(root)
			case "Agents":
				return r.agents(root)
			default:
				next, err = r.configPath(root)
				return err
			}
		}, "Simulation", "Agents", "configPath")
		if err != nil || next == "" {
			return err
		}
		path = next
	}
	return fmt.Errorf("%s: too many <configPath> files: want a chain of at most %d", path, maxConfigPaths)
}

// read reads the whole file, whose root element has one of the names, and
// closes it.
func (l *loader) read(src *source, element func(*reader, tag) error, roots ...string) error {
	defer src.Close()
	r := newReader(l, src)
	root, err := r.root(roots...)
	if err != nil {
		return err
	}
	if err := element(r, root); err != nil {
		return err
	}
	return r.end(root)
}

// extraObstacles reads the obstacles file of the options.
func (l *loader) extraObstacles(path string) error {
	src, err := openSource(path, l.MaxBytes)
	if err != nil {
		return err
	}
	return l.read(src, (*reader).obstacles, "Obstacles")
}

// block reads an element that holds its children itself, or names a file that
// does. Such a file can't name another, so inclusion has no loops.
func (r *reader) block(t tag, element func(*reader, tag) error) error {
	a, ok := t.attr("file")
	if !ok {
		return element(r, t)
	}
	src, err := openSource(r.beside(a.Value), r.MaxBytes)
	if err != nil {
		return fmt.Errorf("%s:%d: <%s> file=%q: %w", r.src.path, t.line, t.name, clip(a.Value), err)
	}
	if err := r.read(src, element, t.name); err != nil {
		return err
	}
	return r.element(t, func(xml.Attr) error { return nil }, func(c tag) error {
		return r.fail(c.line, "<%s> in <%s file=%q>: want either a file or elements", c.name, t.name, clip(a.Value))
	})
}

// noFile refuses the attribute file where block has not dealt with it.
func (r *reader) noFile(t tag) func(xml.Attr) error {
	return func(a xml.Attr) error { return r.bad(t, a, "elements, since this file can't name a further one") }
}

// configPath returns the path of the file that stands in place of this one.
func (r *reader) configPath(t tag) (path string, err error) {
	if err := r.require(t, "path"); err != nil {
		return "", err
	}
	err = r.element(t, func(a xml.Attr) error {
		path = r.beside(a.Value)
		return nil
	}, nil)
	return path, err
}

// beside is a path relative to the folder of this file.
func (r *reader) beside(file string) string {
	return filepath.Join(filepath.Dir(r.src.path), filepath.FromSlash(file))
}
