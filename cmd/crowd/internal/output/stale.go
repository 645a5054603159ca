package output

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// hidden returns the folder of a file and the prefix of the names of its temporary files.
func hidden(path string) (folder, prefix string) {
	const longest = 180 // bytes of the name to keep; file systems allow 255 bytes for the whole name
	folder, name := filepath.Split(path)
	return folder, "." + strings.ToValidUTF8(name[:min(len(name), longest)], "") + ".crowd-"
}

// owner returns the part of the name of a temporary file that identifies the process. With it, later
// commands can check whether that process is gone. It is empty if the system does not support that.
func owner(process int) string {
	if system() == "" {
		return ""
	}
	return system() + "-" + strconv.Itoa(process) + "-"
}

// removeStale removes temporary files of path left by killed processes of this system. It keeps the
// files of other systems, whose processes may still run.
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
		if err != nil { // io.EOF at the end
			return
		}
	}
}

// stale reports whether a directory entry is a temporary file of a process that is gone.
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
