package data

import "strings"

// SetPrefix is what the columns of addSettings begin with.
const SetPrefix = "set."

// addSettings adds to the row of a run what its command line changed by --set.
func (t *Table) addSettings(row int) {
	args := strings.Fields(t.Text(row, "command"))
	for i, arg := range args {
		setting, found := strings.CutPrefix(arg, "--set=")
		if arg == "--set" && i+1 < len(args) {
			setting, found = args[i+1], true
		}
		for one := range strings.SplitSeq(setting, ";") {
			if key, value, ok := strings.Cut(one, "="); found && ok {
				t.put(row, SetPrefix+key, value)
			}
		}
	}
}
