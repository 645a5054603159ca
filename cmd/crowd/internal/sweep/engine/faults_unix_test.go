//go:build unix

package engine

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestFaults holds that nothing is lost and nothing comes twice while workers are killed,
// frozen and cut off, and the sweep with its server is killed and begun again, all at
// random times. The variable CROWD_FAULTS_SEED repeats a test.
func TestFaults(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("CROWD_FAULTS_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("CROWD_FAULTS_SEED=%d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	folder := t.TempDir()
	p := process{Folder: folder, Points: 400, Threads: 2, AckWait: 500 * time.Millisecond, Micros: 20_000}
	sweep := p
	sweep.Sweep = true
	sweeping, out := sweep.start(t)
	ended := make(chan error, 1)
	go func() { ended <- sweeping.Wait() }()
	wire := newWire(t, folder)
	said := map[*exec.Cmd]*output{}
	one := func(i int) *exec.Cmd {
		w := p
		if i == 0 {
			w.URL = "nats://" + wire.l.Addr().String()
		}
		c, out := w.start(t)
		said[c] = out
		return c
	}
	until(t, func() bool { _, err := ReadAddress(folder); return err == nil })
	var all []*exec.Cmd
	for i := range 3 {
		all = append(all, one(i))
	}
	faults := 0
	for end := time.Now().Add(90 * time.Second); ; {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("after %d faults: %v\n%s", faults, err, out)
			}
			f, err := os.Open(filepath.Join(folder, "rows"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			checkRows(t, f, p.Points)
			t.Logf("%d faults", faults)
			return
		case <-time.After(time.Duration(random.IntN(300)) * time.Millisecond):
		}
		if time.Now().After(end) {
			for _, c := range append(all, sweeping) {
				_ = c.Process.Signal(syscall.SIGQUIT) // for its goroutines
			}
			time.Sleep(time.Second)
			for i, c := range all {
				t.Logf("worker %d: %s", i, said[c])
			}
			t.Fatalf("the sweep does not end after %d faults\n%s", faults, out)
		}
		if faults == 12 {
			continue // let it end
		}
		faults++
		i := random.IntN(3)
		switch random.IntN(4) {
		case 0:
			_ = all[i].Process.Kill()
			all[i] = one(i)
		case 1:
			c := all[i]
			_ = c.Process.Signal(syscall.SIGSTOP)
			time.AfterFunc(time.Duration(random.IntN(1500))*time.Millisecond, func() { _ = c.Process.Signal(syscall.SIGCONT) })
		case 2:
			wire.cut(time.Duration(random.IntN(1000)) * time.Millisecond)
		case 3:
			select {
			case err := <-ended:
				ended <- err
				continue
			default:
			}
			_ = sweeping.Process.Kill()
			if err := <-ended; err == nil {
				ended <- nil
				continue
			}
			sweeping, out = sweep.start(t)
			go func(c *exec.Cmd) { ended <- c.Wait() }(sweeping)
		}
	}
}

// TestPoison holds that a point that kills its workers is given up, and none beside it.
func TestPoison(t *testing.T) {
	p := process{Points: 40, Tries: 2, Threads: 4, Poison: 7, Micros: 5000}
	s := serve(t, Options{AckWait: 500 * time.Millisecond}, p.manifest())
	p.Folder = s.o.Folder
	stop := make(chan struct{})
	var keep sync.WaitGroup
	defer keep.Wait()
	defer close(stop)
	c, _ := p.start(t)
	keep.Go(func() {
		for {
			_ = c.Wait()
			select {
			case <-stop:
				return
			default:
			}
			c, _ = p.start(t)
		}
	})
	if err := wait(t, s); err != nil {
		t.Fatal(err)
	}
	if d := s.Dead(); len(d) != 1 || d[7].Error != died {
		t.Errorf("dead: got=%+v, want point 7", d)
	}
	_ = s.Close() // ends the worker
}

// TestServer holds that two sweeps share a server that exists, which is killed and started
// again while they are at work.
func TestServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := process{Folder: t.TempDir(), Port: l.Addr().(*net.TCPAddr).Port}
	l.Close()
	server, _ := at.start(t)
	address := "nats://" + l.Addr().String()
	until(t, func() bool {
		c, err := net.Dial("tcp", l.Addr().String())
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	m := process{Points: 200}.manifest()
	a := serve(t, Options{NATS: address, AckWait: time.Second}, m)
	b := serve(t, Options{NATS: address, AckWait: time.Second}, m)
	if err := join(t, WorkOptions{Where: Where{URL: address}}, simple)(); err == nil || !strings.Contains(err.Error(), "has 2 sweeps") {
		t.Errorf("without a name: got=%v", err)
	}
	slow := func(ctx context.Context, index int64) ([]byte, bool, error) {
		time.Sleep(10 * time.Millisecond)
		return rowOf(index), false, nil
	}
	ends := []func() error{
		join(t, WorkOptions{Where: Where{URL: address + "/" + a.Address().Sweep}}, slow),
		join(t, WorkOptions{Where: Where{Folder: b.o.Folder}}, slow),
	}
	for _, pause := range []time.Duration{0, time.Second} {
		time.Sleep(300 * time.Millisecond)
		_ = server.Process.Kill()
		_ = server.Wait()
		time.Sleep(pause)
		server, _ = at.start(t)
	}
	for _, s := range []*Sweep{a, b} {
		if err := wait(t, s); err != nil {
			t.Fatal(err)
		}
		checkRows(t, rowsOf(t, s), 200)
	}
	if err := errors.Join(a.Remove(t.Context()), a.Close(), b.Close()); err != nil {
		t.Error(err)
	}
	for _, end := range ends {
		if err := end(); err != nil {
			t.Error(err)
		}
	}
}

// wire passes connections on to the server of a folder, and can be cut.
type wire struct {
	l    net.Listener
	mu   sync.Mutex
	open map[net.Conn]bool
	dead time.Time // until then nobody gets through
}

func newWire(t *testing.T, folder string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{l: l, open: map[net.Conn]bool{}}
	t.Cleanup(func() { l.Close(); w.cut(time.Hour) })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go w.pass(c, folder)
		}
	}()
	return w
}

func (w *wire) pass(from net.Conn, folder string) {
	defer from.Close()
	to, err := folderDialer(folder).Dial("tcp", "127.0.0.1:1")
	if err != nil {
		return
	}
	defer to.Close()
	w.mu.Lock()
	if time.Now().Before(w.dead) {
		w.mu.Unlock()
		return
	}
	w.open[from] = true
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.open, from)
	}()
	go func() {
		_, _ = io.Copy(from, to)
		from.Close()
	}()
	_, _ = io.Copy(to, from)
}

// cut cuts all connections and lets none through for a while.
func (w *wire) cut(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dead = time.Now().Add(d)
	for c := range w.open {
		c.Close()
	}
}
