package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// variable makes the test binary a worker, or a sweep, of what it says in JSON.
const variable = "CROWD_ENGINE_PROCESS"

// process is what a process of a test does.
type process struct {
	Sweep   bool   // else it is a worker
	Folder  string // of the sweep
	URL     string // of the server; empty: that of the folder
	Threads int
	Build   string
	Points  int64
	Tries   int
	AckWait time.Duration
	Micros  int // that a point takes at most
	Poison  int64
	Hashes  int // that a point computes
	Plain   int // from 1: does by hand what is left modulo 2 of the points
	Port    int // runs a server there
}

func TestMain(m *testing.M) {
	text := os.Getenv(variable)
	if text == "" {
		os.Exit(m.Run())
	}
	var p process
	err := json.Unmarshal([]byte(text), &p)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch {
	case err != nil:
	case p.Sweep:
		err = p.sweep(ctx)
	case p.Port > 0:
		err = p.serve(ctx)
	case p.Plain > 0:
		for i := int64(p.Plain - 1); i < p.Points; i += 2 {
			_, _, _ = p.run(ctx, i)
		}
	default:
		err = p.work(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// start starts it, and kills it at the end of the test.
func (p process) start(t testing.TB) (*exec.Cmd, *output) {
	t.Helper()
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	out := new(output)
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), variable+"="+string(b))
	c.Stdout, c.Stderr = out, out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c, out
}

// output is what a process writes.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// rowOf is the row of a point.
func rowOf(index int64) []byte {
	sum := sha256.Sum256(fmt.Append(nil, index))
	return fmt.Appendf(nil, "%d %s", index, strings.Repeat(fmt.Sprintf("%x", sum), 1+int(sum[0])%40))
}

// sweep sweeps and writes all rows into the file rows of the folder, one a line.
func (p process) sweep(ctx context.Context) error {
	s, err := Serve(ctx, p.options(), p.manifest())
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Wait(); err != nil {
		return err
	}
	var rows bytes.Buffer
	for r, err := range s.Rows(ctx) {
		if err != nil {
			return err
		}
		if r.Dead != nil {
			fmt.Fprintf(&rows, "dead %d\n", r.Index)
			continue
		}
		fmt.Fprintf(&rows, "%s\n", r.Data)
	}
	return replace(filepath.Join(p.Folder, "rows"), rows.Bytes())
}

// serve runs a server of its own, as another program would.
func (p process) serve(ctx context.Context) error {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: p.Port, JetStream: true, StoreDir: p.Folder, NoLog: true, NoSigs: true})
	if err != nil {
		return err
	}
	s.Start()
	<-ctx.Done()
	return nil
}

func (p process) options() Options {
	return Options{
		Folder: p.Folder, AckWait: p.AckWait, Backlog: 50, NATS: p.URL,
		Note: func(line string) { fmt.Fprintln(os.Stderr, "sweep:", line) },
		Same: sameBytes,
	}
}

func sameBytes(a, b []byte) error {
	if !bytes.Equal(a, b) {
		return fmt.Errorf("%.20q and %.20q", a, b)
	}
	return nil
}

func (p process) manifest() Manifest {
	m := Manifest{Build: p.Build, Points: p.Points, Tries: p.Tries, Spec: []byte("spec")}
	if m.Build == "" {
		m.Build = "test"
	}
	if m.Tries == 0 {
		m.Tries = 1000
	}
	return m
}

func (p process) work(ctx context.Context) error {
	o := WorkOptions{Where: Where{Folder: p.Folder, URL: p.URL}, Threads: p.Threads, Build: p.manifest().Build, Patience: 30 * time.Second,
		Note: func(line string) { fmt.Fprintln(os.Stderr, "worker:", line) },
		Open: func(*Manifest, string) (Run, error) { return p.run, nil },
	}
	if p.URL != "" && p.Folder != "" {
		o.Folder, o.TokenFile = "", filepath.Join(p.Folder, tokenFile)
	}
	return Work(ctx, o)
}

func (p process) run(ctx context.Context, index int64) ([]byte, bool, error) {
	row := rowOf(index)
	if p.Poison > 0 && index == p.Poison {
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
	}
	sum := sha256.Sum256(row)
	for range p.Hashes {
		sum = sha256.Sum256(sum[:])
	}
	if took := time.Duration(p.Micros*int(sum[0])/255) * time.Microsecond; took > 0 {
		time.Sleep(took)
	}
	return row, false, ctx.Err()
}

// serve sweeps in the process of the test.
func serve(t testing.TB, o Options, m Manifest) *Sweep {
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
	s, err := Serve(t.Context(), o, m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// join starts a worker in the process of the test; it must end without an error.
func join(t testing.TB, o WorkOptions, run Run) (wait func() error) {
	t.Helper()
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
	done := make(chan error, 1)
	go func() {
		err := Work(t.Context(), o)
		if err != nil && t.Context().Err() == nil {
			t.Log("worker ends:", err)
		}
		done <- err
	}()
	return func() error {
		select {
		case err := <-done:
			return err
		case <-time.After(20 * time.Second):
			return errors.New("the worker does not end")
		}
	}
}

// wait waits for a sweep, for a while.
func wait(t testing.TB, s *Sweep) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(60 * time.Second):
		t.Fatalf("the sweep does not end: %+v", s.Progress())
		return nil
	}
}

// checkRows holds that a sweep has each row once, with the right bytes.
func checkRows(t testing.TB, rows io.Reader, points int64) {
	t.Helper()
	all, err := io.ReadAll(rows)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(all), "\n"), "\n")
	if int64(len(lines)) != points {
		t.Fatalf("%d rows, want %d", len(lines), points)
	}
	for i, line := range lines {
		if want := string(rowOf(int64(i))); line != want {
			t.Fatalf("row %d: got=%.40q, want=%.40q", i, line, want)
		}
	}
}

// rowsOf returns the rows of a sweep, one a line.
func rowsOf(t testing.TB, s *Sweep) io.Reader {
	t.Helper()
	var b bytes.Buffer
	next := int64(0)
	for r, err := range s.Rows(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Index != next {
			t.Fatalf("row of point %d, want %d", r.Index, next)
		}
		next++
		b.Write(append(r.Data, '\n'))
	}
	return &b
}

// until waits for something.
func until(t testing.TB, is func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not come")
		}
	}
}
