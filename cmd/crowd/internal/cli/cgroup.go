package cli

import (
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// groupFiles has the names of the memory files of a control group, and the key under which the file
// stat lists the bytes of inactive file pages.
type groupFiles struct{ max, used, stat, cache string }

var (
	version1 = groupFiles{"memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat", "total_inactive_file"}
	version2 = groupFiles{"memory.max", "memory.current", "memory.stat", "inactive_file"}
)

// groupLeft returns the minimum of the bytes left in the control groups of a process and in all ancestors
// of these groups, or MaxUint64 if there is no limit. groups is the text of /proc/self/cgroup, and root is
// the file system in which the groups are mounted.
func groupLeft(root fs.FS, groups string) uint64 {
	least := uint64(math.MaxUint64)
	for line := range strings.Lines(groups) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		folder, files := "", version2
		if slices.Contains(strings.Split(parts[1], ","), "memory") {
			folder, files = "memory", version1
		} else if parts[1] != "" {
			continue // a version 1 group of another resource
		}
		// In a container, the names may be those outside the container. Then only the root exists.
		for group := path.Join("/", parts[2]); ; group = path.Dir(group) {
			least = min(least, files.left(root, path.Join(folder, group[1:])))
			if group == "/" {
				break
			}
		}
	}
	return least
}

// left returns the bytes that a group has left, or MaxUint64 if its limit or use is unknown. Inactive file
// pages count as free, because the kernel can reclaim them.
func (f groupFiles) left(root fs.FS, folder string) uint64 {
	most, limited := readNumber(root, path.Join(folder, f.max))
	used, known := readNumber(root, path.Join(folder, f.used))
	if !limited || !known {
		return math.MaxUint64
	}
	used -= min(used, f.files(root, folder))
	return most - min(most, used)
}

// files returns the bytes of inactive file pages of a group, or 0 if they are unknown.
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

// readNumber returns the number in a file, and reports whether the file has one.
func readNumber(root fs.FS, name string) (uint64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}
