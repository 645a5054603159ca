package engine

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

func simple(_ context.Context, index int64) ([]byte, bool, error) { return rowOf(index), false, nil }

// TestSweep holds that a sweep of two workers has each row once, in order.
func TestSweep(t *testing.T) {
	s := serve(t, Options{Backlog: 20}, process{Points: 500}.manifest())
	a := join(t, WorkOptions{Where: Where{Folder: s.o.Folder}}, simple)
	b := join(t, WorkOptions{Where: Where{Folder: s.o.Folder}}, simple)
	if err := wait(t, s); err != nil {
		t.Fatal(err)
	}
	checkRows(t, rowsOf(t, s), 500)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := errors.Join(a(), b()); err != nil {
		t.Error(err)
	}
}

// TestConflict holds that rows of one point that differ are named with both machines, and
// that equal ones are not.
func TestConflict(t *testing.T) {
	s := serve(t, Options{}, process{Points: 3}.manifest())
	for _, row := range []string{"same", "same", "other"} { // as of a worker that was frozen
		m := nats.NewMsg(s.name.subject(results))
		m.Data = []byte(row)
		m.Header.Set(headIndex, "1")
		m.Header.Set(headMachine, "machine of "+row)
		if _, err := s.js.PublishMsg(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	join(t, WorkOptions{Where: Where{Folder: s.o.Folder}, Threads: 1}, func(ctx context.Context, index int64) ([]byte, bool, error) {
		return []byte("same"), false, nil
	})
	err := wait(t, s)
	if want := `run 1: the rows of machine of same and of machine of other differ: "same" and "other"`; err == nil || err.Error() != want {
		t.Errorf("got=%v, want=%s", err, want)
	}
	if c := s.Conflicts(); len(c) != 1 {
		t.Errorf("conflicts: got=%v, want one", c)
	}
	for r, err := range s.Rows(t.Context()) {
		if err != nil || string(r.Data) != "same" {
			t.Errorf("point %d: got=%q, %v, want the first row", r.Index, r.Data, err)
		}
	}
}

// TestDead holds that a point that fails again and again is given up with its last error,
// that others are done, and that it gets its tries again if asked.
func TestDead(t *testing.T) {
	folder := t.TempDir()
	var calls atomic.Int64
	bad := true
	run := func(ctx context.Context, index int64) ([]byte, bool, error) {
		if index == 2 && bad {
			return nil, false, fmt.Errorf("failure %d", calls.Add(1))
		}
		return rowOf(index), false, nil
	}
	m := process{Points: 5, Tries: 3}.manifest()
	s := serve(t, Options{Folder: folder}, m)
	worker := join(t, WorkOptions{Where: Where{Folder: folder}}, run)
	if err := wait(t, s); err != nil {
		t.Fatal(err)
	}
	if d := s.Dead(); len(d) != 1 || d[2].Error != "failure 3" || d[2].Tries != 3 {
		t.Errorf("dead: got=%+v, want point 2 with its third failure", d)
	}
	n := 0
	for r, err := range s.Rows(t.Context()) {
		if n++; err != nil || (r.Dead != nil) != (r.Index == 2) {
			t.Errorf("row %+v: %v", r, err)
		}
	}
	if n != 5 {
		t.Errorf("%d rows, want 5", n)
	}
	if err := errors.Join(s.Close(), worker()); err != nil {
		t.Error(err)
	}

	bad = false
	s = serve(t, Options{Folder: folder}, m)
	if err := wait(t, s); err != nil || len(s.Dead()) != 1 {
		t.Errorf("begun again: got=%v, %v, want the same", s.Dead(), err)
	}
	s.Close()
	s = serve(t, Options{Folder: folder, RetryDead: true}, m)
	join(t, WorkOptions{Where: Where{Folder: folder}}, run)
	if err := wait(t, s); err != nil || len(s.Dead()) != 0 {
		t.Errorf("tried again: got=%v, %v, want none dead", s.Dead(), err)
	}
	checkRows(t, rowsOf(t, s), 5)
}

// TestRefused holds that a worker of another build is refused, and both sides say so.
func TestRefused(t *testing.T) {
	notes := make(chan string, 100)
	s := serve(t, Options{Note: func(line string) { notes <- line }}, process{Points: 1, Build: "build A"}.manifest())
	err := join(t, WorkOptions{Where: Where{Folder: s.o.Folder}, Build: "build B"}, simple)()
	if want := "this worker is build B, and the sweep is of build A: want the same"; err == nil || err.Error() != want {
		t.Errorf("got=%v, want=%s", err, want)
	}
	if got := <-notes; !strings.Contains(got, "was refused: it is build B, and the sweep is of build A") {
		t.Errorf("the sweep says %q", got)
	}
}

// TestFolder holds that a folder has one sweep at a time, and always the same.
func TestFolder(t *testing.T) {
	m := process{Points: 1}.manifest()
	s := serve(t, Options{}, m)
	folder := s.o.Folder
	if _, err := Serve(t.Context(), Options{Folder: folder}, m); err == nil || err.Error() != folder+": another process sweeps in this folder" {
		t.Errorf("a second sweep: got=%v", err)
	}
	for _, name := range []string{tokenFile, serverFile, nameFile} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("%s: got=%v, %v, want a file for the user alone", name, info.Mode(), err)
		}
	}
	s.Close()
	m.Points = 2
	if _, err := Serve(t.Context(), Options{Folder: folder}, m); err == nil || err.Error() != folder+" holds another sweep: it has 1 runs, and this one has 2" {
		t.Errorf("another sweep: got=%v", err)
	}
	m.Build = "other"
	if _, err := Serve(t.Context(), Options{Folder: folder}, m); err == nil || !strings.Contains(err.Error(), "it was begun by test, and this is other") {
		t.Errorf("another build: got=%v", err)
	}
}

