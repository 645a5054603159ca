//go:build !linux

package output

// system returns "": the machine and PID namespace are unknown.
func system() string { return "" }

func gone(int) bool { return false }
