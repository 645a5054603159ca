package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
)

// The tests run in synctest bubbles, where time passes at once and connections are pipes.

// network is the network of a test. Its only address leads to the sweep that started last.
type network struct {
	mu   sync.Mutex
	last *testkit.Listener
	open []net.Conn
}

func (n *network) listen() *testkit.Listener {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last = testkit.NewListener()
	return n.last
}

func (n *network) dial(ctx context.Context, network, address string) (net.Conn, error) {
	n.mu.Lock()
	l := n.last
	n.mu.Unlock()
	if l == nil {
		return nil, errors.New("the network is down")
	}
	c, err := l.Dial(ctx, network, address)
	n.mu.Lock()
	defer n.mu.Unlock()
	if err == nil {
		n.open = append(n.open, c)
	}
	return c, err
}

// cut closes all connections and refuses new ones for d, or until the next listen if d is 0.
func (n *network) cut(d time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.open {
		c.Close()
	}
	l := n.last
	n.open, n.last = nil, nil
	if d > 0 {
		time.AfterFunc(d, func() {
			n.mu.Lock()
			defer n.mu.Unlock()
			n.last = l
		})
	}
}

func simple(_ context.Context, index int64) ([]byte, bool, error) { return rowOf(index), false, nil }

func hangs(ctx context.Context, _ int64) ([]byte, bool, error) {
	<-ctx.Done()
	return nil, false, ctx.Err()
}

func rowOf(index int64) []byte {
	sum := sha256.Sum256(fmt.Append(nil, index))
	return fmt.Appendf(nil, "%d %s", index, strings.Repeat(fmt.Sprintf("%x", sum), 1+int(sum[0])%40))
}

func sameBytes(a, b []byte) error {
	if !bytes.Equal(a, b) {
		return fmt.Errorf("%.20q and %.20q", a, b)
	}
	return nil
}

func manifest(points int64, tries int) Manifest {
	return Manifest{Build: "test", Points: points, Tries: tries, Spec: []byte("spec")}
}

func (n *network) serve(t testing.TB, o Options, m Manifest) *Sweep {
	t.Helper()
	s, err := n.begin(t, o, m)
	testkit.Must(t, err)
	return s
}

func (n *network) begin(t testing.TB, o Options, m Manifest) (*Sweep, error) {
	t.Helper()
	if o.Folder == "" {
		o.Folder = t.TempDir()
	}
	if o.Same == nil {
		o.Same = sameBytes
	}
	if o.Note == nil {
		o.Note = func(line string) { t.Log("sweep:", line) }
	}
	if o.Check == nil {
		o.Check = func(int64, []byte) error { return nil }
	}
	if n != nil {
		o.listener = n.listen()
	}
	s, err := Serve(t.Context(), o, m)
	if err == nil {
		t.Cleanup(func() { _ = s.Close() })
	}
	return s, err
}

// worker starts a worker in the test process. The returned function waits for its end.
func (n *network) worker(t testing.TB, s *Sweep, run Run) (wait func() error) {
	t.Helper()
	return n.join(t, WorkOptions{Where: Where{Folder: s.o.Folder}}, run)
}

func (n *network) join(t testing.TB, o WorkOptions, run Run) (wait func() error) {
	t.Helper()
	return n.joinUntil(t, t.Context(), o, run)
}

func (n *network) joinUntil(t testing.TB, ctx context.Context, o WorkOptions, run Run) (wait func() error) {
	if o.Threads == 0 {
		o.Threads = 2
	}
	if o.Build == "" {
		o.Build = "test"
	}
	if o.Open == nil {
		o.Open = func(*Manifest, string) (Run, error) { return run, nil }
	}
	if o.Note == nil {
		o.Note = func(line string) { t.Log("worker:", line) }
	}
	if n != nil {
		o.dial = n.dial
	}
	done := make(chan error, 1)
	go func() { done <- Work(ctx, o) }()
	return func() error {
		select {
		case err := <-done:
			return err
		case <-time.After(3 * time.Minute):
			return errors.New("the worker did not end")
		}
	}
}

func wait(t testing.TB, s *Sweep) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(10 * time.Minute):
		t.Fatalf("the sweep did not end: %+v", s.Progress())
		return nil
	}
}

func checkRows(t testing.TB, s *Sweep) {
	t.Helper()
	next := int64(0)
	for r, err := range s.Rows(t.Context()) {
		if err != nil || r.Index != next || !bytes.Equal(r.Data, rowOf(next)) {
			t.Fatalf("got row %d=%.40q, %v, want %d=%.40q", r.Index, r.Data, err, next, rowOf(next))
		}
		next++
	}
	if next != s.m.Points {
		t.Fatalf("got=%d rows, want=%d", next, s.m.Points)
	}
}

