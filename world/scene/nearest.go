package scene

import "strings"

// nearest returns the word most like the given one, by edit distance, or else the
// only one whose first parts it is, such as wall for wall-following; "" if there
// is none.
func nearest(word string, words []string) string {
	best, found := len(word)/3+2, ""
	if len(word) > 40 {
		return ""
	}
	for _, w := range words {
		if d := distance(word, w); d < best {
			best, found = d, w
		}
	}
	if found != "" {
		return found
	}
	for _, w := range words {
		switch {
		case !strings.HasPrefix(w, word+"-"):
		case found != "":
			return "" // or the other
		default:
			found = w
		}
	}
	return found
}

// distance returns how many letters must be put in, left out, replaced or
// exchanged with the next one to turn a into b.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(last[j]+1, row[j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
