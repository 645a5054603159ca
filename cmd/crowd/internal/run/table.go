package run

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// writeTable writes the rows for people, then the totals of each folder and of all files.
func writeTable(w io.Writer, rows []ScoreRow) error {
	t := cli.NewTable(w)
	t.Head("file\tagents\tsteps\tarrived %%\tobstacle collisions\tagent collisions\tmean time s\tcenters inside\tns/agent-step\tnote")
	var all totals
	groups := map[string]*totals{}
	var names []string
	for i := range rows {
		r := &rows[i]
		var one totals
		one.add(r)
		cells := one.cells()
		if r.Report == nil {
			cells = strings.Repeat("\t", 7)
		}
		t.Line(r.style(), "%s\t"+cells+"\t%s", r.File, r.note())
		all.add(r)
		folder := path.Dir(r.File)
		if groups[folder] == nil {
			groups[folder] = &totals{}
			names = append(names, folder)
		}
		groups[folder].add(r)
	}
	t.Line(cli.Plain, strings.Repeat("\t", 9)) // a blank line that ends no column
	slices.Sort(names)
	total := func(name string, sum *totals) {
		note := fmt.Sprintf("%d files", sum.files)
		if sum.errors > 0 {
			note += fmt.Sprintf(", %d with errors", sum.errors)
		}
		t.Line(cli.Strong, "%s\t"+sum.cells()+"\t%s", name, note)
	}
	if len(names) == 1 { // it is the total
		names = nil
	}
	for _, name := range names {
		total("total of "+name, groups[name])
	}
	total("total", &all)
	return t.Flush()
}
