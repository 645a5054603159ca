package cli

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape returns a text as one line of what can be seen: controls, line ends and
// tabs among them, marks that turn the direction of text, and bytes that are no
// UTF-8 are written as \n, \u001b or \xff.
func Escape(text string) string {
	clean := func(r rune) bool { return r != utf8.RuneError && unicode.IsGraphic(r) }
	if strings.IndexFunc(text, func(r rune) bool { return !clean(r) }) < 0 {
		return text
	}
	var b []byte
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		b = appendEscaped(b, r, text[i:i+size])
		i += size
	}
	return string(b)
}

// appendEscaped appends a character, which text holds, as it can be seen. What is
// escaped by its number is so as JSON does it.
func appendEscaped[T string | []byte](b []byte, r rune, text T) []byte {
	switch {
	case r == utf8.RuneError && len(text) == 1:
		return fmt.Appendf(b, `\x%02x`, text[0])
	case unicode.IsGraphic(r):
		return append(b, text...)
	case r == '\n':
		return append(b, `\n`...)
	case r == '\r':
		return append(b, `\r`...)
	case r == '\t':
		return append(b, `\t`...)
	case r > 0xffff:
		return fmt.Appendf(b, `\U%08x`, r)
	}
	return fmt.Appendf(b, `\u%04x`, r)
}
