//go:build e2e

package engine

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
)

// variable is the environment variable with the process that the test binary runs, as JSON.
const variable = "CROWD_ENGINE_PROCESS"

// process is a worker or a sweep in a process of its own.
type process struct {
	Sweep   bool // false means a worker
	Folder  string
	URL     string // empty means the address in Folder
	Threads int
	Points  int64
	Tries   int
	Silence time.Duration
	Micros  int   // maximum duration of a point, in µs
	Poison  int64 // point that kills its worker; 0 means none
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
	default:
		err = p.work(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// start starts the process, which is killed when the test ends.
func (p process) start(t testing.TB) (*exec.Cmd, printed) {
	t.Helper()
	b, err := json.Marshal(p)
	testkit.Must(t, err)
	out, err := os.Create(filepath.Join(t.TempDir(), "printed"))
	testkit.Must(t, err)
	defer out.Close()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), variable+"="+string(b))
	c.Stdout, c.Stderr = out, out
	testkit.Must(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c, printed(out.Name())
}

// printed is the name of a file with what a process has printed.
type printed string

func (p printed) String() string {
	text, _ := os.ReadFile(string(p))
	return string(text)
}

// sweep runs the sweep and writes its rows to the file rows, one per line.
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

func (p process) options() Options {
	return Options{
		Folder: p.Folder, Silence: p.Silence,
		Note: func(line string) { fmt.Fprintln(os.Stderr, "sweep:", line) },
		Same: sameBytes, Check: func(int64, []byte) error { return nil },
	}
}

func (p process) manifest() Manifest { return manifest(p.Points, cmp.Or(p.Tries, 1000)) }

func (p process) work(ctx context.Context) error {
	o := WorkOptions{Where: Where{Folder: p.Folder, URL: p.URL}, Threads: p.Threads, Build: "test", Patience: 30 * time.Second,
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
	if took := time.Duration(p.Micros*int(sum[0])/255) * time.Microsecond; took > 0 {
		time.Sleep(took)
	}
	return row, false, ctx.Err()
}

func until(t testing.TB, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("got a condition that is still false after a minute, want true")
		}
	}
}

func TestListen(t *testing.T) {
	var n *network
	own := t.TempDir()
	_, err := certificate(own, "127.0.0.1")
	testkit.Must(t, err)
	both := filepath.Join(own, "both.pem")
	cert := testkit.Read(t, filepath.Join(own, certFile))
	key := testkit.Read(t, filepath.Join(own, keyFile))
	testkit.Must(t, os.WriteFile(both, append(cert, key...), 0o600))
	for _, o := range []Options{{}, {CertFile: both}} {
		o.Listen = "127.0.0.1:0"
		s := n.serve(t, o, manifest(50, 3))
		folder, at := s.o.Folder, s.address.URL
		secret, cert := filepath.Join(folder, tokenFile), o.CertFile
		if cert == "" {
			cert = filepath.Join(folder, certFile)
		}
		for what, where := range map[string]Where{
			"refuses this token":                      {URL: at, CAFile: cert},
			"the certificate is not trusted":          {URL: at, TokenFile: secret},
			"want one such as https://host:4222":      {URL: strings.Replace(at, "https://127.0.0.1", "http://host", 1), TokenFile: secret},
			"sent an HTTP request to an HTTPS server": {URL: strings.Replace(at, "https", "http", 1), TokenFile: secret},
			"certificates to trust: open none":        {URL: at, TokenFile: secret, CAFile: "none"},
		} {
			err := n.join(t, WorkOptions{Where: where, Patience: time.Second}, simple)()
			if err == nil || !strings.Contains(err.Error(), what) || !errors.As(err, new(Refused)) {
				t.Errorf("got=%v, want an error with %q", err, what)
			}
		}
		places := []Where{{URL: at, TokenFile: secret, CAFile: cert}}
		untrusted := Where{Folder: folder}
		if o.CertFile == "" {
			untrusted.CAFile = both
			places = append(places, Where{Folder: folder})
		}
		testkit.Must(t, os.WriteFile(filepath.Join(folder, progressFile), []byte("{}"), 0o600))
		_, _, err = Watch(t.Context(), untrusted)
		testkit.Fails(t, err, "the certificate is not trusted, want --cert", "Watch")
		var ends []func() error
		var joined sync.WaitGroup // no point finishes before all workers have joined
		joined.Add(len(places))
		for _, where := range places {
			ends = append(ends, n.join(t, WorkOptions{Where: where, Open: func(*Manifest, string) (Run, error) {
				joined.Done()
				joined.Wait()
				return simple, nil
			}}, nil))
		}
		testkit.Must(t, wait(t, s))
		checkRows(t, s)
		testkit.Must(t, s.Close())
		for _, name := range secrets {
			if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
				t.Errorf("%s: got a file after the sweep is complete, want none", name)
			}
		}
		for _, end := range ends {
			testkit.Must(t, end())
		}
	}
}
