package cli

import (
	"bufio"
	"os"
	"strings"
	"sync"
)

// Processor returns the name of the processor, empty where the system does not
// tell.
func Processor() string { return processor() }

// processor asks once: a sweep wants the name for every run.
var processor = sync.OnceValue(func() string {
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
})
