package run

import (
	"errors"
	"fmt"
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
var sceneEndings = []string{".xml", ".toml", ".scenario", ".wkt"}

// partRoots are the root elements of XML files that only go with a scene.
var partRoots = []string{
	"Obstacles", "Policies", // UMANS
	"Experiment", "BFSM", "View", // Menge
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
