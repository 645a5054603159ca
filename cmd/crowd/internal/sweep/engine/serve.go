package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

// Sweep is the server side of a sweep. Call Close when done with it.
type Sweep struct {
	o        Options
	m        Manifest
	header   header
	address  *Address
	journal  *journal
	server   *http.Server
	ctx      context.Context
	cancel   context.CancelCauseFunc
	work     sync.WaitGroup
	complete chan struct{}
	before   int64 // rows at the start

	mu      sync.Mutex
	book    *book
	past    window
	changed chan struct{} // closed when points may be available
	unequal []error       // differences between rows of a point
}

// Dead is a point that was given up, or a failed try of a point.
type Dead struct {
	Index   int64  `json:"index"`
	Tries   int    `json:"tries,omitempty"`
	Error   string `json:"error"`
	Machine string `json:"machine,omitempty"`
}

// Serve starts or resumes the sweep in o.Folder. The sweep runs until it fails, ctx is done or Close is
// called. Serve returns an error if the folder holds another sweep. When Serve returns, workers can join.
func Serve(ctx context.Context, o Options, m Manifest) (_ *Sweep, err error) {
	o.Silence = cmp.Or(o.Silence, 10*time.Second)
	if err := m.check(); err != nil {
		return nil, err
	}
	s := &Sweep{o: o, m: m, complete: make(chan struct{}), changed: make(chan struct{}), book: newBook(m.Points, m.Tries, o.Silence)}
	s.header = header{m.Build, m.Points, m.digest()}
	s.ctx, s.cancel = context.WithCancelCause(ctx)
	defer func() {
		if err != nil {
			s.cancel(err)
			err = errors.Join(err, s.Close())
		}
	}()
	if err := s.resume(); err != nil {
		return nil, err
	}
	if err := s.listen(); err != nil {
		return nil, err
	}
	s.work.Go(s.expire)
	return s, nil
}

func (s *Sweep) resume() (err error) {
	var second []*Row
	s.journal, err = openJournal(s.o.Folder, s.header, func(e *entry, offset int64) {
		if e.Row != nil {
			if err := s.o.Check(e.Row.Index, e.Row.Data); err != nil {
				s.o.Note(fmt.Sprintf("run %d is repeated, because the row from %s is invalid: %v", e.Row.Index, e.Row.Machine, err))
				return
			}
		}
		if e.Row != nil && s.book.row(e.Row.Index) != 0 {
			second = append(second, e.Row)
		}
		s.book.apply(e, offset, time.Now())
	})
	if err != nil {
		return err
	}
	for _, row := range second {
		first, err := s.journal.row(s.book.row(row.Index))
		if err != nil {
			return err
		}
		s.compare(first, row)
	}
	if s.o.RetryDead {
		if err := s.record(&entry{Retry: true}); err != nil {
			return err
		}
	}
	s.book.begin(time.Now())
	s.before = s.book.done
	s.settle()
	return nil
}

