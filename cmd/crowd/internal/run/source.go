package run

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
)

// SavedSource is a file that the scene was read from.
type SavedSource struct {
	Name string
	Sum  [sha256.Size]byte
}

// sourcesOf returns files as they are now.
func sourcesOf(names []string) ([]SavedSource, error) {
	var all []SavedSource
	for _, name := range names {
		sum, err := sumOf(name)
		if err != nil {
			return nil, err
		}
		all = append(all, SavedSource{name, sum})
	}
	return all, nil
}

func sumOf(name string) (sum [sha256.Size]byte, err error) {
	file, err := os.Open(name)
	if err != nil {
		return sum, err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return sum, err
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// CheckSources returns an error if one of the files that the scene was read from is not there,
// or is another one.
func (f *SavedFile) CheckSources() error {
	for _, s := range f.Sources {
		sum, err := sumOf(s.Name)
		if err != nil {
			return fmt.Errorf("the scene of %s is read from a file: %w", f.name, err)
		}
		if sum != s.Sum {
			return fmt.Errorf("%s is not as it was when %s was saved: SHA-256 is %.8x…, and was %.8x…", s.Name, f.name, sum, s.Sum)
		}
	}
	return nil
}
