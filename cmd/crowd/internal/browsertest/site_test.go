//go:build e2e

package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/site"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/spatial/r2"
)

// written makes the tests write the site only once, because writing takes seconds.
var written struct {
	sync.Once
	err error
}

// serveSite serves the static site below the root of a test server, and checks the size of the engine.
func serveSite(t *testing.T) (address string, server *httptest.Server) {
	t.Helper()
	wantBrowser(t)
	written.Do(func() { _, written.err = site.Write(t.Context(), siteFolder) })
	testkit.Must(t, written.err)
	engine, err := os.Stat(filepath.Join(siteFolder, "engine", "crowd.bin"))
	if testkit.Must(t, err); engine.Size() > 3.5e6 {
		t.Errorf("packed engine: got=%v bytes, want at most 3.5 MB", engine.Size())
	}
	server = httptest.NewServer(http.StripPrefix("/below", http.FileServer(http.Dir(siteFolder))))
	t.Cleanup(server.Close)
	return server.URL + "/below/", server
}

func native(t *testing.T, name string, seed uint64, steps int) string {
	t.Helper()
	s := named(t, name)
	s.Seed = seed
	w, err := s.Build(scene.Options{})
	testkit.Must(t, err)
	defer w.Close()
	var trace hash.Trace
	for i := range steps + 1 {
		if i%hash.TraceEvery == 0 {
			trace.Add(w.Hash())
		}
		testkit.Must(t, w.Step())
	}
	return fmt.Sprintf("%016x", trace.Sum())
}

// TestSiteTrace compares the engine in the page with the native engine.
func TestSiteTrace(t *testing.T) {
	t.Parallel()
	address, _ := serveSite(t)
	for _, name := range []string{"flee", "bottleneck", "formation"} {
		t.Run(name, func(t *testing.T) {
			p := open(t, address+"play/?test#scene="+name+"&seed=7&step=60", 1280, 800)
			p.wait(`crowdView.ready && crowdView.scene.name === %q && crowdView.frame.step === 60 && crowdView.stats?.traceStep === 60`, name)
			p.equal(native(t, name, 7, 60), "crowdView.stats.trace")
			p.wait(`document.getElementById("trace").textContent.includes(crowdView.stats.trace)`)
		})
	}
}

// TestSiteLate sends the first message late, as a slow machine does. A server would drop such a viewer after
// 10 s.
func TestSiteLate(t *testing.T) {
	t.Parallel()
	address, _ := serveSite(t)
	p := open(t, address+"gallery/", 1280, 800)
	p.run(`{
		const text = "[[groups]]\nat = [0, 0]\nmax-speed = 1\ntarget = [1, 1]\nseek = {}\n";
		const engine = new Worker("../engine/worker.js", { name: "#" + new URLSearchParams({ scene: "mine", text }) });
		const ask = () => engine.postMessage('{"do":"next","view":[0,0,1,1],"pixels":[100,100],"color":"speed","layers":[]}');
		engine.onmessage = ({ data }) => {
			if (data.ready) setTimeout(ask, 11_000);
			if (data instanceof ArrayBuffer) window.answered = true;
			if (typeof data === "string" && JSON.parse(data).kind === "scene") window.scene ??= JSON.parse(data).name;
		};
	}`)
	p.wait("window.answered === true")
	p.equal("mine", "window.scene")
}

