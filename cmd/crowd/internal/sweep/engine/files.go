package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/nats-io/nats.go/jetstream"
)

// putFile stores a file under its hash, unless it is there.
func putFile(ctx context.Context, store jetstream.ObjectStore, o *Options, f File) error {
	if _, err := store.GetInfo(ctx, f.SHA256); err == nil || !errors.Is(err, jetstream.ErrObjectNotFound) {
		return err
	}
	r, err := o.Open(f.Name)
	if err != nil {
		return err
	}
	defer r.Close()
	checking := check(r, f)
	if _, err = store.Put(ctx, jetstream.ObjectMeta{Name: f.SHA256}, checking); checking.err != nil {
		return checking.err
	}
	return err
}

// getFiles lays the files of a manifest into a folder that is empty.
func getFiles(ctx context.Context, store jetstream.ObjectStore, m *Manifest, folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range m.Files {
		if err := getFile(ctx, store, root, f); err != nil {
			return fmt.Errorf("file %q: %w", f.Name, err)
		}
	}
	return nil
}

func getFile(ctx context.Context, store jetstream.ObjectStore, root *os.Root, f File) error {
	r, err := store.Get(ctx, f.SHA256)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(f.Name)), 0o700); err != nil {
		return err
	}
	w, err := root.OpenFile(filepath.FromSlash(f.Name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, check(r, f))
	return errors.Join(err, w.Close())
}

// checked reads what must have a size and a hash, and not a byte more.
type checked struct {
	from io.Reader
	want File
	hash hash.Hash
	size int64
	err  error // other than of reading
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
