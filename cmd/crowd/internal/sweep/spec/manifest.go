package spec

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/8f878440/crowd/world/scene"
)

// MaxManifest is how many bytes a manifest may have.
const MaxManifest = 8 << 20

// CopyName is the name of a copy of the spec in the folder of a sweep.
const CopyName = "spec.toml"

// manifest is all that a worker needs to know of a sweep, but for the content of its files.
type manifest struct {
	Spec   string   `json:"spec"`
	Scenes []string `json:"scenes"` // files of the scenes; empty for built-in ones
	Files  []File   `json:"files"`
}

// Manifest returns all that a worker needs to know of the sweep, but for the content of its files.
// The same sweep has the same bytes.
func (s *Spec) Manifest() []byte {
	m := manifest{Spec: string(s.Text), Files: s.Files, Scenes: []string{}}
	for i := range s.Scenes {
		m.Scenes = append(m.Scenes, s.Scenes[i].File)
	}
	data, err := json.Marshal(m)
	if err != nil {
		panic(err) // texts and numbers always can
	}
	return data
}

// Digest returns the SHA-256 of the manifest, by which a sweep is told from others.
func (s *Spec) Digest() string {
	sum := sha256.Sum256(s.Manifest())
	return hex.EncodeToString(sum[:])
}

// FilesOf returns the files that a manifest names, so that they can be fetched for FromManifest.
func FilesOf(data []byte) ([]File, error) {
	m, err := readManifest(data)
	return m.Files, err
}

// FromManifest returns the spec of a manifest. The folder holds the files that it names, as Put
// wrote them; scenes are read from these, and from no others.
func FromManifest(ctx context.Context, data []byte, folder string) (*Spec, error) {
	m, err := readManifest(data)
	if err != nil {
		return nil, err
	}
	s, _, err := parse([]byte(m.Spec), CopyName)
	if err != nil {
		return nil, err
	}
	if s.root, err = filepath.Abs(folder); err != nil {
		return nil, err
	}
	if len(m.Scenes) != len(s.Scenes) {
		return nil, fmt.Errorf("manifest of %d scenes, want %d as in its spec", len(m.Scenes), len(s.Scenes))
	}
	s.Files = m.Files
	for i, file := range m.Scenes {
		s.Scenes[i].File = file
		switch builtIn := slices.Contains(scene.Names(), s.Scenes[i].Name); {
		case file == "" && !builtIn:
			return nil, scene.UnknownError(s.Scenes[i].Name)
		case file != "" && !slices.ContainsFunc(m.Files, func(f File) bool { return f.Name == file }):
			return nil, fmt.Errorf("manifest with the scene %q, which is none of its files", file)
		}
	}
	for _, f := range s.Files {
		sum, size, err := hashOf(ctx, s.Path(f))
		if err != nil {
			return nil, err
		}
		if sum != f.SHA256 || size != f.Size {
			return nil, fmt.Errorf("%s: is not what the sweep was begun with: its content is another", s.Path(f))
		}
	}
	return s, nil
}

func readManifest(data []byte) (m manifest, err error) {
	if len(data) > MaxManifest {
		return m, fmt.Errorf("manifest of %d bytes, want at most %d", len(data), MaxManifest)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, fmt.Errorf("manifest: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return m, fmt.Errorf("manifest: more follows after its end")
	}
	return m, checkFiles(m.Files)
}

// CopyFiles copies the files into a folder, from which FromManifest reads them.
func (s *Spec) CopyFiles(ctx context.Context, folder string) error {
	for _, f := range s.Files {
		in, err := os.Open(s.Path(f))
		if err != nil {
			return err
		}
		err = Put(ctx, folder, f, in)
		in.Close()
		if err != nil {
			return err
		}
	}
	return nil
}
