package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Limits of a manifest, which workers check too.
const (
	maxPoints   = 1 << 32
	maxSpec     = 8 << 20 // bytes
	maxFiles    = 10_000
	maxBytes    = 1 << 30 // of all files
	maxManifest = 16 << 20
	maxRow      = 1_000_000 // bytes
)

// Manifest is what a worker has to know of a sweep.
type Manifest struct {
	Build      string  // of the executable, as by [Build]; workers of others are refused
	Points     int64   // how many; their indexes are 0 … Points-1
	Tries      int     // after which a point is given up, from 1
	MaxSeconds float64 // of one point, after which another worker gets it; 0: no limit
	Spec       []byte  // for the code that opens the points
	Files      []File  // which every worker gets
}

// File is a file that every worker gets.
type File struct {
	Name   string // with slashes, inside of the folder of files
	SHA256 string // in hexadecimal digits
	Size   int64  // bytes
}

// check reports what is wrong with a manifest. Workers call it with what came over the
// wire: the names decide where files are written.
func (m *Manifest) check() error {
	switch {
	case m.Points < 1 || m.Points > maxPoints:
		return fmt.Errorf("a sweep of %d runs, want 1 … %d", m.Points, int64(maxPoints))
	case m.Tries < 1:
		return fmt.Errorf("%d tries, want at least 1", m.Tries)
	case m.Build == "":
		return fmt.Errorf("the build is empty")
	case !(m.MaxSeconds >= 0 && m.MaxSeconds <= 1e9):
		return fmt.Errorf("%v seconds for a point, want 0 … 1e9", m.MaxSeconds)
	case len(m.Spec) > maxSpec:
		return fmt.Errorf("the spec has %d bytes, want at most %d", len(m.Spec), maxSpec)
	case len(m.Files) > maxFiles:
		return fmt.Errorf("%d files, want at most %d", len(m.Files), maxFiles)
	}
	seen := make(map[string]bool, len(m.Files))
	var sum int64
	for _, f := range m.Files {
		digest, err := hex.DecodeString(f.SHA256)
		switch {
		case !fs.ValidPath(f.Name) || f.Name == "." || !filepath.IsLocal(filepath.FromSlash(f.Name)):
			return fmt.Errorf("file %q: want a name inside of the folder, with slashes", f.Name)
		case seen[f.Name]:
			return fmt.Errorf("file %q is there twice", f.Name)
		case err != nil || len(digest) != 32:
			return fmt.Errorf("file %q: %q is no SHA-256", f.Name, f.SHA256)
		case f.Size < 0 || f.Size > maxBytes-sum:
			return fmt.Errorf("file %q of %d bytes: want all files together to have at most %d", f.Name, f.Size, maxBytes)
		}
		seen[f.Name] = true
		sum += f.Size
	}
	return nil
}

// digest returns the SHA-256 of a manifest, which names its sweep.
func (m *Manifest) digest() string {
	b, _ := json.Marshal(m)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