// TestFiles holds that workers get the files, and none that is not what was announced.
func TestFiles(t *testing.T) {
	content := strings.Repeat("0123456789", 50_000)
	open := func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(content)))
	m := process{Points: 1}.manifest()
	m.Files = []File{{"a.toml", sum, 500_000}, {"floors/b.csv", sum, 500_000}}
	s := serve(t, Options{Open: open}, m)
	err := join(t, WorkOptions{Where: Where{Folder: s.o.Folder}, Open: func(m *Manifest, folder string) (Run, error) {
		for _, f := range m.Files {
			b, err := os.ReadFile(filepath.Join(folder, f.Name))
			if err != nil || string(b) != content {
				t.Errorf("%s: got %d bytes, %v", f.Name, len(b), err)
			}
		}
		return nil, errors.New("that is all")
	}}, nil)()
	if err == nil || err.Error() != "that is all" {
		t.Error(err)
	}
	for name, f := range map[string]File{
		"it has not the 3 bytes":      {"a", sum, 3},
		"it has not the 500001 bytes": {"a", sum, 500_001},
		"it has not the SHA-256":      {"a", strings.Repeat("0", 64), 500_000},
		"want a name inside":          {"../a", sum, 500_000},
		"is no SHA-256":               {"a", "", 500_000},
		"want all files together":     {"a", sum, 1 << 31},
	} {
		m.Files = []File{f}
		if s, err := Serve(t.Context(), Options{Folder: t.TempDir(), Open: open}, m); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%+v: got=%v, want=%s", f, err, name)
			s.Close()
		}
	}
}

// TestListen holds that a sweep that listens for others wants TLS and the token.
func TestListen(t *testing.T) {
	s := serve(t, Options{Listen: "127.0.0.1:0"}, process{Points: 50}.manifest())
	folder, address := s.o.Folder, s.Address()
	secret, cert := filepath.Join(folder, tokenFile), filepath.Join(folder, certFile)
	at := address.URLs[0]
	for what, o := range map[string]WorkOptions{
		"uthorization": {Where: Where{URL: at, CAFile: cert}},
		"certificate":  {Where: Where{URL: at, TokenFile: secret}},
	} {
		o.Patience = time.Second
		if err := join(t, o, simple)(); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("got=%v, want an error of %s", err, what)
		}
	}
	b, err := os.ReadFile(secret)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(TokenVariable, strings.TrimSpace(string(b)))
	var joined sync.WaitGroup
	together := func() Run { // no run ends before each worker has one: who comes too late waits for a server that is gone
		joined.Add(1)
		var once sync.Once
		return func(_ context.Context, index int64) ([]byte, bool, error) {
			once.Do(joined.Done)
			joined.Wait()
			return rowOf(index), false, nil
		}
	}
	first, second, third := together(), together(), together()
	all := []func() error{
		join(t, WorkOptions{Where: Where{Folder: folder}}, first),
		join(t, WorkOptions{Where: Where{URL: at, TokenFile: secret, CAFile: cert}}, second),
		join(t, WorkOptions{Where: Where{URL: at + "/" + address.Sweep, CAFile: cert}}, third),
	}
	if err := wait(t, s); err != nil {
		t.Fatal(err)
	}
	checkRows(t, rowsOf(t, s), 50)
	s.Close()
	for _, end := range all {
		if err := end(); err != nil {
			t.Error(err)
		}
	}
}

// TestOwnCertificate holds that a certificate of the user's own is taken, and that workers have to trust it.
func TestOwnCertificate(t *testing.T) {
	own := t.TempDir()
	if _, err := certificate(own, "127.0.0.1"); err != nil {
		t.Fatal(err)
	}
	cert := filepath.Join(own, certFile)
	s := serve(t, Options{Listen: "127.0.0.1:0", CertFile: cert, KeyFile: filepath.Join(own, keyFile)}, process{Points: 10}.manifest())
	where := Where{URL: s.Address().URLs[0], TokenFile: filepath.Join(s.o.Folder, tokenFile)}
	if err := join(t, WorkOptions{Where: where, Patience: time.Second}, simple)(); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("without trust: got=%v", err)
	}
	where.CAFile = cert
	join(t, WorkOptions{Where: where}, simple)
	if err := wait(t, s); err != nil {
		t.Fatal(err)
	}
	checkRows(t, rowsOf(t, s), 10)
	s.Close()
}

// TestWatch holds what is seen of a sweep from outside: while it runs, and afterwards.
func TestWatch(t *testing.T) {
	s := serve(t, Options{}, process{Points: 10}.manifest())
	where := Where{Folder: s.o.Folder}
	hold := make(chan struct{})
	join(t, WorkOptions{Where: where}, func(_ context.Context, index int64) ([]byte, bool, error) {
		if index > 4 {
			<-hold
		}
		return rowOf(index), index == 3, nil
	})
	w, err := NewWatch(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var now Status
	until(t, func() bool {
		now, err = w.Status(t.Context())
		return err == nil && now.Done == 5 && len(now.Who) == 1 && len(now.Who[0].Points) == 2
	})
	if !now.Running || now.Ended || now.Points != 10 || now.Failed != 1 || now.Workers != 1 || now.Who[0].Threads != 2 || now.Who[0].Build != "test" {
		t.Errorf("while it runs: got=%+v", now)
	}
	close(hold)
	if err := wait(t, s); err != nil {
		t.Fatal(err)
	}
	s.Close()
	after, err := NewWatch(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	defer after.Close()
	if now, err = after.Status(t.Context()); err != nil || now.Running || !now.Ended || now.Done != 10 || len(now.Who) != 0 {
		t.Errorf("afterwards: got=%+v, %v", now, err)
	}
}
