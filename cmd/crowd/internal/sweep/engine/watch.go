package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
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
	link   *link // nil: the sweep does not run
	stream jetstream.Stream
	name   sweepName
	last   Progress
}

// NewWatch connects to the server of a sweep. For a folder in which none runs it has how
// far the sweep was when it was closed.
func NewWatch(ctx context.Context, o Where) (*Watch, error) {
	how, name, err := o.linking()
	w := new(Watch)
	if err == nil {
		how.name, how.note, how.gaveUp = "crowd sweep status", func(string) {}, func(error) {}
		w.link, err = how.dial(ctx)
	}
	if err != nil {
		b, readErr := os.ReadFile(filepath.Join(o.Folder, progressFile))
		if o.Folder == "" || readErr != nil || json.Unmarshal(b, &w.last) != nil {
			return nil, err
		}
		return w, nil
	}
	js, err := jetstream.New(w.link.Conn)
	if err == nil {
		w.name, err = find(ctx, js, name)
	}
	if err == nil {
		w.stream, err = js.Stream(ctx, w.name.stream(workers))
	}
	if err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// Close ends the connection.
func (w *Watch) Close() {
	if w.link != nil {
		w.link.Close()
	}
}

// Status looks now. A sweep that gives no signs of life does not run.
func (w *Watch) Status(ctx context.Context) (Status, error) {
	if w.link == nil {
		return Status{Progress: w.last, Who: []Worker{}}, nil
	}
	ctx, cancel := w.link.within(ctx, 3*time.Second)
	defer cancel()
	info, err := w.stream.Info(ctx, jetstream.WithSubjectFilter(w.name.subject(">")))
	if err != nil {
		return Status{}, err
	}
	s := Status{Who: []Worker{}}
	for subject := range info.State.Subjects {
		m, err := w.stream.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue // it was too old by now
		}
		if err != nil {
			return Status{}, err
		}
		alive := info.TimeStamp.Sub(m.Time) < 5*beat
		var one Worker
		switch {
		case subject == w.name.subject(progress):
			err = json.Unmarshal(m.Data, &s.Progress)
			s.Running = alive && !s.Ended
		case alive:
			if err = json.Unmarshal(m.Data, &one); err == nil {
				s.Who = append(s.Who, one)
			}
		}
		if err != nil {
			return Status{}, fmt.Errorf("%s: %w", subject, err)
		}
	}
	slices.SortFunc(s.Who, func(a, b Worker) int {
		return strings.Compare(a.Machine+a.ID, b.Machine+b.ID)
	})
	return s, nil
}
