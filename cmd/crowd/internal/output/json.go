package output

import (
	"encoding/json"
	"io"
)

// WriteJSON writes a result for programs.
func WriteJSON(w io.Writer, result any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(result)
}
