package plot

import (
	"fmt"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
)

// tableRow is a row of the table of a file.
type tableRow struct {
	file *data.File
	row  int
}

func (r tableRow) number(column string) (float64, bool) { return r.file.Table.Number(r.row, column) }

// name returns what a row is called.
func (r tableRow) name(p *drawing) string {
	t := r.file.Table
	switch {
	case t.Text(r.row, "file") != "":
		return t.Text(r.row, "file")
	case r.file.Bench != nil:
		b := r.file.Bench.Results[r.row]
		return strings.ReplaceAll(b.Label(), " by crowd", "")
	case p.kind == data.RunKind:
		return p.runNames()[r.place(p)]
	}
	for _, column := range []string{"name", "scene"} {
		if name := t.Text(r.row, column); name != "" {
			return name
		}
	}
	return fmt.Sprintf("row %d", r.row+1)
}

// place returns which of all rows it is.
func (r tableRow) place(p *drawing) int {
	n := r.row
	for _, f := range p.files {
		if f == r.file {
			break
		}
		n += len(f.Table.Rows)
	}
	return n
}
