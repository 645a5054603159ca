package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
)

var running = engine.Status{
	Progress: engine.Progress{Points: 200, Done: 48, Failed: 2, Dead: 2, Rate: 0.5, Left: 300},
	Running:  true,
	Who:      []engine.Worker{{Machine: "a (process 1)", Threads: 2, Done: 48, Rate: 0.5, Points: []int64{50, 51}}},
}

func TestText(t *testing.T) {
	var b strings.Builder
	must(t, StatusText(&b, running))
	const want = `sweep     running
done      48 of 200 (25.0 %)
failed    2
given up  2
rate      0.5 runs/s
left      5m0s
workers   1

worker         threads  done  failed  runs/s  at work
a (process 1)  2        48    0       0.5     2
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
	b.Reset()
	must(t, StatusText(&b, engine.Status{Progress: engine.Progress{Points: 3, Done: 3, Ended: true}}))
	if want := "sweep     complete\ndone      3 of 3 (100.0 %)\nfailed    0\ngiven up  0\n"; b.String() != want {
		t.Errorf("at the end: got:\n%s\nwant:\n%s", b.String(), want)
	}
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
		t.Errorf("page: got=%d", w.Code)
	}
	var got engine.Status
	if w := get("/status.json"); json.Unmarshal(w.Body.Bytes(), &got) != nil || got.Done != 48 || len(got.Who) != 1 {
		t.Errorf("JSON: got=%s", w.Body)
	}
	if fail = errors.New("the server is away"); get("/status.json").Code != http.StatusServiceUnavailable {
		t.Error("an error is no error of the page")
	}
	if get("/else").Code != http.StatusNotFound {
		t.Error("there is more than there should be")
	}
}
