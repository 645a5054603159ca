package spec

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/world/scene"
)

// gather sets s.Files from files, which it modifies, and the File of each scene from paths, which contains ""
// for built-in scenes. Names are relative to the common folder of the files.
func (s *Spec) gather(ctx context.Context, paths, files []string) error {
	for i := range files {
		path, err := filepath.Abs(files[i])
		if err != nil {
			return err
		}
		files[i] = path
	}
	slices.Sort(files)
	files = slices.Compact(files)
	for i, path := range files {
		if i == 0 {
			s.root = filepath.Dir(path)
		}
		for s.root != filepath.Dir(s.root) && !inside(s.root, path) {
			s.root = filepath.Dir(s.root)
		}
	}
	for _, path := range files {
		rel, err := filepath.Rel(s.root, path)
		if err != nil {
			return err
		}
		sum, size, err := hashOf(ctx, path)
		if err != nil {
			return err
		}
		s.Files = append(s.Files, engine.File{Name: filepath.ToSlash(rel), SHA256: sum, Size: size})
	}
	slices.SortFunc(s.Files, func(a, b engine.File) int { return strings.Compare(a.Name, b.Name) })
	for i, path := range paths {
		if path == "" {
			continue
		}
		path, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(s.root, path)
		if err != nil {
			return err
		}
		s.Scenes[i].File = filepath.ToSlash(rel)
	}
	return engine.CheckFiles(s.Files)
}

func inside(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

func hashOf(ctx context.Context, path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, textio.WithContext(ctx, f))
	return hex.EncodeToString(h.Sum(nil)), size, err
}

func with(ctx context.Context, folder string, f engine.File, use func(io.Reader) error) error {
	in, err := os.Open(filepath.Join(folder, filepath.FromSlash(f.Name)))
	if err != nil {
		return err
	}
	defer in.Close()
	if err := use(textio.WithContext(ctx, in)); err != nil {
		return fmt.Errorf("%s: %w", in.Name(), err)
	}
	return nil
}

// Path returns the path of a file in Files.
func (s *Spec) Path(name string) string { return filepath.Join(s.root, filepath.FromSlash(name)) }

func (s *Spec) allow(path string) error {
	rel, err := filepath.Rel(s.root, path)
	rel = filepath.ToSlash(rel)
	if _, found := slices.BinarySearchFunc(s.Files, rel, func(f engine.File, name string) int { return strings.Compare(f.Name, name) }); err != nil || !found {
		return fmt.Errorf("%s: %w: it is not one of the files of the sweep", rel, fs.ErrPermission)
	}
	return nil
}

type manifest struct {
	Spec   string        `json:"spec"`
	Scenes []string      `json:"scenes"` // files; empty if built in
	Files  []engine.File `json:"files"`
}

// Manifest returns the sweep as JSON, without the contents of its files. Equal sweeps have equal manifests.
func (s *Spec) Manifest() []byte {
	m := manifest{Spec: string(s.Text), Files: s.Files, Scenes: []string{}}
	for i := range s.Scenes {
		m.Scenes = append(m.Scenes, s.Scenes[i].File)
	}
	data, err := json.Marshal(m)
	if err != nil {
		panic(err) // Marshal never fails here
	}
	return data
}

// Digest returns the SHA-256 that identifies the sweep.
func (s *Spec) Digest() string {
	sum := sha256.Sum256(s.Manifest())
	return hex.EncodeToString(sum[:])
}

// FromManifest returns the spec of a manifest and verifies its files in a folder. Scenes can read no other
// files.
func FromManifest(ctx context.Context, data []byte, folder string) (*Spec, error) {
	m, err := readManifest(data)
	if err != nil {
		return nil, err
	}
	s, _, err := parse([]byte(m.Spec), "spec.toml")
	if err != nil {
		return nil, err
	}
	if s.root, err = filepath.Abs(folder); err != nil {
		return nil, err
	}
	if len(m.Scenes) != len(s.Scenes) {
		return nil, fmt.Errorf("the manifest has %d scenes, want %d as in its spec", len(m.Scenes), len(s.Scenes))
	}
	s.Files = m.Files
	for i, file := range m.Scenes {
		s.Scenes[i].File = file
		switch builtIn := slices.Contains(scene.Names(), s.Scenes[i].Name); {
		case file == "" && !builtIn:
			return nil, scene.UnknownError(s.Scenes[i].Name)
		case file != "" && !slices.ContainsFunc(m.Files, func(f engine.File) bool { return f.Name == file }):
			return nil, fmt.Errorf("the manifest has the scene %q, which is not one of its files", file)
		}
	}
	for _, f := range s.Files {
		if err := with(ctx, s.root, f, f.Verify); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func readManifest(data []byte) (m manifest, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, fmt.Errorf("manifest: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return m, fmt.Errorf("the manifest has unexpected data after its end")
	}
	return m, engine.CheckFiles(m.Files)
}

// CopyFiles copies the files to a folder for FromManifest, except those already there unchanged.
func (s *Spec) CopyFiles(ctx context.Context, folder string) error {
	for _, f := range s.Files {
		if with(ctx, folder, f, f.Verify) == nil {
			continue
		}
		err := with(ctx, s.root, f, func(in io.Reader) error { return f.Put(folder, in) })
		if err != nil {
			return err
		}
	}
	return nil
}