func dead(t testing.TB, s *Sweep) map[int64]Dead {
	t.Helper()
	all := map[int64]Dead{}
	for r, err := range s.Rows(t.Context()) {
		testkit.Must(t, err)
		if r.Dead != nil {
			all[r.Index] = *r.Dead
		}
	}
	return all
}

func bubble(t *testing.T, f func(t *testing.T, n *network)) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { f(t, new(network)) })
}

func TestConflict(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		s := n.serve(t, Options{}, manifest(3, 3))
		for _, row := range []string{"same", "same", "other"} { // such as from a worker that was frozen
			testkit.Must(t, s.keep(&bringing{Worker: row, Machine: "machine of " + row, Rows: []Row{{Index: 1, Data: []byte(row)}}}))
		}
		end := n.join(t, WorkOptions{Where: Where{Folder: s.o.Folder}, Threads: 1}, func(context.Context, int64) ([]byte, bool, error) {
			return []byte("same"), false, nil
		})
		for range 2 {
			err := wait(t, s)
			if want := `run 1: the rows from machine of same and machine of other differ: "same" and "other"`; err == nil || err.Error() != want {
				t.Errorf("got=%v, want=%s", err, want)
			}
			testkit.Equal(t, len(s.unequal), 1, "differences")
			for r, err := range s.Rows(t.Context()) {
				if err != nil || string(r.Data) != "same" {
					t.Errorf("point %d: got=%q, %v, want the first row", r.Index, r.Data, err)
				}
			}
			testkit.Must(t, errors.Join(s.Close(), end()))
			s, end = n.serve(t, Options{Folder: s.o.Folder}, manifest(3, 3)), func() error { return nil }
		}
	})
}

func TestForeignRow(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		check := func(index int64, row []byte) error {
			if !bytes.Equal(row, rowOf(index)) {
				return errors.New("another row")
			}
			return nil
		}
		s := n.serve(t, Options{}, manifest(3, 3))
		testkit.Must(t, s.keep(&bringing{Worker: "old", Machine: "old machine", Rows: []Row{{Index: 1, Data: rowOf(0)}}}))
		s.Close()
		var notes []string
		s = n.serve(t, Options{Folder: s.o.Folder, Check: check, Note: func(line string) { notes = append(notes, line) }}, manifest(3, 3))
		if s.Before() != 0 || len(notes) != 1 || !strings.Contains(notes[0], "run 1 is repeated, because the row from old machine is invalid: another row") {
			t.Errorf("got=%d rows, notes %q, want no rows, and a note that run 1 is repeated", s.Before(), notes)
		}
		if a, err := s.hear(request(t), &life{Worker: Worker{ID: "bad", Machine: "bad machine"}, Want: 1}); err != nil || len(a.Points) != 1 {
			t.Fatalf("got=%+v, %v, want a point", a, err)
		}
		testkit.Must(t, s.keep(&bringing{Worker: "bad", Machine: "bad machine", Rows: []Row{{Index: 0, Data: rowOf(2)}}}))
		if got := tried(s)[0]; got.Tries != 1 || got.Machine != "bad machine" || !strings.Contains(got.Error, "another row") {
			t.Errorf("got=%+v, want a try of the bad machine", got)
		}
		end := n.worker(t, s, simple)
		testkit.Must(t, wait(t, s))
		checkRows(t, s)
		testkit.Must(t, errors.Join(s.Close(), end()))
	})
}

func TestDead(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		calls, bad := 0, true
		run := func(_ context.Context, index int64) ([]byte, bool, error) {
			if index == 2 && bad {
				calls++ // the tries of a point never overlap
				return nil, false, fmt.Errorf("failure %d", calls)
			}
			return rowOf(index), false, nil
		}
		m := manifest(5, 3)
		s := n.serve(t, Options{}, m)
		folder := s.o.Folder
		worker := n.join(t, WorkOptions{Where: Where{Folder: folder}}, run)
		testkit.Must(t, wait(t, s))
		if d := dead(t, s); len(d) != 1 || d[2].Error != "failure 3" || d[2].Tries != 3 {
			t.Errorf("dead: got=%+v, want point 2 with its third failure", d)
		}
		testkit.Must(t, errors.Join(s.Close(), worker()))
		bad = false
		s = n.serve(t, Options{Folder: folder}, m)
		if err := wait(t, s); err != nil || len(dead(t, s)) != 1 {
			t.Errorf("restarted: got=%v, %v, want one dead point as before", dead(t, s), err)
		}
		s.Close()
		s = n.serve(t, Options{Folder: folder, RetryDead: true}, m)
		n.join(t, WorkOptions{Where: Where{Folder: folder}}, run)
		if err := wait(t, s); err != nil || len(dead(t, s)) != 0 {
			t.Errorf("tried again: got=%v, %v, want none dead", dead(t, s), err)
		}
		checkRows(t, s)
	})
}

