package spec

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/textio"
	"github.com/8f878440/crowd/world/scene"
)

// Limits of the files of a sweep.
const (
	maxFiles     = 10_000
	maxFileBytes = 256 << 20
	maxAllBytes  = 2 << 30
	maxName      = 1000
)

// File is one that scenes of a sweep are made of.
type File struct {
	Name   string `json:"name"` // relative to the folder of all, with / between its parts
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

// check verifies that the name stays in its folder, and that the size is within limits.
func (f *File) check() error {
	sum, err := hex.DecodeString(f.SHA256)
	switch {
	case len(f.Name) > maxName || strings.ContainsAny(f.Name, "\\:\x00") || f.Name == "." || !filepath.IsLocal(filepath.FromSlash(f.Name)) || filepath.ToSlash(filepath.Clean(f.Name)) != f.Name:
		return fmt.Errorf("file %q, want a name within the folder of the sweep", f.Name[:min(len(f.Name), maxName)])
	case f.Size < 0 || f.Size > maxFileBytes:
		return fmt.Errorf("file %s has %d bytes, want at most %d", f.Name, f.Size, maxFileBytes)
	case err != nil || len(sum) != sha256.Size:
		return fmt.Errorf("file %s has the SHA-256 %q, want 64 digits", f.Name, f.SHA256[:min(len(f.SHA256), 80)])
	}
	return nil
}

// checkFiles checks a list of files, which are sorted by their names.
func checkFiles(files []File) error {
	all := int64(0)
	if len(files) > maxFiles {
		return fmt.Errorf("%d files, want at most %d", len(files), maxFiles)
	}
	for i := range files {
		if err := files[i].check(); err != nil {
			return err
		}
		if all += files[i].Size; i > 0 && files[i].Name <= files[i-1].Name {
			return fmt.Errorf("file %s, want the files sorted, and each once", files[i].Name)
		}
	}
	if all > maxAllBytes {
		return fmt.Errorf("the files have %d bytes, want at most %d", all, int64(maxAllBytes))
	}
	return nil
}

// gather describes the files of scenes, with names relative to the folder that holds them all.
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
		s.Files = append(s.Files, File{filepath.ToSlash(rel), sum, size})
	}
	slices.SortFunc(s.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
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
	return checkFiles(s.Files)
}

func inside(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// hashOf returns the SHA-256 of a file and its size.
func hashOf(ctx context.Context, path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, textio.WithContext(ctx, io.LimitReader(f, maxFileBytes+1)))
	if err == nil && size > maxFileBytes {
		err = fmt.Errorf("%s: file too large, want at most %d bytes", path, maxFileBytes)
	}
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// Path returns where a file of the spec is.
func (s *Spec) Path(f File) string { return filepath.Join(s.root, filepath.FromSlash(f.Name)) }

// Put writes a file into the folder of the files of a sweep. What is read must be what the file is
// described as. A file that is there already with that content stays as it is.
func Put(ctx context.Context, folder string, f File, in io.Reader) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	path := filepath.Join(folder, filepath.FromSlash(f.Name))
	if sum, size, err := hashOf(ctx, path); err == nil && sum == f.SHA256 && size == f.Size {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".crowd-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temporary.Name())
		}
	}()
	h := sha256.New()
	size, err := io.Copy(io.MultiWriter(temporary, h), textio.WithContext(ctx, io.LimitReader(in, f.Size+1)))
	if err == nil && (size != f.Size || hex.EncodeToString(h.Sum(nil)) != f.SHA256) {
		err = fmt.Errorf("file %s has changed since the sweep started", f.Name)
	}
	if err = errors.Join(err, temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}

// allow returns an error for a path that is none of the files.
func (s *Spec) allow(path string) error {
	rel, err := filepath.Rel(s.root, path)
	rel = filepath.ToSlash(rel)
	if _, found := slices.BinarySearchFunc(s.Files, rel, func(f File, name string) int { return strings.Compare(f.Name, name) }); err != nil || !found {
		return fmt.Errorf("%s: %w: it is none of the files of the sweep", rel, fs.ErrPermission)
	}
	return nil
}

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
			return nil, fmt.Errorf("%s: has changed since the sweep started", s.Path(f))
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
