package engine

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
)

// The worker waits for the sweep. No run is repeated, and no try counts.
func TestResume(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		m := manifest(40, 1)
		done := map[int64]int{}
		s := n.serve(t, Options{}, m)
		end := n.join(t, WorkOptions{Where: Where{Folder: s.o.Folder}, Threads: 1}, func(_ context.Context, index int64) ([]byte, bool, error) {
			time.Sleep(time.Second)
			done[index]++
			return rowOf(index), false, nil
		})
		for _, after := range []time.Duration{10500 * time.Millisecond, 12 * time.Second} {
			time.Sleep(after)
			testkit.Must(t, s.Close())
			time.Sleep(20 * time.Second)
			s = n.serve(t, Options{Folder: s.o.Folder}, m)
			if s.Before() < 10 {
				t.Errorf("runs done before: got=%d, want at least 10", s.Before())
			}
		}
		testkit.Must(t, wait(t, s))
		checkRows(t, s)
		testkit.Must(t, errors.Join(s.Close(), end()))
		for index, times := range done {
			testkit.Equal(t, times, 1, "run %d", index)
		}
	})
}

// TestCut cuts off a worker for a while, until the sweep ends, and for longer than its patience.
func TestCut(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		s := n.serve(t, Options{}, manifest(100, 3))
		end := n.worker(t, s, func(_ context.Context, index int64) ([]byte, bool, error) {
			time.Sleep(300 * time.Millisecond)
			return rowOf(index), false, nil
		})
		for _, d := range []time.Duration{100 * time.Millisecond, 30 * time.Second} {
			time.Sleep(2500 * time.Millisecond)
			n.cut(d)
			time.Sleep(d)
		}
		testkit.Must(t, wait(t, s))
		checkRows(t, s)
		testkit.Must(t, errors.Join(s.Close(), end()))
		s = n.serve(t, Options{}, manifest(1, 3))
		end = n.worker(t, s, hangs)
		time.Sleep(time.Second)
		n.cut(0)
		bring(t, s, bringing{Rows: []Row{{Index: 0}}})
		if err := errors.Join(s.Close(), end()); err != nil {
			t.Errorf("the sweep ended in the meantime: got=%v, want no error", err)
		}
		s = n.serve(t, Options{}, manifest(10, 3))
		end = n.worker(t, s, hangs)
		time.Sleep(time.Second)
		n.cut(0)
		testkit.Fails(t, end(), "was away for 2m0s", "away for too long")
	})
}

// TestDeafServer leaves a request without an answer. The next answer takes long, but in parts.
func TestDeafServer(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		asked := 0
		server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked == 1 {
				<-r.Context().Done()
				return
			}
			for range 10 {
				time.Sleep(8 * time.Second)
				_, _ = w.Write([]byte("part "))
				_ = http.NewResponseController(w).Flush()
			}
		})}
		go server.Serve(n.listen())
		defer server.Close()
		c, err := (&Where{URL: "http://127.0.0.1:1", dial: n.dial}).client()
		testkit.Must(t, err)
		defer c.http.CloseIdleConnections()
		c.patience = time.Minute
		var got []byte
		err = c.persist(t.Context(), func() error {
			return c.once(t.Context(), "/", nil, func(r io.Reader) (err error) {
				got, err = io.ReadAll(r)
				return err
			})
		})
		if err != nil || asked != 2 || len(got) != 50 {
			t.Errorf("got=%q, %v after %d requests, want all ten parts after two requests", got, err, asked)
		}
	})
}

