// Package machine describes the machine on which a figure was measured.
package machine

import (
	"bufio"
	"os"
	"strings"
)

// Processor returns the name of the processor, empty where the system does not
// tell.
func Processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		if strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
