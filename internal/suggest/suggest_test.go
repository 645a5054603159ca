package suggest

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	words := []string{
		"plaza", "seek", "seek-kinematic", "flee", "look-ahead", "wall-following", "tank-path", "tank-flee", "W2", "W3/obstacles=64",
	}
	for word, want := range map[string]string{
		"plazza": "plaza", "palza": "plaza", "PLAZA": "plaza", "seke": "seek", "lok-ahead": "look-ahead",
		"wall": "wall-following", "tank": "tank-path", "w3": "W3/obstacles=64", "w2": "W2", "seek-kinmatic": "seek-kinematic",
		"concourse": "", "": "", strings.Repeat("plaza", 20): "", "\xff\x1b[2J": "",
	} {
		if got := Nearest(word, words); got != want {
			t.Errorf("%q: got=%q, want=%q", word, got, want)
		}
	}
	if got := Nearest("plaza", nil); got != "" {
		t.Errorf("no words: got=%q, want=none", got)
	}
}

func TestOneOf(t *testing.T) {
	for word, want := range map[string]string{
		"bench": "want one of run, view", "vew": `want one of run, view; did you mean "view"?`,
	} {
		if got := OneOf(word, []string{"run", "view"}); got != want {
			t.Errorf("%q: got=%q, want=%q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for words, want := range map[[2]string]int{
		{"", ""}: 0, {"", "abc"}: 3, {"abc", ""}: 3, {"abc", "abc"}: 0, {"abc", "abd"}: 1, {"abc", "acb"}: 1,
		{"abcd", "badc"}: 2, {"kitten", "sitting"}: 3,
	} {
		if got := distance(words[0], words[1]); got != want {
			t.Errorf("%q: got=%d, want=%d", words, got, want)
		}
	}
}
