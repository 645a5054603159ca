package engine

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
)

const (
	tokenFile  = "token"
	serverFile = "server.json"
	certFile   = "server.pem"
	keyFile    = "server.key"
)

// secrets are files that exist until the sweep is complete. The first marks an incomplete sweep.
var secrets = []string{serverFile, tokenFile, certFile, keyFile}

const tokenVariable = "CROWD_SWEEP_TOKEN"

// Address is the address of the server, for workers that can read the folder.
type Address struct {
	URL string
	CA  string `json:",omitempty"` // certificates to trust, in PEM; empty means those of the system
}

// ReadAddress returns the address of the incomplete sweep in a folder, even if its server has stopped. If
// there is none, the error wraps [fs.ErrNotExist].
func ReadAddress(folder string) (*Address, error) {
	b, err := os.ReadFile(filepath.Join(folder, serverFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &noSweep{folder}
	}
	if err != nil {
		return nil, err
	}
	a := new(Address)
	if err := json.Unmarshal(b, a); err != nil || a.URL == "" {
		return nil, fmt.Errorf("%s does not hold the address of a sweep", filepath.Join(folder, serverFile))
	}
	return a, nil
}

type noSweep struct{ folder string }

func (e *noSweep) Error() string {
	return e.folder + ": no sweep runs in this folder, want the folder of a running sweep"
}
func (e *noSweep) Unwrap() error { return fs.ErrNotExist }

func (a *Address) write(folder string) error {
	b, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	return replace(filepath.Join(folder, serverFile), append(b, '\n'))
}

// replace atomically writes a file that only the user can read.
func replace(name string, b []byte) error {
	if err := os.WriteFile(name+".new", b, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

func ownToken(folder string) (string, error) {
	name := filepath.Join(folder, tokenFile)
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		text := rand.Text()
		return text, replace(name, []byte(text+"\n"))
	}
	text := strings.TrimSpace(string(b))
	if err == nil && text == "" {
		err = fmt.Errorf("%s is empty, want a token", name)
	}
	return text, err
}

// Limits of a manifest and a row.
const (
	maxPoints    = 1 << 32
	maxSpec      = 8 << 20 // bytes
	maxFiles     = 10_000
	maxFileBytes = 256 << 20
	maxAllBytes  = 2 << 30   // of all files
	maxName      = 1000      // bytes
	maxRow       = 1_000_000 // bytes
)

// Manifest describes a sweep to its workers.
type Manifest struct {
	Build      string  // as returned by [Build]; workers from other builds are refused
	Points     int64   // indexes are 0 to Points-1
	Tries      int     // failed tries after which a point is given up, 1 or more
	MaxSeconds float64 // time limit of a try; 0 means none
	Spec       []byte  // interpreted by WorkOptions.Open
	Files      []File
}

// check returns an error if the manifest is invalid. Workers check it too: file names from the network decide
// where workers write.
func (m *Manifest) check() error {
	switch {
	case m.Points < 1 || m.Points > maxPoints:
		return fmt.Errorf("the sweep has %d runs, want 1 to %d", m.Points, int64(maxPoints))
	case m.Tries < 1:
		return fmt.Errorf("the number of tries is %d, want 1 or more", m.Tries)
	case m.Build == "":
		return fmt.Errorf("the build is empty")
	case !(m.MaxSeconds >= 0 && m.MaxSeconds <= 1e9):
		return fmt.Errorf("the time limit is %v s, want 0 to 1e9 s", m.MaxSeconds)
	case len(m.Spec) > maxSpec:
		return fmt.Errorf("the spec has %d bytes, want at most %d", len(m.Spec), maxSpec)
	}
	return CheckFiles(m.Files)
}

// File is a file that every worker gets.
type File struct {
	Name   string `json:"name"` // relative to the folder of all files, with slashes
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

func (f *File) check() error {
	sum, err := hex.DecodeString(f.SHA256)
	local := filepath.IsLocal(filepath.FromSlash(f.Name)) && !strings.ContainsAny(f.Name, "\\:\x00")
	switch {
	case len(f.Name) > maxName || !local || f.Name == "." || path.Clean(f.Name) != f.Name:
		return fmt.Errorf("file %q: want a name within the folder of the sweep", f.Name[:min(len(f.Name), maxName)])
	case f.Size < 0 || f.Size > maxFileBytes:
		return fmt.Errorf("file %s has %d bytes, want at most %d", f.Name, f.Size, maxFileBytes)
	case err != nil || len(sum) != sha256.Size:
		return fmt.Errorf("file %s has the SHA-256 %q, want 64 hexadecimal digits", f.Name, f.SHA256[:min(len(f.SHA256), 80)])
	}
	return nil
}

// CheckFiles returns an error if files are invalid, too many, too large, or not sorted by unique names.
func CheckFiles(files []File) error {
	if len(files) > maxFiles {
		return fmt.Errorf("the sweep has %d files, want at most %d", len(files), maxFiles)
	}
	all := int64(0)
	for i := range files {
		if err := files[i].check(); err != nil {
			return err
		}
		if i > 0 && files[i].Name <= files[i-1].Name {
			return fmt.Errorf("file %s follows %s, want unique names in ascending order", files[i].Name, files[i-1].Name)
		}
		all += files[i].Size
	}
	if all > maxAllBytes {
		return fmt.Errorf("the files have %d bytes, want at most %d", all, int64(maxAllBytes))
	}
	return nil
}

// Verify returns an error unless r yields the content of the file.
func (f *File) Verify(r io.Reader) error {
	h := sha256.New()
	size, err := io.Copy(h, io.LimitReader(r, f.Size+1))
	switch sum := hex.EncodeToString(h.Sum(nil)); {
	case err != nil:
		return err
	case size != f.Size:
		return fmt.Errorf("has changed since the sweep started: want %d bytes", f.Size)
	case sum != f.SHA256:
		return fmt.Errorf("has changed since the sweep started: SHA-256 is %.8s…, want %.8s…", sum, f.SHA256)
	}
	return nil
}

// Put writes the file into a folder atomically. It returns an error unless r yields the content of the file.
// Only read errors are worth another try.
func (f *File) Put(folder string, r io.Reader) error {
	if err := f.check(); err != nil {
		return &refusal{err, 0}
	}
	name := filepath.Join(folder, filepath.FromSlash(f.Name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return &refusal{err, 0}
	}
	w, err := os.CreateTemp(filepath.Dir(name), ".crowd-*")
	if err != nil {
		return &refusal{err, 0}
	}
	from := &source{r: r}
	err = errors.Join(f.Verify(io.TeeReader(from, w)), w.Close())
	if err == nil {
		err = os.Rename(w.Name(), name)
	}
	if err == nil {
		return nil
	}
	_ = os.Remove(w.Name())
	if from.err != nil {
		return from.err
	}
	return &refusal{err, 0}
}

type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (n int, err error) {
	if n, err = s.r.Read(p); err != io.EOF {
		s.err = err
	}
	return n, err
}

func (m *Manifest) digest() string {
	b, _ := json.Marshal(m)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

const progressFile = "progress.json"

// Status is the progress of a sweep and its workers.
type Status struct {
	Progress
	Running bool     `json:"running"`
	Who     []Worker `json:"who"` // sorted by machine
}

// Watch connects to a sweep, and returns a function for its status and one that closes the connection. If the
// server is gone, the status is the last one saved in the folder. Watch returns an error if none was saved,
// if the server refuses the token, if its certificate is not trusted, or if ctx is done.
func Watch(ctx context.Context, o Where) (status func(context.Context) (Status, error), end func(), err error) {
	c, err := o.client()
	if err == nil {
		err = c.ask(ctx, "/status", nil, new(Status))
	}
	if err != nil {
		var refused *refusal
		unauthorized := errors.As(err, &refused) && refused.code == http.StatusUnauthorized
		if _, keptErr := kept(o.Folder); keptErr != nil || unauthorized || errors.Is(err, errUntrusted) || ctx.Err() != nil {
			return nil, nil, err
		}
		return func(context.Context) (Status, error) { return kept(o.Folder) }, func() {}, nil
	}
	status = func(ctx context.Context) (s Status, err error) {
		err = c.ask(ctx, "/status", nil, &s)
		if err != nil && o.Folder != "" {
			if _, gone := ReadAddress(o.Folder); errors.Is(gone, fs.ErrNotExist) { // the sweep has ended
				return kept(o.Folder)
			}
		}
		return s, err
	}
	return status, c.http.CloseIdleConnections, nil
}

func kept(folder string) (Status, error) {
	s := Status{Who: []Worker{}}
	if folder == "" {
		return s, fs.ErrNotExist
	}
	name := filepath.Join(folder, progressFile)
	b, err := os.ReadFile(name)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(b, &s.Progress); err != nil {
		return s, fmt.Errorf("%s is not the status of a sweep: %w", name, err)
	}
	return s, nil
}
