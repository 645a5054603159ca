package main

import "github.com/8f878440/crowd/cmd/crowd/internal/output"

// benchFiles are the files that bench writes; those that are not asked for are nil.
type benchFiles struct {
	output.Files
	json, goLines, plot *output.File
}

// begin begins the files that the command line asks for. The error says which of
// them can't be written.
func (f *benchFiles) begin(c *benchCmd, cases []benchCase) error {
	for i := range cases {
		f.Reads(cases[i].files...)
	}
	if c.Compare != "" {
		f.Reads(c.Compare)
	}
	for _, file := range []struct {
		flag, name string
		to         **output.File
	}{{c.outFlag(), c.Out, &f.json}, {"--go", c.Go, &f.goLines}, {"--plot", c.Plot, &f.plot}} {
		if file.name != "-" { // standard output
			*file.to = f.Add(file.flag, file.name)
		}
	}
	return f.Open()
}
