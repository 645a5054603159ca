package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/spec"
	"github.com/8f878440/crowd/internal/testkit"
)

func trialOf(t *testing.T, text string) *trial {
	t.Helper()
	name := filepath.Join(t.TempDir(), "s.toml")
	testkit.Must(t, os.WriteFile(name, []byte(text), 0o666))
	s, err := spec.Read(t.Context(), name)
	testkit.Must(t, err)
	return newTrial(s)
}

func TestRunIsPure(t *testing.T) {
	tr := trialOf(t, `
scenes = ["bottleneck"]
seeds = 2
axes = {model = ["orca", "collision-free-speed"], agents = [20], max-speed = [1.5]}
run = {steps = 30, lines = [[1, -1, 1, 1]]}`)
	var hashes []string
	for i := range int64(4) {
		a, errA := tr.Run(t.Context(), i)
		b, errB := tr.Run(t.Context(), i)
		if errA != nil || errB != nil {
			t.Fatalf("run %d: got=%v, %v, want no errors", i, errA, errB)
		}
		testkit.Must(t, results.Same(a, b))
		for index := range int64(4) {
			if err := tr.Check(index, a); (err == nil) != (index == i) {
				t.Errorf("row of run %d checked as run %d: got=%v, want an error unless they are the same", i, index, err)
			}
		}
		r, err := results.Decode(a)
		if err != nil || r.Status != results.OK || r.Metrics["agents"] != 20 || r.Metrics["steps"] != 30 || r.Seed != uint64(1+i%2) || r.Cost["seconds"] <= 0 || r.Version == "" || r.Machine == "" {
			t.Errorf("run %d: got=%+v, %v, want status ok, 20 agents, 30 steps, seed %d, cost, version and machine", i, r, err, 1+i%2)
		}
		if _, ok := r.Metrics["lines[1].passed"]; !ok { // the scene has a line of its own
			t.Errorf("run %d: metrics: got=%v, want lines[1].passed among them", i, r.Metrics)
		}
		for _, before := range hashes {
			if before == r.TraceHash {
				t.Errorf("run %d: got the trace hash of another run, %s, want a different one", i, before)
			}
		}
		hashes = append(hashes, r.TraceHash)
	}
}

// Faults of parameters and memory are results. A timeout and an interruption are errors.
func TestRunFails(t *testing.T) {
	failed := func(text, want string) {
		t.Helper()
		data, err := trialOf(t, text).Run(t.Context(), 0)
		testkit.Must(t, err)
		if r, err := results.Decode(data); err != nil || r.Status != results.Failed || !strings.Contains(r.Error, want) || r.Metrics != nil {
			t.Errorf("got=%+v, %v, want a failed run with the error %s", r, err, want)
		}
	}
	failed("scenes = ['plaza']\nlimits.memory = '1kB'", "want at most 1000 (limits.memory)")
	failed("scenes = ['seek']\naxes.seek.gain = [1e9]", "seek.gain is 1e+09 kg/s")

	slow := trialOf(t, "scenes = ['plaza']\nlimits.time = '1ms'")
	_, err := slow.Run(t.Context(), 0)
	if err == nil || !strings.Contains(err.Error(), "run 0: timed out after 1ms") || errors.As(err, new(cli.Interruption)) {
		t.Errorf("late: got=%v, want an error with %q that is not a cli.Interruption", err, "run 0: timed out after 1ms")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := slow.Run(ended, 0); !errors.As(err, new(cli.Interruption)) {
		t.Errorf("interrupted: got=%v, want a cli.Interruption", err)
	}
	if _, err := slow.Run(t.Context(), 1); err == nil {
		t.Error("beyond the last run: got=nil, want an error")
	}
	data, err := slow.Dead(0, errors.New("timed out"))
	testkit.Must(t, err)
	if r, err := results.Decode(data); err != nil || r.Status != results.Dead || r.Error != "timed out" {
		t.Errorf("got=%+v, %v, want a dead run that timed out", r, err)
	}
}

var running = engine.Status{
	Progress: engine.Progress{Points: 200, Done: 48, Failed: 2, Dead: 2, Rate: 0.5, Left: 300},
	Running:  true,
	Who:      []engine.Worker{{Machine: "a (process 1)", Threads: 2, Done: 48, Rate: 0.5, Points: []int64{50, 51}}},
}

func TestText(t *testing.T) {
	var b strings.Builder
	testkit.Must(t, statusText(&b, running))
	const want = `sweep      running
done       48 of 200 (25.0%)
failed     2
given up   2
rate       0.5 runs/s
time left  5m0s
workers    1

worker         threads  done  failed  runs/s  running
a (process 1)  2        48    0       0.5     2
`
	testkit.Equal(t, b.String(), want, "while it runs")
	b.Reset()
	testkit.Must(t, statusText(&b, engine.Status{Progress: engine.Progress{Points: 3, Done: 3, Ended: true}}))
	testkit.Equal(t, b.String(), "sweep     complete\ndone      3 of 3 (100.0%)\nfailed    0\ngiven up  0\n", "at the end")
}

func TestPages(t *testing.T) {
	var fail error
	h := pages(func(context.Context) (engine.Status, error) { return running, fail })
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w
	}
	if w := get("/"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "status.json") {
		t.Errorf("page: got=%d, want=%d and a page that reads status.json", w.Code, http.StatusOK)
	}
	var got engine.Status
	if w := get("/status.json"); json.Unmarshal(w.Body.Bytes(), &got) != nil || got.Done != 48 || len(got.Who) != 1 {
		t.Errorf("status.json: got=%s, want 48 done and one worker", w.Body)
	}
	if fail = errors.New("the server is away"); get("/status.json").Code != http.StatusServiceUnavailable {
		t.Errorf("status.json without a server: got=%d, want=%d", get("/status.json").Code, http.StatusServiceUnavailable)
	}
	testkit.Equal(t, get("/else").Code, http.StatusNotFound, "unknown path")
}
