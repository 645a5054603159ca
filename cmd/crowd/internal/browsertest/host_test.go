//go:build e2e

package browsertest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/site"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/view"
	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestHostPage(t *testing.T) {
	t.Parallel()
	wantBrowser(t)
	w, err := world.New(world.Default())
	testkit.Must(t, err)
	t.Cleanup(w.Close)
	components := []any{c.Target{Vec: r2.Vec{X: 5, Y: 5}}, c.Limits{MaxSpeed: 2, MaxForce: 5}, c.Seek{Gain: 1}, c.Radius{Meters: 0.5}}
	testkit.Must(t, w.Spawn(3, components, func(r *world.Rows) {
		for i, at := 0, world.Column[c.Position](r); i < r.Len; i++ {
			at[i].Vec = r2.Vec{X: float64(3 * i), Y: 4}
		}
	}))
	live := view.New(w, view.Options{Name: "harbor", Patience: time.Hour})
	ctx, end := context.WithCancel(context.Background())
	var loop sync.WaitGroup
	loop.Go(func() {
		for ctx.Err() == nil {
			testkit.Must(t, live.Step())
			time.Sleep(time.Millisecond)
		}
	})
	t.Cleanup(func() {
		end()
		loop.Wait()
		live.Close()
	})

	p := browse(t, answer(t, live), 1200, 800)
	p.wait(`!document.getElementById("pause").hidden`)
	p.equal("pause,step,tool-obstacle,tool-wall,tool-door,tool-goal",
		`[...document.querySelectorAll("[data-can]")].filter(e => !e.hidden).map(e => e.id).join()`)
	p.equal(true, `document.getElementById("scene").disabled`)
	p.pause()
	for coloring, want := range map[string]string{"behavior": "seeking", "archetype": "seek"} {
		p.set("color", coloring)
		p.wait(`[...document.querySelectorAll("#legend-scale li")].some(e => e.textContent === %q)`, want)
	}
	pos, _ := p.agents()
	p.click(pos[2], leftButton)
	p.wait(`crowdView.agent?.alive && crowdView.agent.explanation && document.getElementById("inspector").innerText.includes("Seek")`)
}

func TestStatus(t *testing.T) {
	t.Parallel()
	wantBrowser(t)
	at, err := site.Listen("127.0.0.1:0", site.NewToken())
	testkit.Must(t, err)
	type answer struct {
		engine.Status
		err error
	}
	var now atomic.Pointer[answer]
	now.Store(&answer{Status: engine.Status{
		Progress: engine.Progress{Points: 200, Done: 48, Failed: 2, Dead: 2, Rate: 0.5, Left: 300, Waiting: "workers"}, Running: true,
		Who: []engine.Worker{
			{Machine: "a (process 1)", Threads: 2, Done: 48, Rate: 0.5, Points: []int64{50, 51}},
			{Machine: "a-node-with-a-long-name.cluster.example (process 123456)", Threads: 64, Done: 12345, Failed: 2, Rate: 12.345, Points: make([]int64, 64)},
		},
	}})
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() {
		served <- sweep.StatusPage(ctx, at, func(context.Context) (engine.Status, error) { a := now.Load(); return a.Status, a.err })
	}()
	defer func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()

	p := open(t, at.URL(), 1000, 600)
	want := func(texts ...string) {
		t.Helper()
		for _, text := range texts {
			p.wait(`document.body.innerText.replaceAll(/\s+/g, " ").includes(%q)`, text)
		}
	}
	want("Sweep: running", "done 48 of 200 (25.0%)", "failed 2", "given up 2", "rate 0.500 runs/s", "time left 5 min 0 s", "waiting for workers",
		"a (process 1) 2 48 0 0.500 2", "(process 123456) 64 12,345 2 12.3 64")
	p.equal("50 of 200", "document.getElementById('bar').value + ' of ' + document.getElementById('bar').max")
	for _, width := range []int{320, 1000} {
		p.do(chromedp.EmulateViewport(int64(width), 600))
		p.equal(width, "Math.max(document.documentElement.scrollWidth, %d)", width)
	}

	// The page sends a request every second. Make it send them more often, and count the scheduled ones.
	p.run(`{ const later = setTimeout; window.asks = 0; window.setTimeout = (ask, ms) => {
		if (ms !== 1000) return later(ask, ms);
		window.asks++;
		return later(() => { window.asks--; ask(); }, 50);
	}; }`)
	p.wait("window.asks === 1")
	now.Store(&answer{err: errors.New("the server is away")})
	want("Sweep: the server is away", "done 48 of 200")
	now.Store(&answer{Status: engine.Status{Progress: engine.Progress{Points: 200, Done: 198, Failed: 2, Dead: 2, Ended: true}, Who: []engine.Worker{}}})
	want("Sweep: complete", "done 198 of 200 (100.0%)", "given up 2")
	p.equal(0, "window.asks")
	p.noErrors("status of 503") // reported by the browser
}
