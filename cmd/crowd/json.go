package main

import (
	"encoding/json"
	"io"
)

// writeJSON writes a result for programs.
func writeJSON(w io.Writer, result any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(result)
}
