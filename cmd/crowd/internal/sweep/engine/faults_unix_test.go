//go:build e2e && unix

package engine

import (
	"bytes"
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

	"github.com/8f878440/crowd/internal/testkit"
)

// passes counts the passes of TestFaults. Each has other faults.
var passes uint64

// TestFaults kills, freezes and cuts off workers, and kills and restarts the sweep, at random times.
// CROWD_FAULTS_SEED sets the seed of the first pass, 1 by default.
func TestFaults(t *testing.T) {
	seed := uint64(1)
	if text := os.Getenv("CROWD_FAULTS_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		testkit.Must(t, err)
	}
	seed += passes
	passes++
	t.Logf("CROWD_FAULTS_SEED=%d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	folder := t.TempDir()
	p := process{Folder: folder, Points: 400, Threads: 2, Silence: 500 * time.Millisecond, Micros: 20_000}
	sweep := p
	sweep.Sweep = true
	sweeping, out := sweep.start(t)
	ended := make(chan error, 1)
	go func() { ended <- sweeping.Wait() }()
	wire := newWire(t, folder)
	said := map[*exec.Cmd]printed{}
	one := func(i int) *exec.Cmd {
		w := p
		if i == 0 {
			w.URL = "http://" + wire.l.Addr().String()
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
			checkFile(t, p)
			t.Logf("%d faults", faults)
			return
		case <-time.After(time.Duration(random.IntN(300)) * time.Millisecond):
		}
		if time.Now().After(end) {
			for _, c := range append(all, sweeping) {
				_ = c.Process.Signal(syscall.SIGQUIT) // prints the goroutines
			}
			time.Sleep(time.Second)
			for i, c := range all {
				t.Logf("worker %d: %s", i, said[c])
			}
			t.Fatalf("the sweep did not end after %d faults\n%s", faults, out)
		}
		if faults == 12 {
			continue // without more faults, the sweep ends
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

func TestPoison(t *testing.T) {
	p := process{Points: 40, Tries: 2, Threads: 4, Poison: 7, Micros: 5000}
	var n *network
	s := n.serve(t, Options{Silence: 500 * time.Millisecond}, p.manifest())
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
	testkit.Must(t, wait(t, s))
	if d := dead(t, s); len(d) != 1 || d[7].Error != died {
		t.Errorf("dead: got=%+v, want point 7", d)
	}
	_ = s.Close() // ends the worker
}

func TestServer(t *testing.T) {
	p := process{Folder: t.TempDir(), Points: 200, Threads: 2, Tries: 2, Micros: 10_000}
	sweep := p
	sweep.Sweep = true
	sweeping, out := sweep.start(t)
	until(t, func() bool { _, err := ReadAddress(p.Folder); return err == nil })
	worker, said := p.start(t)
	journal := filepath.Join(p.Folder, journalFile)
	for size := int64(0); size < 3*20_000; size += 20_000 { // of about 200,000 bytes
		until(t, func() bool { info, err := os.Stat(journal); return err == nil && info.Size() > size })
		_ = sweeping.Process.Kill()
		_ = sweeping.Wait()
		sweeping, out = sweep.start(t)
	}
	if err := sweeping.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	checkFile(t, p)
	if err := worker.Wait(); err != nil {
		t.Errorf("the worker: %v\n%s", err, said)
	}
}

func checkFile(t *testing.T, p process) {
	t.Helper()
	got := testkit.Read(t, filepath.Join(p.Folder, "rows"))
	var want bytes.Buffer
	for i := range p.Points {
		want.Write(append(rowOf(i), '\n'))
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Fatalf("got %d bytes of rows, want %d: %.200q", len(got), want.Len(), got)
	}
}

// wire forwards connections to the server of a folder. It can be cut.
type wire struct {
	l    net.Listener
	mu   sync.Mutex
	open map[net.Conn]bool
	dead time.Time // no connection gets through until then
}

func newWire(t *testing.T, folder string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.Must(t, err)
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
	at, err := ReadAddress(folder)
	if err != nil {
		return
	}
	to, err := net.Dial("tcp", strings.TrimPrefix(at.URL, "http://"))
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

func (w *wire) cut(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dead = time.Now().Add(d)
	for c := range w.open {
		c.Close()
	}
}
