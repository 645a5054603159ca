package score

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

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