func TestRefused(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		notes := make(chan string, 100)
		m := manifest(1, 1)
		m.Build = "build A"
		s := n.serve(t, Options{Note: func(line string) { notes <- line }}, m)
		err := n.join(t, WorkOptions{Where: Where{Folder: s.o.Folder}, Build: "build B"}, simple)()
		if want := "this worker is build B, want build A like the server"; err == nil || err.Error() != want || !errors.As(err, new(Refused)) {
			t.Errorf("got=%v, want=%s", err, want)
		}
		if got := <-notes; !strings.Contains(got, "was refused: it is build B, want build A") {
			t.Errorf("note of the sweep: got=%q, want both builds", got)
		}
	})
}

func TestToken(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		s := n.serve(t, Options{}, manifest(1, 1))
		wrong := filepath.Join(t.TempDir(), "token")
		testkit.Must(t, os.WriteFile(wrong, []byte("wrong\n"), 0o600))
		for _, where := range []Where{{URL: s.address.URL}, {Folder: s.o.Folder, TokenFile: wrong}} {
			err := n.join(t, WorkOptions{Where: where}, simple)()
			if err == nil || !strings.Contains(err.Error(), "refuses this token, want --token-file") || !errors.As(err, new(Refused)) {
				t.Errorf("got=%v, want a Refused error that contains %q", err, "refuses this token, want --token-file")
			}
		}
		testkit.Must(t, os.WriteFile(filepath.Join(s.o.Folder, progressFile), []byte("{}"), 0o600))
		_, _, err := Watch(t.Context(), Where{Folder: s.o.Folder, TokenFile: wrong, dial: n.dial})
		testkit.Fails(t, err, "refuses this token", "Watch with a wrong token")
		w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "/life", strings.NewReader("{}"))
		token, _ := ownToken(s.o.Folder)
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set(digestHeader, "another")
		if s.server.Handler.ServeHTTP(w, r); w.Code != http.StatusConflict {
			t.Errorf("a worker of another sweep: got=%d, want=409", w.Code)
		}
		for _, path := range []string{"/join", "/life", "/done", "/status", "/file/x"} {
			for _, shown := range []string{"", "Bearer ", "Bearer wrong", "Basic x"} {
				w, r := httptest.NewRecorder(), httptest.NewRequest("POST", path, nil)
				r.Header.Set("Authorization", shown)
				if s.server.Handler.ServeHTTP(w, r); w.Code != http.StatusUnauthorized {
					t.Errorf("%s with %q: got=%d, want=401", path, shown, w.Code)
				}
			}
		}
	})
}

func TestKept(t *testing.T) {
	name := filepath.Join(t.TempDir(), progressFile)
	testkit.Must(t, os.WriteFile(name, []byte("{"), 0o600))
	if _, err := kept(filepath.Dir(name)); err == nil || !strings.HasPrefix(err.Error(), name+" is not the status of a sweep: ") {
		t.Errorf("got=%v, want an error that names %s", err, name)
	}
}

func TestWatch(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		s := n.serve(t, Options{}, manifest(10, 3))
		where := Where{Folder: s.o.Folder, dial: n.dial}
		hold := make(chan struct{})
		end := n.join(t, WorkOptions{Where: where}, func(_ context.Context, index int64) ([]byte, bool, error) {
			if index > 4 {
				<-hold
			}
			return rowOf(index), index == 3, nil
		})
		watch, endWatch, err := Watch(t.Context(), where)
		testkit.Must(t, err)
		defer endWatch()
		time.Sleep(3 * beat)
		now, err := watch(t.Context())
		if err != nil || !now.Running || now.Ended || now.Points != 10 || now.Done != 5 || now.Failed != 1 || now.Workers != 1 {
			t.Errorf("while it runs: got=%+v, %v, want 5 of 10 done, 1 failed and 1 worker", now, err)
		}
		if len(now.Who) != 1 || len(now.Who[0].Points) != 2 || now.Who[0].Threads != 2 || now.Who[0].Build != "test" {
			t.Errorf("while it runs: got=%+v, want one worker with two points", now.Who)
		}
		close(hold)
		testkit.Must(t, wait(t, s))
		testkit.Must(t, errors.Join(s.Close(), end()))
		after, _, err := Watch(t.Context(), where)
		testkit.Must(t, err)
		for _, status := range []func(context.Context) (Status, error){watch, after} {
			if now, err = status(t.Context()); err != nil || now.Running || !now.Ended || now.Done != 10 || len(now.Who) != 0 {
				t.Errorf("afterwards: got=%+v, %v, want an ended sweep with 10 done and no workers", now, err)
			}
		}
	})
}
