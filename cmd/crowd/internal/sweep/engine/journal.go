// Package engine distributes the points of a sweep over processes and machines, and collects one row per
// point. A point is an index and a row is a sequence of bytes. The engine interprets neither.
//
// [Serve] runs the HTTP server of a sweep and the journal in its folder. [Work] runs points.
//
// The journal is authoritative: a point without a row in it runs again, unless the point was given up. A
// killed sweep can therefore resume.
package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
)

const (
	journalFile = "journal"
	maxLine     = 16 << 20 // bytes
)

// entry is a line of the journal. Exactly one of its fields is set.
type entry struct {
	Sweep *header `json:"sweep,omitempty"`
	Row   *Row    `json:"row,omitempty"`
	Try   *Dead   `json:"try,omitempty"` // a failed try; the last one gives the point up
	Lease *handed `json:"lease,omitempty"`
	Free  []int64 `json:"free,omitempty"`  // points given back without a failed try
	Retry bool    `json:"retry,omitempty"` // forget all earlier tries
}

type header struct {
	Build  string `json:"build"`
	Points int64  `json:"runs"`
	Digest string `json:"digest"` // of the manifest
}

type handed struct {
	Worker  string  `json:"worker"`
	Machine string  `json:"machine"`
	Points  []int64 `json:"points"`
	Alone   bool    `json:"alone,omitempty"`
}

// journal is the file of all entries. Callers of write must hold a lock. Any goroutine may call sync and
// row.
type journal struct {
	file *os.File
	size atomic.Int64
	err  error // first write error; nothing is written after it

	syncing sync.Mutex
	synced  int64 // bytes on disk
}

// openJournal opens or creates the journal of a folder, and calls the function each for every entry after the
// header. It returns an error if the journal belongs to another sweep or is open in another process.
func openJournal(folder string, want header, each func(e *entry, offset int64)) (*journal, error) {
	name := filepath.Join(folder, journalFile)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	file, err := output.Lock(name, 0o600)
	if errors.Is(err, output.ErrLocked) {
		return nil, fmt.Errorf("%s: another process runs a sweep in this folder", folder)
	}
	if err != nil {
		return nil, err
	}
	j := &journal{file: file}
	if err := j.read(folder, want, each); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

func (j *journal) read(folder string, want header, each func(e *entry, offset int64)) error {
	var head *header
	end, err := output.ScanLines(j.file, j.file.Name(), maxLine, func(n int, offset int64, text []byte) error {
		e := new(entry)
		if err := json.Unmarshal(text, e); err != nil {
			return err
		}
		switch {
		case n > 1 && head.differs(want) == "":
			each(e, offset)
		case n == 1 && e.Sweep == nil:
			return errors.New("the first line is not the header of a journal")
		case n == 1:
			head = e.Sweep
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := output.Truncate(j.file, end); err != nil {
		return err
	}
	j.size.Store(end)
	if head == nil {
		_, err = j.write(&entry{Sweep: &want})
		return err
	}
	if why := head.differs(want); why != "" {
		return fmt.Errorf("%s holds another sweep: %s", folder, why)
	}
	return nil
}

func (h *header) differs(want header) string {
	switch {
	case h.Build != want.Build:
		return fmt.Sprintf("it was started by %s, not %s", h.Build, want.Build)
	case h.Points != want.Points:
		return fmt.Sprintf("its number of runs is %d, not %d", h.Points, want.Points)
	case h.Digest != want.Digest:
		return "its spec, files or limits differ"
	}
	return ""
}

// write appends entries and returns their offsets. After an error, all later calls fail, but complete entries
// still count when the journal is reopened.
func (j *journal) write(all ...*entry) (offsets []int64, err error) {
	if j.err != nil {
		return nil, j.err
	}
	var text bytes.Buffer
	at := j.size.Load()
	for _, e := range all {
		offsets = append(offsets, at+int64(text.Len()))
		b, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		text.Write(output.SealLine(b))
	}
	if _, err := j.file.Write(text.Bytes()); err != nil {
		j.err = j.unwritten(err)
		return nil, j.err
	}
	j.size.Add(int64(text.Len()))
	return offsets, nil
}

// sync flushes all entries to disk. Waiting goroutines share one sync.
func (j *journal) sync() error {
	want := j.size.Load()
	j.syncing.Lock()
	defer j.syncing.Unlock()
	if j.synced >= want {
		return nil
	}
	now := j.size.Load()
	if err := j.file.Sync(); err != nil {
		return j.unwritten(err)
	}
	j.synced = now
	return nil
}

func (j *journal) unwritten(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s cannot be written: %w; free some space, then run the sweep again", j.file.Name(), err)
}

func (j *journal) row(offset int64) (*Row, error) {
	text, err := output.SealedLine(j.file, offset)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.file.Name(), err)
	}
	e := new(entry)
	if err := json.Unmarshal(text, e); err != nil || e.Row == nil {
		return nil, fmt.Errorf("%s: no row at offset %d", j.file.Name(), offset)
	}
	return e.Row, nil
}

func (j *journal) close() error { return errors.Join(j.sync(), j.file.Close()) }
