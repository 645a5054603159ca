package experiment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// OpenJuelich opens a file of a folder of recordings, or of its folder juelich.
func OpenJuelich(folder, name string) (*os.File, error) {
	f, err := os.Open(filepath.Join(folder, name))
	if errors.Is(err, fs.ErrNotExist) {
		f, err = os.Open(filepath.Join(folder, "juelich", name))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--data is %s, want a folder with %s, or with that in juelich", folder, name)
	}
	return f, err
}