func TestSitePlay(t *testing.T) {
	t.Parallel()
	address, _ := serveSite(t)
	for _, size := range [][2]int{{1280, 800}, {390, 844}} {
		t.Run(fmt.Sprint(size[0]), func(t *testing.T) {
			t.Parallel()
			p := open(t, address+"play/?test#scene=flee", size[0], size[1])
			p.wait(`crowdView.ready && crowdView.scene.name === "flee" && crowdView.frame.step > 5`)
			if size[0] == 390 {
				p.equal(true, `Math.min(crowdView.toScreen(0, 0)[1], crowdView.toScreen(800, 600)[1]) >= document.getElementById("hint").getBoundingClientRect().bottom - document.getElementById("stage").getBoundingClientRect().top`)
			}
			p.mouse(mouseMoved, r2.Vec{X: value[float64](p, "crowdView.camera.x"), Y: value[float64](p, "crowdView.camera.y")})
			p.wait(`crowdView.frame.pointerX === crowdView.frame.pointerX`)
			p.run(`navigator.clipboard.writeText = async (link) => { window.link = link; }; document.getElementById("copy-link").click()`)
			p.wait(`document.getElementById("toasts").innerText.includes("leaves out the moves of the pointer")`)
			p.equal(false, `document.getElementById("toasts").innerText.includes("parameters")`)
			p.run(`{ const i = document.querySelector('[data-parameter$="flee.gain"] input'); i.value = "3"; i.dispatchEvent(new Event("input")); i.dispatchEvent(new Event("change")); i.blur(); document.getElementById("copy-link").click(); }`)
			p.wait(`document.getElementById("toasts").innerText.includes("that you set. It sets the changed parameters from the first step.")`)
			p.equal(0, `Math.max(document.getElementById("toolbar").scrollWidth - document.getElementById("toolbar").clientWidth, 0)`)
			p.run("window.link = undefined")

			const text = "box = [[0, 0], [20, 20]]\n\n[[groups]]\ncount = 12\nat = {rows = [[2, 2], [8, 8]]}\nmax-speed = 2\nmax-force = 10\ntarget = {points = [[15, 15]]}\nseek = {gain = 1}\n"
			drop := func(name, text string) {
				p.run(`(() => {
					const files = new DataTransfer();
					files.items.add(new File([%q], %q));
					dispatchEvent(new DragEvent("drop", { dataTransfer: files, cancelable: true }));
				})()`, text, name)
			}
			drop("mine.toml", text)
			p.wait(`crowdView.scene.name === "mine.toml" && crowdView.frame.agents === 12 && crowdView.frame.step > 5`)
			p.run(`document.getElementById("copy-link").click()`)
			p.wait("window.link")
			link := value[string](p, "window.link")
			if !strings.Contains(link, "text="+url.QueryEscape("box = ")) {
				t.Errorf("link: got=%s, want the text of the scene", link)
			}
			drop("wrong.toml", "[[groups]]\ncount = 0.5\n")
			p.wait(`document.getElementById("toasts").innerText.includes("wrong.toml:2")`)

			p.do(chromedp.Navigate(strings.Replace(link, "?test", "?test&again", 1)))
			p.wait(`crowdView.ready && crowdView.scene.name === "mine.toml" && crowdView.frame.agents === 12`)
		})
	}
}

func TestSiteEmbedded(t *testing.T) {
	t.Parallel()
	address, _ := serveSite(t)
	p := open(t, address+"play/?test&embedded=seek.gain#scene=seek", 900, 500)
	const has = `crowdView.ready && crowdView.scene.name === "seek" && crowdView.frame.step > 0`
	p.wait(has)
	p.equal(true, `document.querySelector('script[src="page/embedded.js"]').matches("head > :not([type], [async], [defer])")`) // it runs before the first paint
	p.equal("", `["scene", "status", "tabs", "toolbar"].filter((id) => document.getElementById(id).checkVisibility()).join()`)
	p.run(`{ const i = document.querySelector('[data-parameter$="seek.gain"] input'); i.value = "3"; i.dispatchEvent(new Event("input")); i.dispatchEvent(new Event("change")); i.blur(); }`)
	p.wait(`crowdView.scene.parameters.some((p) => p.name.endsWith("seek.gain") && p.value === 3)`)
	p.equal(320, `document.getElementById("panel").offsetWidth`)
	const scale = "crowdView.camera.scale"
	before := value[float64](p, scale)
	wheel := func(init string) {
		t.Helper()
		p.run(`document.getElementById("stage").dispatchEvent(new WheelEvent("wheel", { deltaY: -100, cancelable: true, %s }))`, init)
	}
	wheel("")
	p.equal(before, scale) // the page around it scrolls
	wheel("ctrlKey: true")
	p.equal(true, scale+" > %v", before)
	before = value[float64](p, scale)
	p.click(r2.Vec{X: value[float64](p, "crowdView.camera.x"), Y: value[float64](p, "crowdView.camera.y")}, leftButton)
	wheel("")
	p.equal(true, scale+" > %v", before)

	for _, width := range []int64{900, 390} { // a scene without such parameters has no panel
		p.do(chromedp.EmulateViewport(width, 500), chromedp.Navigate(fmt.Sprint(address, "play/?test&embedded=nothing&", width, "#scene=seek")))
		p.wait(has)
		p.equal(width, `document.getElementById("stage").offsetWidth`)
		p.equal(500, `document.getElementById("stage").offsetHeight + document.getElementById("bar").offsetHeight`)
	}

	p.do(chromedp.Navigate(address + "play/?test#scene=seek"))
	p.wait(has)
	p.equal("", `document.getElementById("toasts").innerText`) // the engine is new, and has not restarted
	p.equal(address, `document.querySelector("#bar a.brand").href`)
}