// An interrupted worker costs no try. A silent one costs one, even if its failure arrives late.
func TestSilent(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		s := n.serve(t, Options{}, manifest(2, 2))
		ask(t, s, "silent", 1, 1)
		ctx, interrupt := context.WithCancel(t.Context())
		end := n.joinUntil(t, ctx, WorkOptions{Where: Where{Folder: s.o.Folder}}, hangs)
		time.Sleep(5 * time.Second)
		interrupt()
		if err := end(); !errors.Is(err, context.Canceled) {
			t.Errorf("interrupted worker: got=%v, want=%v", err, context.Canceled)
		}
		if got := ask(t, s, "other", 5, 1); got[0] != 1 || len(tried(s)) > 0 {
			t.Errorf("points, tries: got=%v, %v, want point 1, and no tries", got, tried(s))
		}
		time.Sleep(8 * time.Second) // to 13 s after the request of the silent worker
		if got := tried(s)[0]; got.Tries != 1 || got.Error != died {
			t.Errorf("point 0: got=%+v, want one try with the error %q", got, died)
		}
		bring(t, s, bringing{Worker: "silent", Failed: []Dead{{Index: 0, Error: "late"}}})
		testkit.Equal(t, tried(s)[0].Tries, 1, "tries after a late failure")
		for range 5 { // the other worker sends heartbeats
			hear(t, s, life{Worker: Worker{ID: "other", Points: []int64{1}}})
			time.Sleep(8 * time.Second)
		}
		testkit.Equal(t, len(tried(s)), 1, "points with tries, without that of the worker that sends heartbeats")
	})
}

// Points in a lost answer are handed out again at once, without a try.
func TestLostAnswer(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		s := n.serve(t, Options{}, manifest(2, 2))
		ask(t, s, "a", 2, 2)
		got := hear(t, s, life{Worker: Worker{ID: "a", Points: []int64{1}}, Want: 2})
		if !slices.Equal(got, []int64{0}) || len(tried(s)) > 0 {
			t.Errorf("points, tries: got=%v, %v, want point 0, and no tries", got, tried(s))
		}
		later := func() <-chan answer {
			out := make(chan answer, 1)
			go func() {
				a, _ := s.hear(request(t), &life{Worker: Worker{ID: "b"}, Want: 2})
				out <- a
			}()
			synctest.Wait()
			return out
		}
		first, second := later(), later()
		hear(t, s, life{Worker: Worker{ID: "a"}, Leave: true})
		if a, b := <-first, <-second; len(a.Points) != 0 || len(b.Points) != 2 {
			t.Errorf("got=%v for the first request, %v for the second, want no point and both points", a, b)
		}
	})
}

func TestHang(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		m := manifest(4, 3)
		m.MaxSeconds = 30
		s := n.serve(t, Options{}, m)
		hangs := make(chan struct{})
		var hung atomic.Bool
		run := func(_ context.Context, index int64) ([]byte, bool, error) {
			if index == 1 && !hung.Swap(true) {
				<-hangs
			}
			return rowOf(index), false, nil
		}
		ends := []func() error{n.worker(t, s, run), n.worker(t, s, run)}
		start := time.Now()
		testkit.Must(t, wait(t, s))
		checkRows(t, s)
		if took := time.Since(start); took > 45*time.Second {
			t.Errorf("duration of the sweep: got=%v, want at most 45 s, for the limit of 30 s and the lease", took)
		}
		close(hangs)
		checkRows(t, s)
		testkit.Must(t, errors.Join(s.Close(), ends[0](), ends[1]()))
	})
}

func TestBlame(t *testing.T) {
	for tries := 1; tries <= 4; tries++ {
		b, now, deaths := newBook(40, tries, time.Second), time.Time{}, 0
		b.begin(now)
		for step := 0; !b.complete() && step < 1000; step++ {
			m := b.member("worker")
			take(b, m, 4-len(m.leases), now)
			if b.leases[7] != nil && step%3 == 2 { // it kills the worker after some time
				deaths++
				now = expire(b, now)
				continue
			}
			for index := range m.leases {
				if index != 7 {
					b.apply(&entry{Row: &Row{Index: index}}, 1, now)
					break
				}
			}
		}
		if d := b.tried[7]; b.dead != 1 || d.Tries != tries || d.Error != died || b.done != 39 {
			t.Errorf("%d tries: got=%d done, %v, want 39, and point 7 given up", tries, b.done, b.tried)
		}
		testkit.Equal(t, deaths, max(2, tries), "%d tries", tries)
	}
}

