package plot

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// writeColumns writes rows of cells below one another.
func writeColumns(to io.Writer, rows [][]string) error {
	wide := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			wide[i] = max(wide[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += "  " + cell + strings.Repeat(" ", wide[i]-utf8.RuneCountInString(cell))
		}
		if _, err := terminal.Fprintf(to, "%s\n", strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}