// TestSitePages verifies that embedded scenes run, in visited pages even offline, and runs axe-core in all
// pages but the example.
func TestSitePages(t *testing.T) {
	t.Parallel()
	script := wantAxe(t)
	address, server := serveSite(t)
	live := `(() => { const v = document.querySelector("crowd-scene").shadowRoot.querySelector("iframe").contentWindow.crowdView; return v?.ready && v.frame.step > 0; })()`
	p := open(t, address, 640, 480)
	p.wait("%s", live)
	p.run("%s;0", script)
	p.axe()
	p.wait(`navigator.serviceWorker.controller`)
	for _, name := range []string{"behaviors/", "behaviors/interpose.html", "behaviors/seek.html", "gallery/", "example.html"} {
		p.do(chromedp.Navigate(address + name))
		if of, ok := strings.CutPrefix(name, "behaviors/"); ok && of != "" || name == "example.html" {
			p.wait("%s", live)
			p.keep(strings.TrimSuffix(of, ".html"))
		}
		if name == "example.html" {
			p.equal(420, `document.querySelector("crowd-scene").clientHeight`)
			p.equal("light dark", `document.querySelector("meta[name=color-scheme]").content`)
			p.equal("width=device-width, initial-scale=1", `document.querySelector("meta[name=viewport]").content`)
		}
		if strings.HasSuffix(name, "interpose.html") { // a scene of its own, and a slider in the page
			const inside = `document.querySelector("crowd-scene").shadowRoot.querySelector("iframe").contentWindow`
			p.wait(`%s.crowdView.scene.name === "interpose"`, inside)
			p.run(`{ const i = %s.document.querySelector('[data-parameter$=".interpose.gain"] input'); i.value = "1"; i.dispatchEvent(new Event("input")); i.dispatchEvent(new Event("change")); i.blur(); }`, inside)
			p.wait(`%s.crowdView.scene.parameters.some((p) => p.name.endsWith(".interpose.gain") && p.value === 1)`, inside)
			p.equal("", `[...%s.document.querySelectorAll("[data-parameter]")].filter((e) => e.checkVisibility() !== e.dataset.parameter.includes(".interpose."))
				.map((e) => e.dataset.parameter).join()`, inside)
		}
		if strings.HasSuffix(name, "seek.html") { // sliders of the behavior, and those that its scene names
			p.equal("gain mass max-force", `[...document.querySelector("crowd-scene").shadowRoot.querySelector("iframe").contentDocument.querySelectorAll("[data-parameter]")]
				.filter((e) => e.checkVisibility()).map((e) => e.dataset.parameter.replace(/.*[.]/, "")).sort().join(" ")`)
		}
		if name != "example.html" { // it has only the element
			p.run("%s;0", script)
			p.axe()
		}
	}
	p.do(chromedp.Navigate("about:blank"))
	first := map[*tab]string{}
	for name, runs := range map[string]string{"play/?test#scene=seek": "crowdView.ready && crowdView.frame.step > 0", "behaviors/seek.html": live, "gallery/": "document.images[0].naturalWidth > 0"} {
		q := open(t, address+name, 640, 480)
		q.wait("navigator.serviceWorker.controller")
		if name == "gallery/" { // the page asks for its pictures again, through the worker
			q.run(`for (const image of document.images) image.loading = "eager"`)
			q.run("setInterval(async () => { window.kept = (await Promise.all([...document.images].map((image) => caches.match(image.src)))).every(Boolean); }, 200)")
			q.wait("window.kept")
		}
		first[q] = runs
	}
	server.Close()
	for q, runs := range first {
		q.do(chromedp.Reload())
		q.wait("%s", runs)
		q.noErrors("ERR_CONNECTION_REFUSED")
	}
	p.do(chromedp.Navigate(address + "behaviors/seek.html"))
	p.wait("%s", live)
	p.has("maxSpeed", "document.body.innerText")
	p.noErrors("ERR_CONNECTION_REFUSED")
}
