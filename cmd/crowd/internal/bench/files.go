package bench

import "github.com/8f878440/crowd/cmd/crowd/internal/output"

// files are the files that bench writes; those that are not asked for are nil.
type files struct {
	output.Files
	json, goLines, plot *output.File
}

// begin begins the files that the command line asks for. The error says which of
// them can't be written.
func (f *files) begin(o *Options, cases []benchCase) error {
	for i := range cases {
		f.Reads(cases[i].files...)
	}
	if o.Compare != "" {
		f.Reads(o.Compare)
	}
	for _, file := range []struct {
		flag, name string
		to         **output.File
	}{{o.outFlag(), o.Out, &f.json}, {"--go", o.Go, &f.goLines}, {"--plot", o.Plot, &f.plot}} {
		if file.name != "-" { // standard output
			*file.to = f.Add(file.flag, file.name)
		}
	}
	return f.Open()
}
