package cli

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// groupFiles are the names of files that say what a control group may have.
type groupFiles struct{ max, used, stat, cache string }

var (
	version1 = groupFiles{"memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat", "total_inactive_file"}
	version2 = groupFiles{"memory.max", "memory.current", "memory.stat", "inactive_file"}
)

// groupLeft returns what the control groups of a process, and all that these are
// in, have left of their memory: the least, or all there could be without a limit.
// The groups are the lines of /proc/self/cgroup, and root is where they are mounted.
func groupLeft(root fs.FS, groups string) uint64 {
	least := uint64(math.MaxUint64)
	for line := range strings.Lines(groups) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		names, folder, files := strings.Split(parts[1], ","), "", version2
		for _, name := range names {
			if name == "memory" {
				folder, files = "memory", version1
			}
		}
		if files == version2 && parts[1] != "" {
			continue // it is of another resource
		}
		// In a container the names can be those outside of it: then only the root is there.
		for group := path.Join("/", parts[2]); ; group = path.Dir(group) {
			least = min(least, files.left(root, path.Join(folder, group[1:])))
			if group == "/" {
				break
			}
		}
	}
	return least
}

// left returns what a group has left; what it has of files can be taken from it.
func (f groupFiles) left(root fs.FS, folder string) uint64 {
	most, limited := readNumber(root, path.Join(folder, f.max))
	used, known := readNumber(root, path.Join(folder, f.used))
	if !limited || !known {
		return math.MaxUint64
	}
	used -= min(used, f.files(root, folder))
	return most - min(most, used)
}

// files returns how much of what a group uses are file pages that are not in use.
func (f groupFiles) files(root fs.FS, folder string) uint64 {
	text, err := fs.ReadFile(root, path.Join(folder, f.stat))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if value, is := strings.CutPrefix(line, f.cache+" "); is {
			n, _ := strconv.ParseUint(strings.TrimSpace(value), 10, 64)
			return n
		}
	}
	return 0
}

// readNumber returns the number in a file, if there is one.
func readNumber(root fs.FS, name string) (uint64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}
