package output

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// hidden returns the folder of a file, and what the names of its hidden files begin with.
func hidden(path string) (folder, prefix string) {
	const longest = 180 // bytes of the name; file systems have room for 255 in all
	folder, name := filepath.Split(path)
	return folder, "." + strings.ToValidUTF8(name[:min(len(name), longest)], "") + ".crowd-"
}

// owner returns what stands in names of hidden files for a process of this system, so that later ones can tell that it
// is gone; empty where they can't.
func owner(process int) string {
	if system() == "" {
		return ""
	}
	return system() + "-" + strconv.Itoa(process) + "-"
}

// removeStale removes the hidden files of a file that processes of this system left which were killed. What
// others left stays: they may still be at work elsewhere.
func removeStale(path string) {
	name, prefix := hidden(path)
	if name == "" {
		name = "."
	}
	folder, err := os.Open(name)
	if err != nil || system() == "" {
		return
	}
	defer folder.Close()
	for {
		some, err := folder.ReadDir(1000)
		for _, one := range some {
			if stale(one, prefix) {
				_ = os.Remove(filepath.Join(name, one.Name()))
			}
		}
		if err != nil { // or all were read
			return
		}
	}
}

// stale reports whether an entry of a folder is a hidden file of a process that is gone.
func stale(one fs.DirEntry, prefix string) bool {
	rest, ours := strings.CutPrefix(one.Name(), prefix)
	number, _, _ := strings.Cut(strings.TrimPrefix(rest, system()+"-"), "-")
	process, err := strconv.Atoi(number)
	if !ours || err != nil || process < 1 || !one.Type().IsRegular() {
		return false
	}
	random, ours := strings.CutPrefix(rest, owner(process))
	_, err = strconv.ParseUint(random, 36, 64)
	return ours && err == nil && gone(process)
}
