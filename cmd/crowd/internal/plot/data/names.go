package data

import (
	"fmt"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// LabelFiles gives files short labels that differ: their names without what all
// begin with and end with.
func LabelFiles(files []*File) {
	var names []string
	for _, f := range files {
		names = append(names, strings.ReplaceAll(f.Name, `\`, "/"))
	}
	for i, label := range ShortNames(names, ".json", ".jsonl", ".csv", ".txt") {
		files[i].Label = label
	}
}

// ShortNames returns names without folders and endings, or with as much of them as
// makes them differ: first the ending, and then folders. Equal ones are numbered.
func ShortNames(names []string, endings ...string) []string {
	short, depth := make([]string, len(names)), make([]int, len(names))
	for range 8 {
		times := map[string]int{}
		for i, name := range names {
			if depth[i] != 1 {
				name = strings.TrimSuffix(name, ".gz")
				for _, end := range endings {
					name = strings.TrimSuffix(name, end)
				}
			}
			parts := strings.Split(name, "/")
			short[i] = strings.Join(parts[max(0, len(parts)-1-max(0, depth[i]-1)):], "/")
			times[short[i]]++
		}
		for i := range names {
			if times[short[i]] > 1 {
				depth[i]++
			}
		}
	}
	seen := map[string]int{}
	for i, name := range short {
		name = terminal.Shorten(name, 40)
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s (%d)", name, seen[name])
		}
		short[i] = name
	}
	return short
}