func TestAlone(t *testing.T) {
	b, now := newBook(2, 1, time.Second), time.Time{}
	b.begin(now)
	first, other := b.member("first"), b.member("other")
	take(b, first, 1, now)
	now = expire(b, now)
	take(b, other, 1, now) // point 1, while point 0 waits
	if got := take(b, other, 2, now); len(got) > 0 {
		t.Errorf("beside another point: got=%v, want none", got)
	}
	if got := take(b, first, 2, now); !slices.Equal(got, []int64{0}) || !b.leases[0].alone {
		t.Errorf("got=%v, want point 0 alone", got)
	}
	b.apply(&entry{Free: []int64{1}}, 0, now)
	if got := take(b, first, 2, now); len(got) > 0 {
		t.Errorf("beside the last try: got=%v, want none", got)
	}
	if got := take(b, other, 2, now); !slices.Equal(got, []int64{1}) {
		t.Errorf("another worker: got=%v, want point 1", got)
	}
}

// TestFrozenSweep simulates a sweep whose process was stopped: its workers need time to report.
func TestFrozenSweep(t *testing.T) {
	b, now := newBook(1, 2, time.Second), time.Time{}
	b.begin(now)
	take(b, b.member("worker"), 1, now)
	now = now.Add(time.Hour)
	if got := b.expired(now); len(got) > 0 {
		t.Errorf("got=%v, want no tries", got)
	}
	if expire(b, now); len(b.tried) != 1 {
		t.Errorf("a worker that stays silent: got=%v, want a try", b.tried)
	}
}

func take(b *book, m *member, n int, now time.Time) []int64 {
	points, alone := b.take(m, n)
	b.apply(&entry{Lease: &handed{Worker: m.ID, Points: points, Alone: alone}}, 0, now)
	return points
}

// expire lets all leases expire, and returns when they have.
func expire(b *book, now time.Time) time.Time {
	for range 5 {
		now = now.Add(b.silence / 4)
		for _, d := range b.expired(now) {
			b.apply(&entry{Try: &d}, 0, now)
		}
	}
	return now
}

func TestKilledSweep(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		m := manifest(3, 2)
		s := n.serve(t, Options{}, m)
		folder := s.o.Folder
		for _, worker := range []string{"alive", "dead"} {
			ask(t, s, worker, 1, 1)
		}
		kill(t, s)
		s = n.serve(t, Options{Folder: folder}, m)
		testkit.Equal(t, ask(t, s, "new", 3, 1)[0], 2, "the point that no worker has")
		for range 12 {
			for worker, index := range map[string]int64{"alive": 0, "new": 2} {
				hear(t, s, life{Worker: Worker{ID: worker, Points: []int64{index}}})
			}
			time.Sleep(beat)
		}
		kill(t, s)
		s = n.serve(t, Options{Folder: folder}, m)
		if got := tried(s); len(got) != 1 || got[1].Tries != 1 {
			t.Errorf("tries: got=%v, want only one of point 1", got)
		}
	})
}

// The workers of a closed sweep may never return.
func TestClosedSweep(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		s := n.serve(t, Options{}, manifest(1, 1))
		ask(t, s, "old", 1, 1)
		testkit.Must(t, s.Close())
		s = n.serve(t, Options{Folder: s.o.Folder}, manifest(1, 1))
		ask(t, s, "new", 1, 1)
		testkit.Equal(t, len(tried(s)), 0, "tries")
	})
}

