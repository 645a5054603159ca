package engine

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

const progressFile = "progress.json" // in the folder: how far the sweep was when it was closed

// Status is how far a sweep is, and who works on it.
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