// Wait waits until every point has a row or is given up. It returns an error if rows of a point differ or the
// sweep ends earlier.
func (s *Sweep) Wait() error {
	select {
	case <-s.complete:
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch n := len(s.unequal); n {
	case 0:
		return nil
	case 1:
		return s.unequal[0]
	default:
		return fmt.Errorf("%w (and %d more)", s.unequal[0], n-1)
	}
}

// Before returns the number of rows when Serve began.
func (s *Sweep) Before() int64 { return s.before }

// Close ends the sweep. If the sweep is complete, its workers end, and Close deletes the secrets in the
// folder. Otherwise the workers wait for a restart.
func (s *Sweep) Close() error {
	if s.server != nil {
		s.farewell()
	}
	s.cancel(errors.New("the sweep was closed"))
	if s.server != nil {
		ctx, cancel := context.WithTimeout(context.Background(), beat)
		if s.server.Shutdown(ctx) != nil {
			_ = s.server.Close()
		}
		cancel()
	}
	s.work.Wait()
	var errs []error
	if s.journal != nil {
		if !s.isComplete() {
			s.giveBack()
		}
		s.keepProgress()
		errs = append(errs, s.journal.close())
	}
	for _, name := range secrets {
		if s.isComplete() && s.server != nil {
			if err := os.Remove(filepath.Join(s.o.Folder, name)); !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// farewell gives all live workers up to five heartbeats to learn that the sweep is complete.
func (s *Sweep) farewell() {
	know := func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, m := range s.book.members {
			if !m.knows && time.Since(m.seen) < 5*beat {
				return false
			}
		}
		return true
	}
	for end := time.Now().Add(5 * beat); s.isComplete() && !know() && time.Now().Before(end); {
		time.Sleep(beat / 50)
	}
}

func (s *Sweep) giveBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var back []int64
	for index := range s.book.leases {
		back = append(back, index)
	}
	if back != nil {
		_ = s.record(&entry{Free: back}) // the disk may be full
	}
}

func (s *Sweep) isComplete() bool {
	select {
	case <-s.complete:
		return true
	default:
		return false
	}
}

func (s *Sweep) listen() error {
	token, err := ownToken(s.o.Folder)
	if err != nil {
		return err
	}
	host, port := "127.0.0.1", "0"
	if s.o.Listen != "" {
		if host, port, err = net.SplitHostPort(s.o.Listen); err != nil {
			return fmt.Errorf("%q is not an address to listen on, want host:port", s.o.Listen)
		}
	}
	l := s.o.listener
	if l == nil {
		if l, err = net.Listen("tcp", net.JoinHostPort(host, port)); err != nil {
			return err
		}
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	_, port, _ = net.SplitHostPort(l.Addr().String())
	s.address = &Address{URL: "http://" + net.JoinHostPort(host, port)}
	if s.o.Listen != "" {
		pair, ca, err := s.o.certificate(host)
		if err != nil {
			l.Close()
			return err
		}
		s.address = &Address{"https://" + net.JoinHostPort(host, port), ca}
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12})
	}
	s.server = &http.Server{
		Handler:           s.handler(token),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	s.work.Go(func() {
		if err := s.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			s.cancel(fmt.Errorf("listening on %s: %w", l.Addr(), err))
		}
	})
	return s.address.write(s.o.Folder)
}

// Options are the settings of a sweep.
type Options struct {
	Folder string

	Listen   string // host:port for TLS; empty means workers on this machine only
	CertFile string // certificate and key in PEM; empty means those in the folder, created if needed

	Silence   time.Duration // time after which a silent worker loses its points; 0 means 10 s
	RetryDead bool

	Open  func(name string) (io.ReadCloser, error) // opens a file of the manifest
	Check func(index int64, row []byte) error      // returns an error unless row belongs to the point
	Same  func(a, b []byte) error                  // returns an error if rows of a point differ
	Note  func(line string)                        // receives messages for the user

	listener net.Listener // in tests
}

// certificate returns the certificate for a host, and the certificates that workers must trust, or "" for
// those of the system.
func (o *Options) certificate(host string) (pair tls.Certificate, ca string, err error) {
	if o.CertFile != "" {
		pair, err = tls.LoadX509KeyPair(o.CertFile, o.CertFile)
		return pair, "", err
	}
	if pair, err = certificate(o.Folder, host); err != nil {
		return pair, "", err
	}
	b, err := os.ReadFile(filepath.Join(o.Folder, certFile))
	return pair, string(b), err
}

// Build returns an identifier of the executable: its Git revision if the code is unmodified, its module
// version if there is no revision, or else a hash of the file.
func Build() (string, error) {
	if info, ok := debug.ReadBuildInfo(); ok {
		set := map[string]string{}
		for _, s := range info.Settings {
			set[s.Key] = s.Value
		}
		if v, clean := set["vcs.revision"], set["vcs.modified"] == "false"; v != "" && clean {
			return fmt.Sprintf("crowd %s, %s", v[:min(12, len(v))], info.GoVersion), nil
		}
		if v := info.Main.Version; v != "" && v != "(devel)" && set["vcs.revision"] == "" {
			return fmt.Sprintf("crowd %s, %s", v, info.GoVersion), nil
		}
	}
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("crowd sha256:%x", h.Sum(nil)[:8]), nil
}

// Progress is the progress of a sweep.
type Progress struct {
	Points  int64   `json:"runs"`
	Done    int64   `json:"done"`              // with a row
	Failed  int64   `json:"failed"`            // whose row is from a failed run
	Dead    int64   `json:"dead"`              // given up
	Handed  int64   `json:"handed"`            // estimate of points ever handed out
	Workers int     `json:"workers"`           // seen recently
	Rate    float64 `json:"rate"`              // points per second
	Left    float64 `json:"left"`              // estimated seconds; 0 means unknown or none
	Waiting string  `json:"waiting,omitempty"` // "workers" if there are none
	Ended   bool    `json:"ended"`
}

// Worker describes a worker.
type Worker struct {
	ID      string  `json:"id"`
	Machine string  `json:"machine"`
	Build   string  `json:"build"`
	Threads int     `json:"threads"`
	Done    int64   `json:"done"`
	Failed  int64   `json:"failed"`
	Rate    float64 `json:"rate"` // points per second
	Points  []int64 `json:"runs"` // running points
}

type window struct {
	counts []int64
	times  []time.Time
}

// rate records a count and returns its recent growth per second, or 0 for the first count.
func (w *window) rate(count int64) float64 {
	now := time.Now()
	if n := len(w.times); n == 0 || now.Sub(w.times[n-1]) >= beat/2 {
		w.counts, w.times = append(w.counts, count), append(w.times, now)
	}
	if len(w.times) > 60 {
		w.counts, w.times = w.counts[1:], w.times[1:]
	}
	took := now.Sub(w.times[0]).Seconds()
	if took <= 0 {
		return 0
	}
	return float64(count-w.counts[0]) / took
}

// Progress returns the progress of the sweep.
func (s *Sweep) Progress() Progress { return s.status().Progress }

func (s *Sweep) status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.book
	p := Progress{Points: b.points, Done: b.done, Failed: b.failed, Dead: b.dead, Ended: s.isComplete(), Rate: s.past.rate(b.done)}
	p.Handed = min(b.points, max(b.next, b.done+b.dead+int64(len(b.leases))))
	who := []Worker{}
	for _, m := range b.members {
		if m.Threads > 0 && time.Since(m.seen) < 5*beat {
			who = append(who, m.Worker)
		}
	}
	slices.SortFunc(who, func(a, b Worker) int { return strings.Compare(a.Machine+a.ID, b.Machine+b.ID) })
	p.Workers = len(who)
	if p.Rate > 0 {
		p.Left = float64(p.Points-p.Done-p.Dead) / p.Rate
	}
	if !p.Ended && len(who) == 0 {
		p.Waiting = "workers"
	}
	return Status{p, !p.Ended, who}
}

func (s *Sweep) keepProgress() {
	p := s.Progress()
	p.Waiting, p.Workers, p.Left = "", 0, 0
	b, _ := json.Marshal(p)
	_ = replace(filepath.Join(s.o.Folder, progressFile), append(b, '\n')) // the disk may be full
}
