package engine

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// refusal is an error that a retry would not fix.
type refusal struct {
	error
	code int // HTTP status; 0 if not from the server
}

func (r *refusal) Unwrap() error { return r.error }

func (s *Sweep) handler(token string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /join", answering(s.join))
	mux.HandleFunc("GET /file/{hash}", s.file)
	mux.HandleFunc("GET /status", answering(func(*http.Request, *struct{}) (Status, error) { return s.status(), nil }))
	for path, f := range map[string]http.HandlerFunc{
		"POST /life": answering(s.hear), "POST /done": answering(s.bring),
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			if got := r.Header.Get(digestHeader); got != s.header.Digest {
				http.Error(w, "this server now runs another sweep", http.StatusConflict)
				return
			}
			f(w, r)
		})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shown, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		switch {
		case subtle.ConstantTimeCompare([]byte(shown), []byte(token)) != 1:
			http.Error(w, "the token is wrong or missing", http.StatusUnauthorized)
		case s.ctx.Err() != nil:
			http.Error(w, "the sweep is ending", http.StatusServiceUnavailable)
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

func answering[Q, A any](f func(r *http.Request, q *Q) (A, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := new(Q)
		if r.Method == http.MethodPost {
			body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
			if err == nil {
				err = json.Unmarshal(body, q)
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
		}
		a, err := f(r, q)
		if err != nil {
			code := http.StatusServiceUnavailable
			if no := (*refusal)(nil); errors.As(err, &no) {
				code = no.code
			}
			http.Error(w, err.Error(), code)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(a)
	}
}

func (s *Sweep) join(_ *http.Request, q *joining) (joined, error) {
	if q.Build != s.m.Build {
		s.o.Note(fmt.Sprintf("the worker on %s was refused: it is %s, want %s", q.Machine, q.Build, s.m.Build))
		return joined{}, &refusal{fmt.Errorf("this worker is %s, want %s like the server", q.Build, s.m.Build), http.StatusConflict}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.book.member(q.ID) // Close waits for this worker even if it has no points
	m.Machine, m.seen, m.knows = q.Machine, time.Now(), s.isComplete()
	return joined{s.m, min(beat, s.o.Silence/4), m.knows}, nil
}

func (s *Sweep) file(w http.ResponseWriter, r *http.Request) {
	i := slices.IndexFunc(s.m.Files, func(f File) bool { return f.SHA256 == r.PathValue("hash") })
	if i < 0 {
		http.NotFound(w, r)
		return
	}
	f, err := s.o.Open(s.m.Files[i].Name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer f.Close()
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Hour))
	w.Header().Set("Content-Length", strconv.FormatInt(s.m.Files[i].Size, 10))
	_, _ = io.Copy(w, f)
}

// hear records a heartbeat. If the worker wants points, hear waits for them, up to a time limit.
func (s *Sweep) hear(r *http.Request, q *life) (answer, error) {
	ctx, cancel := context.WithTimeout(r.Context(), hold)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.book.member(q.ID)
	if q.Want > 0 || q.Leave {
		m.asks++ // an earlier open request gets no points
	}
	mine := m.asks
	if err := s.record(s.book.hear(m, q, time.Now())...); err != nil {
		return answer{}, err
	}
	for {
		if s.isComplete() {
			m.knows = true
			return answer{Ended: true}, nil
		}
		if m.asks != mine || q.Want < 1 || ctx.Err() != nil {
			return answer{}, nil
		}
		if points, alone := s.book.take(m, min(q.Want, maxTake)); len(points) > 0 {
			return answer{Points: points}, s.record(&entry{Lease: &handed{m.ID, m.Machine, points, alone}})
		}
		changed := s.changed
		s.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		s.mu.Lock()
	}
}

// bring returns once the results are on disk.
func (s *Sweep) bring(_ *http.Request, q *bringing) (answer, error) {
	if err := s.keep(q); err != nil {
		return answer{}, err
	}
	if err := s.journal.sync(); err != nil {
		s.cancel(err)
		return answer{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle()
	ended := s.isComplete()
	if m := s.book.members[q.Worker]; m != nil && ended {
		m.knows = true
	}
	return answer{Ended: ended}, nil
}

func (s *Sweep) keep(q *bringing) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*entry
	rows := map[int64]*Row{}
	for i := range q.Rows {
		row := &q.Rows[i]
		if row.Index < 0 || row.Index >= s.m.Points {
			return &refusal{fmt.Errorf("run %d does not exist, want 0 to %d", row.Index, s.m.Points-1), http.StatusBadRequest}
		}
		row.Machine = q.Machine
		if err := s.o.Check(row.Index, row.Data); err != nil {
			q.Failed = append(q.Failed, Dead{Index: row.Index, Error: fmt.Sprintf("invalid row: %v", err)})
			continue
		}
		first := rows[row.Index]
		if at := s.book.row(row.Index); at != 0 {
			var err error
			if first, err = s.journal.row(at); err != nil {
				return err
			}
		}
		if first != nil && !s.compare(first, row) {
			continue
		}
		rows[row.Index] = row
		all = append(all, &entry{Row: row})
	}
	for _, f := range q.Failed {
		l := s.book.leases[f.Index]
		if l == nil || l.ID != q.Worker {
			continue // already known, or counted when the lease expired
		}
		t := &Dead{f.Index, s.book.tried[f.Index].Tries + 1, f.Error, q.Machine}
		all = append(all, &entry{Try: t})
		s.o.Note(fmt.Sprintf("run %d failed on %s, try %d of %d: %s", t.Index, t.Machine, t.Tries, s.m.Tries, t.Error))
	}
	return s.record(all...)
}

// compare reports whether two rows of a point differ, and records the difference.
func (s *Sweep) compare(first, second *Row) bool {
	if bytes.Equal(first.Data, second.Data) {
		return false
	}
	err := s.o.Same(first.Data, second.Data)
	if err != nil {
		err = fmt.Errorf("run %d: the rows from %s and %s differ: %w", first.Index, first.Machine, second.Machine, err)
		s.o.Note(err.Error())
		s.unequal = append(s.unequal, err)
	}
	return err != nil
}

// record writes entries to the journal and applies them. A write error ends the sweep.
func (s *Sweep) record(all ...*entry) error {
	if len(all) == 0 {
		return nil
	}
	offsets, err := s.journal.write(all...)
	if err != nil {
		s.cancel(err)
		return err
	}
	for i, e := range all {
		s.book.apply(e, offsets[i], time.Now())
		if t := e.Try; t != nil && t.Tries >= s.m.Tries {
			s.o.Note(fmt.Sprintf("gave up on run %d: try %d, the last, failed on %s: %s", t.Index, t.Tries, t.Machine, t.Error))
		}
	}
	s.wake()
	return nil
}

func (s *Sweep) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *Sweep) settle() {
	if s.book.complete() && !s.isComplete() {
		close(s.complete)
		s.wake()
	}
}

// expire takes back the points of silent workers, and saves the progress, until the sweep ends.
func (s *Sweep) expire() {
	for kept := time.Now(); sleep(s.ctx, s.o.Silence/4); {
		s.mu.Lock()
		var all []*entry
		for _, t := range s.book.expired(time.Now()) {
			all = append(all, &entry{Try: &t})
		}
		if s.record(all...) == nil {
			s.settle()
		}
		s.mu.Unlock()
		if time.Since(kept) > 5*beat {
			kept = time.Now()
			s.keepProgress()
		}
	}
}
