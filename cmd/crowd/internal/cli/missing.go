package cli

import "fmt"

// OrDash writes a figure for people to read, – for none.
func OrDash(format string, x *float64) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf(format, *x)
}

// Percent writes a share for people to read.
func Percent(x *float64) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf("%.4g %%", 100**x)
}
