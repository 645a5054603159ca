// Package suggest finds the word that a misspelled word probably stands for.
package suggest

import (
	"fmt"
	"strings"
)

// longest is the maximum length of a misspelled word, in bytes.
const longest = 40

// DidYouMean returns a hint such as `did you mean "view"?`, or "" if no element of words resembles word.
func DidYouMean(word string, words []string) string {
	if near := Nearest(word, words); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

// OneOf returns a text such as `want one of run, view; did you mean "view"?`, with the hint of DidYouMean
// if there is one.
func OneOf(word string, words []string) string {
	want := "want one of " + strings.Join(words, ", ")
	if hint := DidYouMean(word, words); hint != "" {
		want += "; " + hint
	}
	return want
}

// Nearest returns the first element of words that begins with word followed by - or /, such as
// wall-following for wall, or else the element with the smallest edit distance from word. It returns ""
// if that distance is more than 1 plus a third of the length of word, or if word has more than 40 bytes.
// It ignores case.
func Nearest(word string, words []string) string {
	if len(word) > longest {
		return ""
	}
	best, found := len(word)/3+2, ""
	word = strings.ToLower(word)
	for _, w := range words {
		low := strings.ToLower(w)
		if word != "" && (strings.HasPrefix(low, word+"-") || strings.HasPrefix(low, word+"/")) {
			return w
		}
		if d := distance(word, low); d < best {
			best, found = d, w
		}
	}
	return found
}

// distance returns the smallest number of insertions, deletions, replacements and exchanges of neighboring
// letters that turn a into b (optimal string alignment).
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
