package cli

import "fmt"

// Given has the names of the flags that are on the command line.
type Given map[string]bool

// IdleFlag is a flag that does nothing in some company, and why.
type IdleFlag struct {
	Name string
	Idle bool
	Why  string
}

// Refuse returns an error for the first flag that is on the command line and would do
// nothing: who gave it expects something of it.
func (g Given) Refuse(flags ...IdleFlag) error {
	for _, f := range flags {
		if f.Idle && g[f.Name] {
			return fmt.Errorf("--%s %s", f.Name, f.Why)
		}
	}
	return nil
}
