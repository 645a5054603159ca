package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
)

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
		c.err = fmt.Errorf("it has not the %d bytes that were announced", c.want.Size)
	case err == io.EOF && hex.EncodeToString(c.hash.Sum(nil)) != c.want.SHA256:
		c.err = fmt.Errorf("it has not the SHA-256 that was announced")
	}
	if c.err != nil {
		return 0, c.err
	}
	return n, err
}