// The worker knows only the address, and is busy with a run that another worker has finished.
func TestFarewell(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		s := n.serve(t, Options{}, manifest(2, 1))
		where := Where{URL: s.address.URL, TokenFile: filepath.Join(s.o.Folder, tokenFile)}
		end := n.join(t, WorkOptions{Where: where, Threads: 1}, hangs)
		synctest.Wait()
		bring(t, s, bringing{Rows: []Row{{Index: 0}, {Index: 1}}})
		testkit.Must(t, errors.Join(wait(t, s), s.Close(), end()))
	})
}

func TestFarewellWhileJoining(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		s := n.serve(t, Options{}, manifest(1, 1))
		where := Where{URL: s.address.URL, TokenFile: filepath.Join(s.o.Folder, tokenFile)}
		early := n.join(t, WorkOptions{Where: where, Open: func(*Manifest, string) (Run, error) {
			time.Sleep(2 * beat)
			return simple, nil
		}}, nil)
		synctest.Wait()
		bring(t, s, bringing{Rows: []Row{{Index: 0}}})
		late := n.join(t, WorkOptions{Where: where}, nil)
		testkit.Must(t, errors.Join(late(), s.Close(), early()))
	})
}

func TestLateRow(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		s := n.serve(t, Options{}, manifest(2, 1))
		hear(t, s, life{Worker: Worker{ID: "a"}, Want: 1})
		for _, q := range []bringing{{Worker: "a", Failed: []Dead{{Index: 0, Error: "an error"}}}, {Worker: "b", Rows: []Row{{Index: 0, Data: rowOf(0)}}}} {
			bring(t, s, q)
		}
		if p := s.Progress(); p.Dead != 0 || p.Done != 1 || p.Ended {
			t.Errorf("got=%+v, want one point done, and none dead", p)
		}
		n.worker(t, s, simple)
		testkit.Must(t, wait(t, s))
		checkRows(t, s)
	})
}

// Points that wait for a thread behind a long run go to another worker.
func TestHoard(t *testing.T) {
	bubble(t, func(t *testing.T, n *network) {
		s := n.serve(t, Options{}, manifest(400, 1))
		var long atomic.Bool
		run := func(ctx context.Context, index int64) ([]byte, bool, error) {
			if index >= 200 && !long.Swap(true) {
				<-ctx.Done()
				return nil, false, ctx.Err()
			}
			return rowOf(index), false, nil
		}
		n.join(t, WorkOptions{Where: Where{Folder: s.o.Folder}, Threads: 1}, run)
		time.Sleep(time.Millisecond)
		n.join(t, WorkOptions{Where: Where{Folder: s.o.Folder}, Threads: 1}, run)
		time.Sleep(10 * time.Second)
		testkit.Equal(t, s.Progress().Done, 399, "runs done")
	})
}

// hear sends a heartbeat, and returns the points handed out.
func hear(t *testing.T, s *Sweep, q life) []int64 {
	t.Helper()
	a, err := s.hear(request(t), &q)
	testkit.Must(t, err)
	return a.Points
}

func ask(t *testing.T, s *Sweep, worker string, want, get int) []int64 {
	t.Helper()
	points := hear(t, s, life{Worker: Worker{ID: worker}, Want: want})
	testkit.Equal(t, len(points), get, "points of the worker %s", worker)
	return points
}

func bring(t *testing.T, s *Sweep, q bringing) {
	t.Helper()
	_, err := s.bring(request(t), &q)
	testkit.Must(t, err)
}

// request returns a request whose client waits for the answer.
func request(t *testing.T) *http.Request {
	return httptest.NewRequestWithContext(t.Context(), "POST", "/", nil)
}

// tried returns the last failed try of each point without a row.
func tried(s *Sweep) map[int64]Dead {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.book.tried)
}

// kill ends a sweep as if its process were killed: it writes nothing more.
func kill(t *testing.T, s *Sweep) {
	t.Helper()
	s.cancel(errors.New("killed"))
	_ = s.server.Close()
	s.work.Wait()
	testkit.Must(t, s.journal.file.Close())
	s.journal.err = errors.New("killed")
}
