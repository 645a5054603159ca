package engine

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// client asks the server of a sweep. While the server is away it waits, as long as it may.
type client struct {
	folder   string // of the sweep; empty: it is on another machine
	http     *http.Client
	token    string
	patience time.Duration // 0: it does not wait
	note     func(string)

	mu     sync.Mutex
	base   string // address of the server
	digest string // of the manifest, when it is known
	known  bool   // the server has answered once
	away   time.Time
}

var errEnded = errors.New("the sweep ended")

// ask posts a question, or without one gets what is there, as often as it takes, and reads the
// answer.
func (c *client) ask(ctx context.Context, path string, question, answer any) error {
	return c.persist(ctx, func() error {
		return c.once(ctx, path, question, func(body io.Reader) error {
			return json.NewDecoder(io.LimitReader(body, maxBody)).Decode(answer)
		})
	})
}

// persist tries something until the server answers.
func (c *client) persist(ctx context.Context, try func() error) error {
	for {
		err := try()
		if err == nil {
			c.back()
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := c.lost(err); err != nil {
			return err
		}
		if !sleep(ctx, 200*time.Millisecond) {
			return context.Cause(ctx)
		}
	}
}

// once asks once. It gives up when nothing moves for longer than the server may wait.
func (c *client) once(ctx context.Context, path string, question any, read func(io.Reader) error) error {
	const most = hold + 5*time.Second
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(most, func() { cancel(errors.New("it does not answer")) })
	defer timer.Stop()
	moving := func(r io.Reader) io.Reader {
		return readerFunc(func(p []byte) (int, error) {
			timer.Reset(most)
			return r.Read(p)
		})
	}
	method, size, body := http.MethodGet, 0, io.Reader(http.NoBody)
	if question != nil {
		text, err := json.Marshal(question)
		if err != nil {
			return err
		}
		method, size, body = http.MethodPost, len(text), moving(bytes.NewReader(text))
	}
	c.mu.Lock()
	base, digest := c.base, c.digest
	c.mu.Unlock()
	q, err := http.NewRequestWithContext(ctx, method, base+path, body)
	if err != nil {
		return err
	}
	q.ContentLength = int64(size)
	q.Header.Set("Authorization", "Bearer "+c.token)
	q.Header.Set(digestHeader, digest)
	a, err := c.http.Do(q)
	if err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	defer a.Body.Close()
	if a.StatusCode == http.StatusOK {
		return read(moving(a.Body))
	}
	words, _ := io.ReadAll(io.LimitReader(a.Body, maxWords))
	text := strings.TrimSpace(string(words))
	switch {
	case a.StatusCode == http.StatusUnauthorized:
		text = "the server refuses this token, want --token-file with the file token of the folder of the sweep"
	case a.StatusCode >= 500:
		return fmt.Errorf("it answers %s: %s", a.Status, text)
	}
	return &refusal{errors.New(text), a.StatusCode}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// back notes that the server has answered.
func (c *client) back() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.away.IsZero() {
		c.note("connected again to " + c.base)
	}
	c.away, c.known = time.Time{}, true
}

// lost returns an error if there is no sense in asking again.
func (c *client) lost(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.folder != "" { // a server that was begun again may have another port
		a, gone := ReadAddress(c.folder)
		switch {
		case gone == nil:
			c.base = a.URL
		case errors.Is(gone, fs.ErrNotExist):
			return errEnded
		}
	}
	var no *refusal
	var untrusted *tls.CertificateVerificationError
	var lookup *net.DNSError
	switch {
	case errors.As(err, &no):
		return err
	case errors.As(err, &untrusted):
		return fmt.Errorf("%s: its certificate is not trusted, want --tls-ca with the file server.pem of the folder of the sweep (%w)", c.base, untrusted.Err)
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &lookup) && !c.known, c.patience == 0:
		return fmt.Errorf("%s: %w", c.base, err)
	}
	if c.away.IsZero() {
		c.away = time.Now()
		c.note(fmt.Sprintf("waiting for the server at %s: %v", c.base, err))
	}
	if time.Since(c.away) > c.patience {
		return fmt.Errorf("the server at %s was away for %v: %w", c.base, c.patience, err)
	}
	return nil
}

// sleep waits, and reports whether it was not cut short.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
