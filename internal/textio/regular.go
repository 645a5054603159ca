package textio

import (
	"fmt"
	"os"
)

// OpenFile opens a regular file. A pipe or a device, which could block for ever, is an error.
func OpenFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: want a regular file", path)
	}
	return os.Open(path)
}
