package cli

import (
	"fmt"
	"io"
	"reflect"
)

// Fprintf is fmt.Fprintf, but for texts and errors among the arguments, which
// are escaped: the format alone begins lines and columns.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	return fmt.Fprintf(w, format, escaped(args)...)
}

// escaped returns the arguments with texts and errors escaped.
func escaped(args []any) []any {
	all := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case error:
			all[i] = Escape(arg.Error())
		default:
			all[i] = arg
			if v := reflect.ValueOf(arg); v.Kind() == reflect.String {
				all[i] = Escape(v.String())
			}
		}
	}
	return all
}
