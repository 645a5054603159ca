package main

import (
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/world/scene"
)

// sceneEndings are the ends of the names of files that scene.Open reads, but for
// ".gz" after them.
var sceneEndings = []string{".xml", ".toml"}

// partRoots are the root elements of XML files that only go with a scene.
var partRoots = []string{
	"Obstacles", "Policies", // UMANS
}

// planning are names of scenes, and of folders of scenes, in which the way to
// the goal must be planned around obstacles, which steering does not do.
var planning = []string{
	"maze", "search-*", "curves", "curve[1-9]", "simple-wall", "basic-office", "office-complex", "plane_*", "dragon_age",
	"bottleneck-evacuation", "fun2", "building-one-exit*", "pprPlansToNotGoal",
}

// needsPlanning tells whether a scene is one of planning, by its name or that
// of its folder.
func needsPlanning(file string) bool {
	file = filepath.ToSlash(file)
	folder := path.Base(path.Dir(file))
	name := strings.TrimSuffix(path.Base(file), ".gz")
	name = strings.TrimSuffix(name, path.Ext(name))
	return slices.ContainsFunc(planning, func(pattern string) bool {
		byName, _ := path.Match(pattern, name)
		byFolder, _ := path.Match(pattern, folder)
		return byName || byFolder
	})
}

// findScenes returns the files that are named, and the scenes in folders that
// are named, sorted and each once. Parts are files in folders that are no scenes.
func findScenes(names []string) (scenes, parts []string, err error) {
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case slices.Contains(scene.Names(), name):
			scenes = append(scenes, name)
		case errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, "./\\"):
			return nil, nil, scene.UnknownError(name)
		case err != nil:
			return nil, nil, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
		case !info.IsDir():
			scenes = append(scenes, filepath.Clean(name))
		default:
			found, left, err := walk(name)
			if err != nil {
				return nil, nil, err
			}
			if len(found) == 0 {
				return nil, nil, fmt.Errorf("%s: no scene in this folder, want files that end with %s", name, strings.Join(sceneEndings, ", "))
			}
			scenes, parts = append(scenes, found...), append(parts, left...)
		}
	}
	slices.Sort(scenes)
	slices.Sort(parts)
	return slices.Compact(scenes), slices.Compact(parts), nil
}

// walk returns the scenes in a folder and below, and the parts of scenes. What
// cannot be listed is among the scenes, so that its error is seen there.
func walk(folder string) (scenes, parts []string, err error) {
	err = filepath.WalkDir(folder, func(file string, entry fs.DirEntry, err error) error {
		ending := path.Ext(strings.TrimSuffix(file, ".gz"))
		switch {
		case err != nil && file == folder:
			return err
		case err != nil:
			scenes = append(scenes, file)
		case entry.IsDir() || !slices.Contains(sceneEndings, ending):
		case slices.Contains(partRoots, rootElement(file)):
			parts = append(parts, file)
		default:
			scenes = append(scenes, file)
		}
		return nil
	})
	return scenes, parts, err
}

// rootElement returns the name of the first element of an XML file, or nothing
// if there is none near its beginning.
func rootElement(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	in := io.Reader(f)
	if strings.HasSuffix(file, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			return ""
		}
	}
	const near = 1 << 16 // bytes
	tokens := xml.NewDecoder(io.LimitReader(in, near))
	for {
		token, err := tokens.RawToken()
		if err != nil {
			return ""
		}
		if start, ok := token.(xml.StartElement); ok {
			return start.Name.Local
		}
	}
}
