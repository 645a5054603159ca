package engine

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Files in the folder of a sweep.
const (
	tokenFile  = "token" // which only the user can read
	serverFile = "server.json"
	certFile   = "server.pem"
	keyFile    = "server.key"
)

// secrets are there until the sweep is complete. The first says that it runs.
var secrets = []string{serverFile, tokenFile, certFile, keyFile}

// TokenVariable is the environment variable from which a worker takes the token.
const TokenVariable = "CROWD_SWEEP_TOKEN"

// Address says where the server of a sweep is, for workers that know its folder.
type Address struct {
	URL string // for workers of this machine
	CA  string `json:",omitempty"` // certificates to trust, in PEM; none: those of the system
}

// ReadAddress returns the address of the sweep that runs in a folder. Without one the
// error is [fs.ErrNotExist].
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
		return nil, fmt.Errorf("%s: not the address of a sweep", filepath.Join(folder, serverFile))
	}
	return a, nil
}

// noSweep says that no sweep runs in a folder.
type noSweep struct{ folder string }

func (e *noSweep) Error() string {
	return e.folder + ": no sweep runs in this folder, want one where crowd sweep is at work"
}
func (e *noSweep) Unwrap() error { return fs.ErrNotExist }

// write writes the address into a folder, at once or not at all.
func (a *Address) write(folder string) error {
	b, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	return replace(filepath.Join(folder, serverFile), append(b, '\n'))
}

// replace writes a file that only the user can read, at once or not at all.
func replace(name string, b []byte) error {
	if err := os.WriteFile(name+".new", b, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// ownToken returns the token of a folder, and makes a random one if there is none.
func ownToken(folder string) (string, error) {
	name := filepath.Join(folder, tokenFile)
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		text := rand.Text()
		return text, replace(name, []byte(text+"\n"))
	}
	text := strings.TrimSpace(string(b))
	if err == nil && text == "" {
		err = fmt.Errorf("%s: is empty, want a token", name)
	}
	return text, err
}

// verify reads all files of a manifest: their sizes and hashes must be as it says.
func (m *Manifest) verify(open func(name string) (io.ReadCloser, error)) error {
	for _, f := range m.Files {
		r, err := open(f.Name)
		if err == nil {
			_, err = io.Copy(io.Discard, check(r, f))
			r.Close()
		}
		if err != nil {
			return fmt.Errorf("file %q: %w", f.Name, err)
		}
	}
	return nil
}

// putFile lays a file of a manifest into a folder. Asking again helps only against errors of
// reading; others are refusals.
func putFile(root *os.Root, f File, r io.Reader) error {
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(f.Name)), 0o700); err != nil {
		return &refusal{err, 0}
	}
	w, err := root.Create(filepath.FromSlash(f.Name))
	if err != nil {
		return &refusal{err, 0}
	}
	checking := check(r, f)
	_, err = io.Copy(w, checking)
	if err = errors.Join(err, w.Close()); err != nil && checking.cut == nil {
		return &refusal{err, 0}
	}
	return err
}

// checked reads what must have a size and a hash, and not a byte more.
type checked struct {
	from io.Reader
	want File
	hash hash.Hash
	size int64
	err  error // other than of reading
	cut  error // of reading
}

func check(from io.Reader, want File) *checked {
	return &checked{from: from, want: want, hash: sha256.New()}
}

func (c *checked) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.from.Read(p)
	c.hash.Write(p[:n])
	c.size += int64(n)
	switch {
	case err != nil && err != io.EOF:
		c.cut = err
		return n, err
	case c.size > c.want.Size || err == io.EOF && c.size < c.want.Size:
		c.err = fmt.Errorf("want %d bytes, as announced", c.want.Size)
	case err == io.EOF && hex.EncodeToString(c.hash.Sum(nil)) != c.want.SHA256:
		c.err = fmt.Errorf("it has not the SHA-256 that was announced")
	}
	if c.err != nil {
		return 0, c.err
	}
	return n, err
}

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

const progressFile = "progress.json" // in the folder: how far the sweep was when it was closed

// Status is how far a sweep is, and which workers it has.
type Status struct {
	Progress
	Running bool     `json:"running"`
	Who     []Worker `json:"who"` // by machine
}

// Watch looks at a sweep from another process. It must be closed.
type Watch struct {
	folder string
	client *client // nil: the sweep does not run
}

// NewWatch connects to the server of a sweep. For a folder in which none runs it shows how
// far the sweep was when it was closed.
func NewWatch(ctx context.Context, o Where) (*Watch, error) {
	c, err := o.client()
	if err == nil {
		err = c.ask(ctx, "/status", nil, new(Status))
	}
	if err != nil {
		if _, keptErr := kept(o.Folder); keptErr != nil {
			return nil, err
		}
		return &Watch{folder: o.Folder}, nil
	}
	return &Watch{o.Folder, c}, nil
}

// Close ends the connection.
func (w *Watch) Close() {
	if w.client != nil {
		w.client.http.CloseIdleConnections()
	}
}

// Status looks now.
func (w *Watch) Status(ctx context.Context) (s Status, err error) {
	if w.client == nil {
		return kept(w.folder)
	}
	if err = w.client.ask(ctx, "/status", nil, &s); err == nil || w.folder == "" {
		return s, err
	}
	if _, gone := ReadAddress(w.folder); errors.Is(gone, fs.ErrNotExist) { // it came to its end
		return kept(w.folder)
	}
	return s, err
}

// kept returns how far a sweep was that does not run.
func kept(folder string) (Status, error) {
	s := Status{Who: []Worker{}}
	if folder == "" {
		return s, fs.ErrNotExist
	}
	b, err := os.ReadFile(filepath.Join(folder, progressFile))
	if err == nil {
		err = json.Unmarshal(b, &s.Progress)
	}
	return s, err
}
