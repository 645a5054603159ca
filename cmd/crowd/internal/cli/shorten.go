package cli

import (
	"strings"
	"unicode"
)

// Shorten returns a text from a file as it can stand in a picture: in one line,
// and of at most a number of letters.
func Shorten(s string, most int) string {
	letters := []rune(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?")))
	if len(letters) > most {
		letters = append(letters[:most-1], '…')
	}
	return strings.TrimSpace(string(letters))
}
