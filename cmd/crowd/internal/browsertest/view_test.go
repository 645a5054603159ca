//go:build e2e

package browsertest

import (
	"context"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
	"github.com/8f878440/crowd/world/view"
	"gonum.org/v1/gonum/spatial/r2"
)

type setup struct {
	name  string
	scene *scene.Scene
	view.Scenes
	view.Options
}

// serve serves a built-in scene of n agents, or of its own number if n is 0, until the test ends, and returns
// the address of its page. change may modify the setup.
func serve(t *testing.T, name string, n int, change func(*setup)) string {
	t.Helper()
	wantBrowser(t)
	sc := named(t, name)
	if n > 0 {
		sc.Resize(n)
	}
	return serveScene(t, sc, change)
}

func serveText(t *testing.T, text string, change func(*setup)) string {
	t.Helper()
	wantBrowser(t)
	sc, err := scene.Read(strings.NewReader(text), "test.toml", scene.OpenOptions{})
	testkit.Must(t, err)
	return serveScene(t, sc, change)
}

func upTo(n int) func(*setup) {
	return func(o *setup) {
		o.Open = func(_ context.Context, name string) (*scene.Scene, error) {
			sc, err := scene.Named(name)
			if err == nil && sc.Agents() > n {
				sc.Resize(n)
			}
			return sc, err
		}
	}
}

func serveScene(t *testing.T, sc *scene.Scene, change func(*setup)) string {
	t.Helper()
	o := setup{
		name: sc.Name, scene: sc, Options: view.Options{Version: "test", Patience: time.Hour},
		Scenes: view.Scenes{Open: func(_ context.Context, name string) (*scene.Scene, error) { return scene.Named(name) }},
	}
	for _, name := range scene.Names() {
		o.List = append(o.List, view.Named{Name: name, Text: "text of " + name})
	}
	if change != nil {
		change(&o)
	}
	live, err := view.NewScenes(t.Context(), o.name, o.scene, o.Scenes, o.Options)
	testkit.Must(t, err)
	t.Cleanup(run(live))
	return answer(t, live)
}

// run steps a view until stop is called, which closes the view.
func run(live *view.View) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { live.Run(ctx) })
	return func() {
		cancel()
		work.Wait()
		live.Close()
	}
}

func answer(t *testing.T, requests http.Handler) string {
	t.Helper()
	server := httptest.NewServer(requests)
	t.Cleanup(server.Close)
	return server.URL + "/"
}

func named(t *testing.T, name string) *scene.Scene {
	t.Helper()
	s, err := scene.Named(name)
	testkit.Must(t, err)
	return s
}

func browse(t *testing.T, address string, width, height int) *tab {
	t.Helper()
	p := open(t, address+"?test", width, height)
	p.wait("crowdView.ready")
	return p
}

func (p *tab) choose(scene string) {
	p.t.Helper()
	build := value[int](p, "crowdView.scene.build")
	p.set("scene", scene)
	p.wait(`crowdView.scene.build > %d && crowdView.ready && crowdView.scene.name === %q`, build, scene)
}

func (p *tab) set(id, value string) {
	p.t.Helper()
	p.run(`{ const s = document.getElementById(%q); s.value = %q; s.dispatchEvent(new Event("change", {bubbles: true})); }`, id, value)
}

func (p *tab) look(id string) {
	p.t.Helper()
	p.run(`document.getElementById("agent-id").value = %q; document.getElementById("choose").requestSubmit()`, id)
}

func (p *tab) pause() {
	p.t.Helper()
	p.run(`if (!crowdView.stats?.paused) document.getElementById("pause").click()`)
	p.wait("crowdView.stats?.paused && crowdView.frame.step === crowdView.stats.step")
}

func (p *tab) steps(n int) {
	p.t.Helper()
	step := value[int](p, "crowdView.frame.step")
	p.run(`for (let i = 0; i < %d; i++) document.getElementById("step").click()`, n)
	p.wait("crowdView.frame.step === %d", step+n)
}

// say sends messages as another viewer, because the page may have no button for them.
func (p *tab) say(messages ...string) {
	p.t.Helper()
	p.run(`window.other ??= new Promise((done) => {
		const socket = new WebSocket(new URL("live", location.href.replace(/^http/, "ws")));
		socket.onopen = () => done(socket);
	})`)
	for _, m := range messages {
		p.run(`window.other = window.other.then((socket) => { socket.send(%q); return socket; })`, m)
	}
}

// stepTo restarts the scene, and pauses it at the given step.
func (p *tab) stepTo(step int) {
	p.t.Helper()
	build := value[int](p, "crowdView.scene.build")
	p.say(`{"do":"pause","on":true}`, `{"do":"restart"}`)
	p.wait("crowdView.ready && crowdView.scene.build > %d", build)
	p.say(`{"do":"pause","on":true}`, fmt.Sprintf(`{"do":"seek","tick":%d}`, step)) // the restart of an ended scene also unpauses it
	p.wait("crowdView.frame.step === %d && crowdView.stats.step === %[1]d && crowdView.stats.paused", step)
}

// agents returns the positions of the agents that the page shows, and the numbers that determine their
// colors.
func (p *tab) agents() (pos []r2.Vec, colors []float64) {
	p.t.Helper()
	for _, a := range value[[][3]float64](p, `(({ buffer, n, x, y, value, x0, y0, x1, y1 }) => {
		const column = new Uint16Array(buffer, x, n), row = new Uint16Array(buffer, y, n), color = new Uint8Array(buffer, value, n);
		return Array.from(color, (c, i) => [x0 + column[i] / 65535 * (x1 - x0), y0 + row[i] / 65535 * (y1 - y0), c]);
	})(crowdView.frame)`) {
		pos, colors = append(pos, r2.Vec{X: a[0], Y: a[1]}), append(colors, a[2])
	}
	return pos, colors
}

func (p *tab) stage() image.Rectangle {
	p.t.Helper()
	box := value[[]float64](p, "crowdView.scene.box")
	a, b := p.screen(r2.Vec{X: box[0], Y: box[3]}), p.screen(r2.Vec{X: box[2], Y: box[1]})
	return image.Rect(int(a.X), int(a.Y), int(b.X), int(b.Y)).Intersect(image.Rect(0, 0, 4000, 4000))
}
