package cli

import (
	"errors"
	"strings"

	"github.com/8f878440/crowd/world/scene"
)

// ErrorMessage returns what an error says, one line for each of those that it joins:
// a line end in a name begins no line.
func ErrorMessage(err error) string {
	text := strings.Join(messages(err), "\n")
	if errors.As(err, new(scene.UnknownError)) {
		text += " (crowd scenes lists the scenes)"
	}
	return text
}

func messages(err error) []string {
	switch err := err.(type) {
	case UsageError:
		return messages(err.Err)
	case interface{ Unwrap() []error }:
		var all, whole []string
		for _, one := range err.Unwrap() {
			all, whole = append(all, messages(one)...), append(whole, one.Error())
		}
		if strings.Join(whole, "\n") == err.(error).Error() { // and not one of more than one %w
			return all
		}
	}
	return []string{Escape(err.Error())}
}
